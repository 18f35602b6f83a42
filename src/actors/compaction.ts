/**
 * Replacing a range of the history: the fact that it begins, what stands there instead, and how it ended.
 *
 * X1 What was begun is ended: completed, failed, or aborted with the activity it belongs to, before that ends.
 * X2 A replacement that was aborted or that failed leaves the history as it was.
 * X4 One at a time.
 * X3 A summary cites what it shadows; the events themselves stay in the log.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { EventMap, NewEvent, SeqRange } from '../events/event.ts'
import type { Message, Source } from '../events/message.ts'
import { parseMessage } from '../events/parse-message.ts'
import { entriesWithin } from '../projections/history.ts'
import type { Summarize } from './agent-handle.ts'
import type { Core } from './core.ts'
import { failureOf } from './failures.ts'
import { currentInitiator } from './initiator.ts'

/** Source of summaries that name none. */
const COMPACTION: Source = Object.freeze({ kind: 'plugin', plugin: 'compaction' })

type Ended = Omit<EventMap['compaction/end'], 'turn' | 'range'>

/** One replacement, within the activity that is under way. */
class Compaction {
  private readonly core: Core
  private readonly at: EventMap['compaction/start']
  private over = false

  constructor(core: Core, turn: number | null, range: SeqRange) {
    this.core = core
    this.at = { turn, range }
  }

  /** @throws what the log refuses with. */
  start(): void {
    this.append([{ type: 'compaction/start', data: this.at }])
  }

  /** @returns whether it was still under way. @throws what the log refuses with. */
  complete(message: Message, cites: readonly number[]): boolean {
    if (this.over) return false
    this.over = true
    try {
      this.append([
        { type: 'compaction/summary', data: { ...this.at, message }, cites },
        this.ended({ outcome: 'completed' }),
      ])
    } catch (error) {
      this.over = false
      throw error
    }
    return true
  }

  /** The activity ends while nobody waited for the summary. Called inside a move. */
  cut(): void {
    if (this.over) return
    this.over = true
    this.core.record(this.ended({ outcome: 'aborted' }))
  }

  /** Ends it without a summary; what the log refuses goes to diagnostics. */
  stop(how: Ended): void {
    if (this.over) return
    this.over = true
    this.core.mailbox.command(() => {
      this.core.record(this.ended(how))
    })
  }

  private ended(how: Ended): NewEvent {
    return { type: 'compaction/end', data: { ...this.at, ...how } }
  }

  private append(events: readonly NewEvent[]): void {
    let refusal: { readonly error: unknown } | undefined
    this.core.mailbox.command(() => {
      try {
        this.core.append(events)
      } catch (error) {
        refusal = { error }
      }
    })
    if (refusal !== undefined) throw refusal.error
  }
}

/** Is this called in a gate, or in the maintenance, of the agent itself? */
export function isInside(core: Core): boolean {
  const initiator = currentInitiator()
  if (initiator?.agent !== core.id || !initiator.open) return false
  return initiator.what === 'gate' || initiator.what === 'maintenance'
}

/**
 * Replaces the entries of `range` by what `summarize` says, as a part of the turn or maintenance that is under way.
 *
 * @returns whether the history changed.
 * @throws what `summarize` throws or the log refuses with; the history is as it was then.
 */
export async function compactHistory(
  core: Core,
  range: SeqRange,
  summarize: Summarize,
): Promise<boolean> {
  const { activity } = core
  // The synchronous part of a gate is a move, in which nothing can be appended: begin behind it.
  await Promise.resolve()
  if (core.activity === undefined || core.activity !== activity || core.aborted) return false
  if (activity.compaction !== undefined) throw busy(core.id)
  const hit = entriesWithin(core.history, range)
  if (hit.length === 0) return false
  const { signal } = core.cancel
  const compaction = new Compaction(core, activity.turn, range)
  const abort = (): void => {
    compaction.stop({ outcome: 'aborted' })
  }
  compaction.start()
  activity.compaction = compaction
  signal.addEventListener('abort', abort)
  try {
    const entries = Object.freeze(hit.map(({ entry }) => entry))
    const said = await summarize(entries, signal)
    const message = parseMessage(said, core.settings.ids, COMPACTION)
    return compaction.complete(
      message,
      hit.map(({ seq }) => seq),
    )
  } catch (error) {
    compaction.stop({ outcome: 'failed', failure: failureOf(error) })
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    activity.compaction = undefined
  }
}

const busy = (id: string): TurnwiseError =>
  new TurnwiseError(
    'AGENT_BUSY',
    `expected no other replacement of the history of agent ${id} under way, found one; nothing was begun. Wait for it.`,
  )
