/**
 * `turnwise inspect`: serves the viewer for stored logs until it is told to end.
 *
 * I1 Without `--control` it opens no log for writing and runs nothing.
 * I2 What it opened for a command is suspended at its end: what waits stays in the log.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createAgent } from '../actors/agent.ts'
import type { Agent } from '../actors/agent-handle.ts'
import { serveViewer, type Viewer } from '../inspect/viewer/serve-viewer.ts'
import { openFileLog } from '../log/file-log.ts'
import { repairLog } from '../sessions/repair.ts'
import { SetupFault } from './fault.ts'
import { folderAgent } from './folder-agent.ts'
import type { InspectAsked } from './inspect-arguments.ts'
import { folderOf, prepareModel, tellRepair } from './run.command.ts'
import { Secrets } from './secrets.ts'
import type { EndSignal, Surroundings } from './surroundings.ts'
import { EXIT, type ExitCode } from './usage.ts'

/** Serves until it is ended. @throws SetupFault, UsageFault before anything is served. */
export async function inspectCommand(asked: InspectAsked, at: Surroundings): Promise<ExitCode> {
  const place = resolve(at.cwd, asked.place)
  await checkPlace(place, asked.place)
  const ending = new Ending(at)
  const revived = new Revived(asked, at)
  try {
    const viewer = await opened(asked, place, revived)
    try {
      tell(asked, viewer, at)
      return await ending.code
    } finally {
      await viewer.close()
    }
  } finally {
    ending.end()
    await revived.close()
  }
}

async function checkPlace(place: string, asked: string): Promise<void> {
  const found = await stat(place).catch(() => undefined)
  if (found?.isFile() === true || found?.isDirectory() === true) return
  throw new SetupFault(
    'NO_LOG',
    `there is no log and no folder of logs at ${asked}. "turnwise run" makes .turnwise; or name a log.`,
  )
}

async function opened(asked: InspectAsked, place: string, revived: Revived): Promise<Viewer> {
  const { port, control } = asked
  const revive = control ? { revive: (file: string) => revived.open(file) } : {}
  try {
    return await serveViewer({ logs: [place], port, control, ...revive })
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new SetupFault(
      'NO_PORT',
      `port ${port} cannot be had (${code}). Choose another one, or 0.`,
      {
        cause: error,
      },
    )
  }
}

function tell({ json, open, control }: InspectAsked, viewer: Viewer, at: Surroundings): void {
  const { url, port, token } = viewer
  const line = JSON.stringify({ url, port, ...(token !== undefined && { token }) })
  const text = `${url}\n${control ? 'It may command agents. ' : ''}Ctrl-C ends it.`
  at.stdout.write(`${json ? line : text}\n`)
  if (open) openBrowser(url, at)
}

/** What opens an address, by platform; `BROWSER` wins. */
const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function openBrowser(url: string, at: Surroundings): void {
  const { BROWSER } = at.env
  const [program = '', ...words] =
    BROWSER === undefined ? (OPENERS[process.platform] ?? ['xdg-open']) : [BROWSER]
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  child.on('error', (error) => {
    at.stderr.write(
      `turnwise: no browser could be opened (${error.message}); open the address yourself.\n`,
    )
  })
  child.unref()
}

/** The agents that commands have called into life. */
class Revived {
  private readonly at: Surroundings
  private readonly dir: string | undefined
  private readonly chosen: ReturnType<typeof prepareModel>
  private readonly agents: Agent[] = []

  /** @throws UsageFault for a model that makes no sense. */
  constructor({ model, dir }: InspectAsked, at: Surroundings) {
    this.at = at
    this.dir = dir
    this.chosen = prepareModel({ show: 'quiet', ...(model !== undefined && { model }) }, at)
  }

  /** @throws what keeps the session from being opened, such as SESSION_LIVE. */
  async open(file: string): Promise<Agent> {
    const { at } = this
    const chosen = await this.chosen()
    const log = await openFileLog(file)
    try {
      const folder = await folderOf(this.dir ?? log.header.cwd ?? '.', at)
      tellRepair(repairLog(log), log.header.id, at)
      const agent = createAgent({ log, ...folderAgent(folder, chosen, new Secrets(at.env)) })
      this.agents.push(agent)
      return agent
    } catch (error) {
      await log.close()
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.dispose({ keepInbox: true })))
  }
}

const CODES = {
  SIGINT: EXIT.ok,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
} as const satisfies { readonly [signal in EndSignal]: ExitCode }

/** Waits for a signal; a second Ctrl-C ends the process at once. */
class Ending {
  readonly code: Promise<ExitCode>
  private undos: readonly (() => void)[] = []

  constructor(at: Surroundings) {
    let ended = false
    this.code = new Promise((resolvePromise) => {
      this.undos = (Object.keys(CODES) as EndSignal[]).map((signal) =>
        at.onSignal(signal, () => {
          if (ended && signal === 'SIGINT') at.exit(EXIT.interrupted)
          ended = true
          resolvePromise(CODES[signal])
        }),
      )
    })
  }

  end(): void {
    for (const undo of this.undos) undo()
  }
}
