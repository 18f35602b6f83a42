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
  private own: object | undefined = undefined
  private controller: AbortController | undefined = undefined
  /** Those that follow and that somebody looks at. */
  private followers: CancelSignal[] | undefined = undefined
  private joined = false
  private readonly leader: CancelSignal | undefined

  /** @param leader - the signal this one follows, also after its own work is done. */
  constructor(leader?: CancelSignal) {
    this.leader = leader
  }

  /** Undefined until aborted. */
  get reason(): object | undefined {
    return this.own ?? this.leader?.reason
  }

  get aborted(): boolean {
    return this.reason !== undefined
  }

  /** The platform's signal, made at the first look. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      if (this.reason !== undefined) this.controller.abort(this.reason)
      else this.join()
    }
    return this.controller.signal
  }

  /** Somebody looks at it: the leader must tell it. */
  private join(): void {
    const { leader } = this
    if (this.joined || leader === undefined) return
    this.joined = true
    ;(leader.followers ??= []).push(this)
    leader.join()
  }

  /** Aborts once; a second reason changes nothing. */
  abort(reason: object): void {
    if (this.aborted) return
    this.own = reason
    this.controller?.abort(reason)
    for (const follower of this.followers ?? []) follower.follow(reason)
  }

  private follow(reason: object): void {
    if (this.own !== undefined) return
    this.own = reason
    this.controller?.abort(reason)
    for (const follower of this.followers ?? []) follower.follow(reason)
  }
}
