/**
 * What a client is still to be told about one session, in order.
 *
 * Q1 One thing is told at a time; what was put in first is told first.
 * Q2 What fails is contained: the queue goes on. Making what is told and handing it over fail apart, for only the first is
 *    a fault of ours.
 * Q3 Once the client is gone nothing waits for it.
 *
 * @module
 */

/** Where the told goes; failures are told of and change nothing else. */
export interface OutputSink<T> {
  /** Hands over. */
  send(item: T): Promise<void>
  /** Something could not be made. */
  onFailed(error: unknown): void
}

/** One queue. */
export class OutputQueue<T> {
  private readonly sink: OutputSink<T>
  private readonly gone: Promise<void>
  private isGone = false
  private tail = Promise.resolve()

  /** @param gone - resolves when the client is gone. */
  constructor(sink: OutputSink<T>, gone: Promise<void>) {
    this.sink = sink
    this.gone = gone.then(() => {
      this.isGone = true
    })
  }

  /** Puts in what is made when its turn comes. */
  put(make: () => readonly T[] | Promise<readonly T[]>): void {
    this.tail = this.tail.then(() => this.tell(make))
  }

  /** Resolves when everything that was put in so far was told, or there is nobody left to tell. */
  drained(): Promise<void> {
    return this.tail
  }

  private async tell(make: () => readonly T[] | Promise<readonly T[]>): Promise<void> {
    for (const item of await Promise.race([this.made(make), this.nothing()])) {
      if (this.isGone) return
      await Promise.race([this.hand(item), this.gone])
    }
  }

  private async made(make: () => readonly T[] | Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return this.isGone ? [] : await make()
    } catch (error) {
      this.sink.onFailed(error)
      return []
    }
  }

  private nothing(): Promise<readonly T[]> {
    return this.gone.then(() => [])
  }

  private async hand(item: T): Promise<void> {
    try {
      await this.sink.send(item)
    } catch {
      // A client that does not take what it is told harms nobody; its stream tells of it.
    }
  }
}
