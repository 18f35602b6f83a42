/**
 * A connection to a receiver that somebody else runs: it comes back when the receiver does.
 *
 * L1 Trying again never keeps the process alive.
 * L2 A relay forgets its oldest messages, so actors are introduced again before it can forget a definition.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import { farewell } from './farewell.ts'
import { Outlet } from './outlet.ts'
import type { Packages } from './packages.ts'

const RETRY_MS = 1000
/** Relays of @statelyai/inspect keep 200 messages: as many actors as are remembered, and these. */
const INTRODUCE_EVERY = 80
const REPEATED = 60
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** What messages are sent to. */
export interface Channel {
  send(text: string): void
  /** Resolves when nothing of it is left. */
  close(): Promise<void>
}

/** What a channel may ask for. */
export interface Told {
  /** Everything for a viewer that has seen nothing, with at most so many messages about what happened last. */
  greeting(most: number): readonly string[]
  /** Messages that introduce every actor. */
  introductions(): readonly string[]
}

/** @throws TurnwiseError INVALID_OPTION for an address that is none, or not on this machine. */
export function loopbackUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && /^wss?:$/.test(parsed.protocol) && LOOPBACK.test(parsed.hostname)) {
    return parsed
  }
  throw new TurnwiseError(
    'INVALID_OPTION',
    `option url should be a WebSocket on this machine, such as ws://localhost:8080, found ${JSON.stringify(url)}; nothing was opened. Forward a port if the viewer runs elsewhere.`,
  )
}

type Client = InstanceType<Packages['WebSocket']>

/** Keeps a connection to a receiver. */
export class Link implements Channel {
  readonly #url: URL
  readonly #told: Told
  readonly #packages: Packages
  #socket: Client
  #outlet: Outlet | undefined
  #since = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(url: URL, told: Told, packages: Packages) {
    this.#url = url
    this.#told = told
    this.#packages = packages
    this.#socket = this.#open()
  }

  send(text: string): void {
    this.#since += 1
    this.#outlet?.send(text)
    if (this.#since < INTRODUCE_EVERY) return
    this.#since = 0
    for (const introduction of this.#told.introductions()) this.#outlet?.send(introduction)
  }

  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    return farewell(this.#socket)
  }

  #open(): Client {
    const socket = new this.#packages.WebSocket(this.#url)
    socket.on('open', () => {
      this.#outlet = new Outlet(socket, () => this.#told.greeting(REPEATED))
      this.#outlet.greet()
      this.#since = REPEATED
    })
    // A refused connection ends with `close` as well.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#outlet = undefined
      if (this.#closed) return
      this.#retry = setTimeout(() => {
        this.#socket = this.#open()
      }, RETRY_MS)
      this.#retry.unref()
    })
    return socket
  }
}
