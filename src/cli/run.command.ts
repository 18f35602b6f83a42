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
import type { Agent, RunResult } from '../actors/agent-handle.ts'
import { openOrCreateFileLog } from '../log/file-log.ts'
import type { FileLog } from '../log/file-log.ts'
import type { RunAsked, Show } from './arguments.ts'
import { UsageFault } from './fault.ts'
import { Interrupts } from './interrupts.ts'
import { makeModel, readChoice } from './model-choice.ts'
import type { ChosenModel } from './model-choice.ts'
import { readPrompt } from './read-prompt.ts'
import { jsonReport, liveReport, plainReport } from './reports.ts'
import type { Report, RunHead } from './reports.ts'
import { Secrets } from './secrets.ts'
import type { Surroundings } from './surroundings.ts'
import { folderTools } from './tools/folder-tools.ts'
import { openFolder } from './tools/folder.ts'
import type { Folder } from './tools/folder.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'
import { VERSION } from './version.ts'
import { modelWithout, toolWithout } from './without-secrets.ts'

/** Budget of one prompt; a question about a folder that needs more is not being answered. */
const MAX_STEPS = 50
/** How long a tool or a stream may take to notice a cancel. */
const DRAIN_GRACE_MS = 2000
/** Ms between two pieces of the offline planner's text on a terminal, so that a person can follow. */
const PACE_MS = 12

const SYSTEM = `You answer questions about the files of one folder. Your tools only read, and only this folder; paths are relative to it. Look before you answer, name the files you looked at, and be brief. Say so when something is not there or was left out.`

/** Runs a prompt. @throws UsageFault and SetupFault before anything was created, TurnwiseError for the log. */
export async function runCommand(asked: RunAsked, at: Surroundings): Promise<ExitCode> {
  const secrets = new Secrets(at.env)
  const choice = readChoice(asked.model, at.env)
  const folder = await folderOf(asked, at)
  const prompt = secrets.hide(await readPrompt(asked.prompt, at.stdin))
  const show = showOn(at, asked.show)
  const pace = show === 'live' && at.stdout.isTTY === true ? { paceMs: PACE_MS } : {}
  const chosen = await (at.makeModel ?? makeModel)(choice, at.env, pace)
  const log = await openLog(asked, at, folder)
  try {
    const head = headOf(chosen, folder, prompt, log)
    const agent = agentOn(log, folder, chosen, secrets)
    return await conduct(agent, prompt, reportFor(show, at, head), at)
  } finally {
    await log.close()
  }
}

const showOn = (at: Surroundings, show: Show): Show =>
  show === 'auto' && at.stdout.isTTY === true ? 'live' : show

const reportFor = (show: Show, at: Surroundings, head: RunHead): Report => {
  if (show === 'live') return liveReport(at, head)
  return show === 'json' ? jsonReport(at, head) : plainReport(at)
}

const folderOf = ({ dir }: RunAsked, at: Surroundings): Promise<Folder> =>
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

const agentOn = (
  log: FileLog,
  folder: Folder,
  { model, retry }: ChosenModel,
  secrets: Secrets,
): Agent =>
  createAgent({
    log,
    model: modelWithout(secrets, model),
    tools: folderTools(folder).map((tool) => toolWithout(secrets, tool)),
    system: SYSTEM,
    retry,
    maxSteps: MAX_STEPS,
    drainGraceMs: DRAIN_GRACE_MS,
  })

const headOf = ({ title }: ChosenModel, folder: Folder, prompt: string, log: FileLog): RunHead => ({
  version: VERSION,
  model: title,
  folder: folder.root,
  prompt,
  logFile: log.file,
  stored: log.length,
})

/** The run itself, from the first quiescence to the disposal of the agent. */
async function conduct(
  agent: Agent,
  prompt: string,
  report: Report,
  at: Surroundings,
): Promise<ExitCode> {
  const interrupts = new Interrupts(agent, at)
  try {
    report.begin(agent)
    await agent.whenIdle()
    const result = await agent.run(prompt)
    await agent.log.flush()
    // Nobody reads on: there is nobody to tell.
    if (interrupts.exitCode !== EXIT.pipeClosed) await report.end(result)
    await written(at.stdout)
    await agent.dispose({ keepInbox: true })
    if (interrupts.outputFault !== undefined) throw interrupts.outputFault
    return interrupts.exitCode ?? codeOf(result)
  } finally {
    interrupts.end()
  }
}

/** Waits until everything was written, or could not be: only then is it known whether the output failed. */
const written = (out: Surroundings['stdout']): Promise<void> =>
  new Promise((done) => {
    out.write('', () => {
      // The error event comes behind this callback.
      setImmediate(done)
    })
  })

/** Only the last turn counts: what came before was worked on further. */
const codeOf = ({ turns }: RunResult): ExitCode =>
  turns.at(-1)?.reason.kind === 'completed' ? EXIT.ok : EXIT.failed
