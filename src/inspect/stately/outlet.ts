/**
 * One connection to a viewer: what is sent while it keeps up, and how it catches up when it did not.
 *
 * O1 A viewer that does not read costs a bounded amount of memory: messages are left out, never piled up.
 * O2 When it reads again it is told everything that a new viewer is told, so no definition is lost.
 *
 * @module
 */

/** A socket as far as it is used. */
export interface Socket {
  readonly readyState: number
  readonly bufferedAmount: number
  send(text: string): void
}

const OPEN = 1
/** Bytes that may wait in one socket. */
const FULL = 1 << 20

/** Sends to one viewer. */
export class Outlet {
  readonly #socket: Socket
  readonly #greeting: () => readonly string[]
  #behind = true

  /** @param greeting - everything for a viewer that has seen nothing. */
  constructor(socket: Socket, greeting: () => readonly string[]) {
    this.#socket = socket
    this.#greeting = greeting
  }

  /** Sends a message, or everything where the viewer has missed some; the greeting holds the message already. */
  send(text: string): void {
    if (this.#socket.readyState !== OPEN) return
    if (this.#socket.bufferedAmount > FULL) this.#behind = true
    else if (this.#behind) this.greet()
    else this.#socket.send(text)
  }

  /** Sends everything. */
  greet(): void {
    if (this.#socket.readyState !== OPEN) return
    this.#behind = false
    for (const text of this.#greeting()) this.#socket.send(text)
  }
}
