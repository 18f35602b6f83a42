/**
 * A server as a process of one's own: started, spoken to, and ended for certain.
 *
 * W1 Ending goes by rungs, each bounded: shutdown, end of input, SIGTERM, SIGKILL. It resolves when the process is gone.
 * W2 A process that has exited gets no signal.
 *
 * @module
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemClock } from '../../actors/clock.ts'
import { TransportClosedError } from './client-errors.ts'
import type { Streams } from './transport.ts'

/** How a server is started. */
export interface ServerCommand {
  /** The program, such as `turnwise`. */
  readonly command: string
  /** Such as `['serve', '--stdio']`. */
  readonly args?: readonly string[]
  readonly cwd?: string
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv
}

/** Ms for each rung of the ladder. */
export interface Graces {
  /** For the answer to `shutdown`. Default 10 000. */
  readonly shutdownMs?: number
  /** For the exit after the end of its input. Default 5000. */
  readonly inputMs?: number
  /** For the exit after SIGTERM. Default 5000. */
  readonly termMs?: number
}

/** Characters of standard error that are kept for an error message. */
const TAIL = 2000

/** A way to a server, and how it is given up. */
export interface Line {
  readonly streams: Streams
  /** @param shutdown - asks the server to end; its answer may never come. */
  end(shutdown: (() => Promise<unknown>) | undefined): Promise<void>
}

/** Starts a server. @throws Error when there is no such program. */
export async function startServer(
  { command, args = [], cwd, env }: ServerCommand,
  graces: Graces,
): Promise<Line> {
  const child = spawn(command, [...args], {
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const own = new ServerProcess(child, graces)
  await once(child, 'spawn')
  return own
}

class ServerProcess implements Line {
  readonly streams: Streams
  private readonly child: ChildProcessWithoutNullStreams
  private readonly graces: Graces
  private readonly gone: Promise<number | string>
  private exited = false
  private stderr = ''

  constructor(child: ChildProcessWithoutNullStreams, graces: Graces) {
    this.child = child
    this.graces = graces
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.stderr = (this.stderr + piece).slice(-TAIL)
    })
    child.stdin.on('error', () => {})
    // `close` comes when its output was read as well.
    this.gone = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.exited = true
        resolve(code ?? signal ?? 'an unknown end')
      })
    })
    this.streams = { input: child.stdout, output: child.stdin, ended: () => this.ended() }
  }

  async end(shutdown: (() => Promise<unknown>) | undefined): Promise<void> {
    const { child, graces } = this
    if (shutdown !== undefined && !this.exited)
      await within(
        graces.shutdownMs ?? 10_000,
        Promise.race([shutdown().catch(() => {}), this.gone]),
      )
    child.stdin.end()
    if (await this.goneWithin(graces.inputMs ?? 5000)) return
    child.kill('SIGTERM')
    if (await this.goneWithin(graces.termMs ?? 5000)) return
    child.kill('SIGKILL')
    // What it has started may hold its output open; the process itself is gone.
    child.stdout.destroy()
    child.stderr.destroy()
    await this.gone
  }

  private goneWithin(ms: number): Promise<boolean> {
    return within(ms, this.gone)
  }

  private async ended(): Promise<TransportClosedError> {
    const exit = await this.gone
    return new TransportClosedError('the server ended', { exit, stderr: this.stderr })
  }
}

/** Was it over in time? */
export const within = (ms: number, wait: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const drop = systemClock.after(ms, () => resolve(false))
    const over = (): void => {
      drop()
      resolve(true)
    }
    wait.then(over, over)
  })
