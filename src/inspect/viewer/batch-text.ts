/**
 * Collects events into one batch, up to its bounds.
 *
 * @module
 */
import type { Batch } from './log-source.ts'
import { BATCH_CHARACTERS, BATCH_EVENTS } from './wire.ts'

/** A batch in the making. */
export class BatchText {
  private readonly texts: string[] = []
  private characters = 0
  private last = -1

  /** @returns false if it was not taken, because the batch is full. The first event is always taken. */
  add(seq: number, json: string): boolean {
    const { texts } = this
    const full = texts.length === BATCH_EVENTS || this.characters + json.length > BATCH_CHARACTERS
    if (texts.length > 0 && full) return false
    texts.push(json)
    this.characters += json.length
    this.last = seq
    return true
  }

  /** Undefined while nothing was added. */
  get batch(): Batch | undefined {
    const { texts, last } = this
    return texts.length === 0 ? undefined : { json: `[${texts.join(',')}]`, last }
  }
}
