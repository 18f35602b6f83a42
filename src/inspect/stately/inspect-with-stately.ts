/**
 * Agents in the Stately inspector: their charts, where each stands, and what moves them, over a WebSocket on this machine.
 *
 * I1 Whatever a viewer or the package does, agents go on: nothing here throws into a run.
 * I2 Messages have a bounded size and hold nothing that anybody said, unless it is asked for.
 * I3 Nothing leaves the machine, and no browser is opened, unless it is asked for.
 *
 * @module
 */
import type { InspectionEvent } from 'xstate'
import type { Agent } from '../../actors/agent-handle.ts'
import { TurnwiseError } from '../../errors.ts'
import { Link, loopbackUrl } from './link.ts'
import { openBrowser } from './open-browser.ts'
import { loadPackages, type Packages } from './packages.ts'
import { Relay } from './relay.ts'
import { Reporter } from './reporter.ts'

/** A server of our own. */
export interface StatelyServer {
  /** Default 0: a free one. */
  readonly port?: number
  /** Opens the page in the browser of this machine; it loads Stately's inspector from stately.ai. Default false. */
  readonly open?: boolean
}

/** Where agents are shown: exactly one of `url` and `server`. */
export type StatelyOptions = {
  /** Events are sent whole, within bounds; by default only their types and words. Contexts are never sent. */
  readonly reveal?: boolean
} & (
  | {
      /** A receiver on this machine, such as `ws://localhost:8080`. It may come later, and come back. */
      readonly url: string
      readonly server?: undefined
    }
  | {
      /** Viewers come to a server of our own. */
      readonly server: StatelyServer | true
      readonly url?: undefined
    }
)

/** Shows agents. */
export interface StatelyInspection {
  /** For `createAgent({ inspect })`, of as many agents as you like. Never throws. */
  readonly inspect: (event: InspectionEvent) => void
  /** The WebSocket that receivers connect to, or that is connected to. */
  readonly url: string
  /** A page with Stately's inspector in it; only with `server`. */
  readonly page?: string
  /**
   * Shows the log of an agent too, as an actor of its own beside the charts, from now on. Chunks are left out.
   *
   * @returns ends that.
   */
  watch(agent: Agent): () => void
  /** Sends what is under way and closes. Agents go on without being seen. May be called twice. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts showing agents to the Stately inspector.
 *
 * It needs the packages `@statelyai/inspect` and `ws`. Whoever can open connections on this machine can read what it shows.
 *
 * @throws TurnwiseError INVALID_OPTION for options that make no sense, and where a package is missing; the system's error
 *   if the port cannot be had.
 */
export async function inspectWithStately(options: StatelyOptions): Promise<StatelyInspection> {
  const target = targetOf(options)
  const packages = await loadPackages()
  const reporter = new Reporter(packages.createInspector, options.reveal === true)
  const { channel, ...where } =
    target instanceof URL
      ? { channel: new Link(target, reporter, packages), url: target.href }
      : await served(target, reporter, packages)
  reporter.tell(channel)
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= reporter.end().then(() => channel.close()))
  return {
    ...where,
    inspect: (event) => {
      reporter.take(event)
    },
    watch: (agent) => reporter.watch(agent),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** @throws TurnwiseError INVALID_OPTION unless there is exactly one. */
function targetOf({ url, server }: Partial<StatelyOptions>): URL | StatelyServer {
  if (url !== undefined && server === undefined) return loopbackUrl(url)
  if (url === undefined && server !== undefined) return server === true ? {} : server
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected one of the options url and server, found ${url === undefined ? 'none' : 'both'}; nothing was opened.`,
  )
}

async function served(
  { port = 0, open = false }: StatelyServer,
  reporter: Reporter,
  packages: Packages,
): Promise<Pick<StatelyInspection, 'url' | 'page'> & { readonly channel: Relay }> {
  const channel = await Relay.open(port, reporter, packages)
  const page = `http://127.0.0.1:${channel.port}/`
  if (open) openBrowser(page)
  return { channel, url: `ws://127.0.0.1:${channel.port}/`, page }
}
