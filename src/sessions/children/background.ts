/**
 * How work in the background reaches its owner: what the owner is doing decides the verb.
 *
 * B1 Messages of one sender reach the owner in the order in which they were handed in, whatever the verbs.
 * B2 An idle owner is woken so many times in a row; then messages wait as context. A claimed message of a user gives the
 *    wakes back. The count is a fold of the owner's log, so it outlives the process.
 * B3 What is parked stays parked: an owner with a paused queue gets context.
 * B4 An owner that is being disposed gets nothing.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { doorOf } from '../../actors/service-door.ts'
import type { ContentBlock, Source } from '../../events/message.ts'
import { backgroundWakes } from '../../projections/background-wakes.ts'

/** What became of a message: it joins the running turn, woke the owner, waits for the next turn, reached nobody. */
export type Delivery = 'steered' | 'woke' | 'context' | 'undelivered'

/** What is delivered. */
export interface BackgroundMessage {
  /** Who sends it: messages of one sender keep their order. */
  readonly sender: string
  readonly content: string | readonly ContentBlock[]
  /** Default: a plugin with the name of the sender. */
  readonly source?: Source
}

export interface BackgroundOptions {
  /** Wakes of an idle owner in a row. Default 3. */
  readonly maxWakes?: number
}

const MAX_WAKES = 3

/**
 * Tells an owner that work in the background has come to something.
 *
 * @throws what the log refuses the message with; nothing is delivered then.
 */
export function deliverBackground(
  owner: Agent,
  { sender, content, source = { kind: 'plugin', plugin: sender } }: BackgroundMessage,
  { maxWakes = MAX_WAKES }: BackgroundOptions = {},
): Delivery {
  const way = wayTo(owner, maxWakes)
  if (way === 'undelivered') return way
  // Something of the same sender waits for the next turn: what comes behind it must not join this one.
  const behind = owner.inbox.nextTurn.some((entry) => entry.message.source['sender'] === sender)
  const target = way === 'woke' || behind ? 'next-turn' : 'next-step'
  owner.send(
    { content, source: { ...source, sender, background: true } },
    { target, wake: way !== 'context', actor: sender },
  )
  return way
}

function wayTo(owner: Agent, maxWakes: number): Delivery {
  if (doorOf(owner).disposing) return 'undelivered'
  if (owner.status === 'running') return 'steered'
  // A wake would free what a policy holds back: that is for people to do.
  if (owner.parked !== null) return 'context'
  return owner.read(backgroundWakes).count < maxWakes ? 'woke' : 'context'
}
