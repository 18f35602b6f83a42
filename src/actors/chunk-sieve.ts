/**
 * What becomes of the chunks of a stream before they are numbered: each an event, some joined to one, or none.
 *
 * Joining changes no text and no order: only deltas of one block that follow each other are joined.
 *
 * @module
 */
import type { Chunk } from '../events/chunk.ts'
import type { AgentOptions, CoalesceOptions } from './agent-options.ts'
import { isWholeFrom, refuseOption } from './read-options.ts'

/** A policy with its numbers. */
export interface ResolvedChunks {
  readonly policy: 'each' | 'coalesce' | 'live'
  readonly everyMs: number
  readonly maxChars: number
}

/** @throws TurnwiseError INVALID_OPTION */
export function resolveChunks(given: AgentOptions['chunks'] = 'each'): ResolvedChunks {
  const { policy, everyMs = 50, maxChars = 4096 } = partsOf(given)
  if (!POLICIES.has(policy)) refuseOption('chunks', 'each, coalesce or live', policy)
  if (!isWholeFrom(1, everyMs)) refuseOption('chunks.everyMs', 'a positive whole number', everyMs)
  if (!isWholeFrom(1, maxChars))
    refuseOption('chunks.maxChars', 'a positive whole number', maxChars)
  return { policy, everyMs, maxChars }
}

const POLICIES: ReadonlySet<unknown> = new Set(['each', 'coalesce', 'live'])

const partsOf = (
  given: NonNullable<AgentOptions['chunks']>,
): Omit<CoalesceOptions, 'policy'> & Pick<ResolvedChunks, 'policy'> =>
  typeof given === 'string' ? { policy: given } : given

type Delta = Extract<Chunk, { text: string }>

/** Takes chunks, and gives on what is to be recorded. */
export class ChunkSieve {
  private readonly options: ResolvedChunks
  private readonly keep: (chunk: Chunk) => void
  private readonly after: (ms: number, fire: () => void) => () => void
  private held: Delta | undefined
  private dropTimer: (() => void) | undefined

  /**
   * @param keep - records a chunk.
   * @param after - calls back inside the mailbox.
   */
  constructor(
    options: ResolvedChunks,
    keep: (chunk: Chunk) => void,
    after: (ms: number, fire: () => void) => () => void,
  ) {
    this.options = options
    this.keep = keep
    this.after = after
  }

  take(chunk: Chunk): void {
    if (this.options.policy !== 'coalesce') this.keep(chunk)
    else if (isDelta(chunk)) this.hold(chunk)
    else {
      this.flush()
      this.keep(chunk)
    }
  }

  /** Gives on what is held. */
  flush(): void {
    this.dropTimer?.()
    this.dropTimer = undefined
    const { held } = this
    this.held = undefined
    if (held !== undefined) this.keep(held)
  }

  private hold(delta: Delta): void {
    const { held } = this
    if (held?.kind === delta.kind && held.block === delta.block) {
      this.held = { ...held, text: held.text + delta.text }
    } else {
      this.flush()
      this.held = delta
      this.dropTimer = this.after(this.options.everyMs, () => {
        this.flush()
      })
    }
    if (this.held.text.length >= this.options.maxChars) this.flush()
  }
}

const isDelta = (chunk: Chunk): chunk is Delta => chunk.kind.endsWith('-delta')
