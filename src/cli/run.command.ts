/**
 * `turnwise run`: one prompt, one owned run, one exit code.
 *
 * R1 Whatever can be wrong with the command line is found before anything is created.
 * R2 The order is quiescence, prompt, quiescence, flush, output.
 * R3 It ends by itself: nothing it opened stays open, also when it fails.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { createAgent } from '../actors/agent.ts'
import type { Agent } from '../actors/agent-handle.ts'
import { openOrCreateFileLog } from '../log/file-log.ts'
import type { FileLog } from '../log/file-log.ts'
import { repairLog } from '../sessions/repair.ts'
import type { RunAsked, Show } from './arguments.ts'
import { conduct } from './conduct.ts'
import { UsageFault } from './fault.ts'
import { folderAgent } from './folder-agent.ts'
import { makeModel, readChoice } from './model-choice.ts'
import type { ChosenModel } from './model-choice.ts'
import { plural } from './offline/words.ts'
import { readPrompt } from './read-prompt.ts'
import { jsonReport, liveReport, plainReport } from './reports.ts'
import type { Report, RunHead } from './reports.ts'
import { Secrets } from './secrets.ts'
import type { Surroundings } from './surroundings.ts'
import { openFolder } from './tools/folder.ts'
import type { Folder } from './tools/folder.ts'
import type { ExitCode } from './usage.ts'
import { VERSION } from './version.ts'

/** Ms between two pieces of the offline planner's text on a terminal, so that a person can follow. */
const PACE_MS = 12

/** Runs a prompt. @throws UsageFault and SetupFault before anything was created, TurnwiseError for the log. */
export async function runCommand(asked: RunAsked, at: Surroundings): Promise<ExitCode> {
  const secrets = new Secrets(at.env)
  const setup = prepareModel(asked, at)
  const folder = await folderOf(asked.dir, at)
  const prompt = secrets.hide(await readPrompt(asked.prompt, at.stdin))
  const chosen = await setup()
  const log = await openLog(asked, at, folder)
  try {
    const stored = log.length
    tellRepair(repairLog(log), log.header.id, at)
    const head = headOf(chosen, folder, { prompt, logFile: log.file, stored })
    const agent = createAgent({ log, ...folderAgent(folder, chosen, secrets) })
    return await conduct(agent, () => answer(agent, prompt), reportFor(asked.show, at, head), at)
  } finally {
    await log.close()
  }
}

async function answer(agent: Agent, prompt: string): ReturnType<Agent['run']> {
  await agent.whenIdle()
  return agent.run(prompt)
}

/** Reads the choice of a model now. @returns makes the model. */
export function prepareModel(
  asked: Pick<RunAsked, 'model' | 'show'>,
  at: Surroundings,
): () => Promise<ChosenModel> {
  const choice = readChoice(asked.model, at.env)
  const live = showOn(at, asked.show) === 'live'
  const pace = live && at.stdout.isTTY === true ? { paceMs: PACE_MS } : {}
  return () => (at.makeModel ?? makeModel)(choice, at.env, pace)
}

/** A process that died in the middle of a turn left brackets open. */
export function tellRepair(appended: number, id: string, at: Surroundings): void {
  if (appended === 0) return
  at.stderr.write(
    `turnwise: session ${id} had ended in the middle of a turn; ${plural(appended, 'event')} closed it as interrupted.\n`,
  )
}

const showOn = (at: Surroundings, show: Show): Show =>
  show === 'auto' && at.stdout.isTTY === true ? 'live' : show

/** How the run is shown. */
export const reportFor = (asked: Show, at: Surroundings, head: RunHead): Report => {
  const show = showOn(at, asked)
  if (show === 'live') return liveReport(at, head)
  return show === 'json' ? jsonReport(at, head) : plainReport(at)
}

/** The folder that the agent may read. @throws UsageFault */
export const folderOf = (dir: string, at: Surroundings): Promise<Folder> =>
  openFolder(resolve(at.cwd, dir)).catch((error: unknown) => {
    throw new UsageFault(`--dir: ${error instanceof Error ? error.message : String(error)}`)
  })

const openLog = (asked: RunAsked, at: Surroundings, folder: Folder): Promise<FileLog> =>
  openOrCreateFileLog(
    { dir: resolve(at.cwd, asked.log), id: asked.session ?? newSessionId() },
    { header: { cwd: folder.root } },
  )

/** Sorts by time, and is short enough to be typed. */
const newSessionId = (): string => {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `${time}-${randomBytes(3).toString('hex')}`
}

/** What is shown first. */
export const headOf = (
  { title }: ChosenModel,
  folder: Folder,
  rest: Pick<RunHead, 'prompt' | 'logFile' | 'stored'>,
): RunHead => ({ version: VERSION, model: title, folder: folder.root, ...rest })
