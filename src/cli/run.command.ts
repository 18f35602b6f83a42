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
import type { AgentOptions } from '../actors/agent-options.ts'
import { openOrCreateFileLog } from '../log/file-log.ts'
import type { FileLog } from '../log/file-log.ts'
import { repairLog } from '../sessions/repair.ts'
import { agentFrom, findAgentFile } from './agent-file.ts'
import type { Answer } from './answer.ts'
import type { RunAsked, Show } from './arguments.ts'
import { conduct } from './conduct.ts'
import { UsageFault } from './fault.ts'
import { folderAgent } from './folder-agent.ts'
import { makeModel, readChoice } from './model-choice.ts'
import type { ChosenModel } from './model-choice.ts'
import { plural } from './offline/words.ts'
import { readOutputSchema } from './output-schema.ts'
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
  const schema = await readOutputSchema(asked.outputSchema, at.cwd)
  const setup = await prepareAgent(asked, at, secrets)
  const folder = await folderOf(asked.dir, at)
  const prompt = secrets.hide(await readPrompt(asked.prompt, at.stdin))
  const { title, options, made } = await setup(folder)
  const log = await openLog(asked, at, folder)
  try {
    const stored = log.length
    tellRepair(repairLog(log), log.header.id, at)
    const head = headOf({ title }, folder, { prompt, logFile: log.file, stored })
    const { id } = log.header
    const agent = createAgent({ ...options, log, id })
    made(agent)
    denyQuestions(agent)
    const work = () => answer(agent, prompt, schema)
    return await conduct(agent, work, reportFor(asked.show, at, head), at)
  } finally {
    await log.close()
  }
}

/** Nobody is there to answer: a call that must be approved is denied, and the run goes on. */
function denyQuestions(agent: Agent): void {
  agent.subscribe({ from: agent.log.length }, ({ type }) => {
    if (type !== 'approval/asked') return
    queueMicrotask(() => {
      const reason = 'nobody is there to approve it'
      if (agent.status !== 'disposed') agent.approvals.answerAll('deny', { by: 'turnwise', reason })
    })
  })
}

async function answer(
  agent: Agent,
  prompt: string,
  schema: Awaited<ReturnType<typeof readOutputSchema>>,
): Promise<Answer> {
  await agent.whenIdle()
  return schema === undefined ? agent.run(prompt) : agent.run(prompt, { output: schema })
}

/** An agent and how a person would call it. */
interface Made {
  readonly title: string
  readonly options: AgentOptions
  /** Is told of the agent. */
  readonly made: (agent: Agent) => void
}

/** Looks at what the agent is asked to be made of. @returns makes what it is made with. @throws UsageFault */
export async function prepareAgent(
  asked: Pick<RunAsked, 'agent' | 'model' | 'show'>,
  at: Surroundings,
  secrets: Secrets,
): Promise<(folder: Folder) => Promise<Made>> {
  const { agent: file } = asked
  if (file === undefined) {
    const setup = prepareModel(asked, at)
    return async (folder) => {
      const chosen = await setup()
      const options = folderAgent(folder, chosen, secrets)
      return { title: chosen.title, options, made: () => {} }
    }
  }
  const path = await findAgentFile(file, at.cwd)
  return async ({ root: dir }) => {
    let known: Agent | undefined
    const agent = (): Agent => {
      if (known === undefined) throw new Error('the agent is made of what is returned here')
      return known
    }
    const options = await agentFrom(path, { dir, env: at.env, agent }, secrets)
    const made = (it: Agent): void => {
      known = it
    }
    return { title: `the agent of ${file}`, options, made }
  }
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
export const newSessionId = (): string => {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `${time}-${randomBytes(3).toString('hex')}`
}

/** What is shown first. */
export const headOf = (
  { title }: Pick<ChosenModel, 'title'>,
  folder: Folder,
  rest: Pick<RunHead, 'prompt' | 'logFile' | 'stored'>,
): RunHead => ({ version: VERSION, model: title, folder: folder.root, ...rest })
