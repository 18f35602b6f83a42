/**
 * Abort signals, made only when somebody looks at them: a turn that nobody watches costs none.
 *
 * C1 The reason is the very cause object of the first effective cancel; later causes change nothing.
 * C2 A signal that follows another aborts with the same reason object; it alone may abort earlier, with a timeout.
 *
 * An abort listener that throws is foreign code of the platform's `AbortSignal`: Node reports it as an uncaught
 * exception of the process.
 *
 * @module
 */

/** One abortable activity. */
export class CancelSignal {
  /** Undefined until aborted. */
  reason: object | undefined = undefined
  private controller: AbortController | undefined = undefined
  private followers: Set<CancelSignal> | undefined = undefined
  private readonly leader: CancelSignal | undefined

  /** @param leader - the signal this one follows. */
  constructor(leader?: CancelSignal) {
    this.leader = leader
    if (leader === undefined) return
    if (leader.reason !== undefined) this.reason = leader.reason
    else (leader.followers ??= new Set()).add(this)
  }

  get aborted(): boolean {
    return this.reason !== undefined
  }

  /** The platform's signal, made at the first look. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.reason !== undefined) this.controller.abort(this.reason)
    }
    return this.controller.signal
  }

  /** Aborts once; a second reason changes nothing. */
  abort(reason: object): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.controller?.abort(reason)
    if (this.followers !== undefined) for (const follower of this.followers) follower.abort(reason)
  }

  /** Stops following: what it stood for is over. */
  release(): void {
    this.leader?.followers?.delete(this)
  }
}
