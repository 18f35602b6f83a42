/**
 * What became of one message: where it was put, taken, said or dropped. Never how a turn went.
 *
 * @module
 */
import type {
  ActorName,
  DiscardReason,
  InboxList,
  InsertionMark,
  StoredEvent,
} from '../events/event.ts'
import type { MessageId } from '../events/message.ts'
import { byType, type Projection } from './projection.ts'

/** One fact about the message; `seq` is that of its event. */
export type LineageFact = { readonly seq: number } & (
  | {
      readonly kind: 'inserted'
      readonly list: InboxList
      readonly wake: boolean
      readonly actor: ActorName
      readonly mark: InsertionMark | null
      /** The messages whose place it took. */
      readonly replaces: readonly MessageId[]
    }
  | {
      readonly kind: 'moved'
      readonly from: InboxList
      readonly to: InboxList
      readonly actor: ActorName
    }
  | { readonly kind: 'replaced'; readonly by: readonly MessageId[]; readonly actor: ActorName }
  | { readonly kind: 'claimed'; readonly turn: number }
  /** `step` is null for the context message of an injection turn. */
  | { readonly kind: 'committed'; readonly turn: number; readonly step: number | null }
  | { readonly kind: 'uncommitted'; readonly turn: number }
  | { readonly kind: 'discarded'; readonly reason: DiscardReason; readonly actor: ActorName }
)

/** Where a message stands: exactly one of its possible fates, or still on its way. */
export type Standing =
  | 'unknown'
  | 'pending'
  | 'claimed'
  | 'committed'
  | 'uncommitted'
  | 'replaced'
  | 'discarded'

export interface Lineage {
  readonly id: MessageId
  readonly standing: Standing
  /** Oldest first; an id that was discarded or left uncommitted may be inserted again. */
  readonly facts: readonly LineageFact[]
}

const add = (state: Lineage, standing: Standing, fact: LineageFact): Lineage => ({
  id: state.id,
  standing,
  facts: [...state.facts, fact],
})

function onInserted(state: Lineage, { seq, data }: StoredEvent<'inbox/inserted'>): Lineage {
  if (data.message.id !== state.id) return state
  const { target: list, wake, actor, mark = null } = data
  return add(state, 'pending', { seq, kind: 'inserted', list, wake, actor, mark, replaces: [] })
}

function onReplaced(state: Lineage, { seq, data }: StoredEvent<'inbox/replaced'>): Lineage {
  const { ids, target: list, wake, actor } = data
  const by = data.messages.map((message) => message.id)
  const out = ids.includes(state.id)
    ? add(state, 'replaced', { seq, kind: 'replaced', by, actor })
    : state
  if (!by.includes(state.id)) return out
  return add(out, 'pending', {
    seq,
    kind: 'inserted',
    list,
    wake,
    actor,
    mark: null,
    replaces: ids,
  })
}

const evolve = byType<Lineage>({
  'inbox/inserted': onInserted,
  'inbox/replaced': onReplaced,
  'inbox/moved': (state, { seq, data: { id, from, to, actor } }) =>
    id === state.id ? add(state, state.standing, { seq, kind: 'moved', from, to, actor }) : state,
  'inbox/claimed': (state, { seq, data: { turn, nextStep, nextTurn } }) =>
    nextStep.includes(state.id) || nextTurn.includes(state.id)
      ? add(state, 'claimed', { seq, kind: 'claimed', turn })
      : state,
  'inbox/discarded': (state, { seq, data: { ids, reason, actor } }) =>
    ids.includes(state.id)
      ? add(state, 'discarded', { seq, kind: 'discarded', reason, actor })
      : state,
  'user/message': (state, { seq, data: { message, turn, step } }) =>
    message.id === state.id
      ? add(state, 'committed', { seq, kind: 'committed', turn, step })
      : state,
  'context/message': (state, { seq, data: { message, turn } }) =>
    message.id === state.id
      ? add(state, 'committed', { seq, kind: 'committed', turn, step: null })
      : state,
  'turn/end': (state, { seq, data: { uncommitted, turn } }) =>
    uncommitted.includes(state.id)
      ? add(state, 'uncommitted', { seq, kind: 'uncommitted', turn })
      : state,
})

/** What became of the message `id`. */
export const lineage = (id: MessageId): Projection<Lineage> => ({
  name: `lineage:${id}`,
  initial: { id, standing: 'unknown', facts: [] },
  evolve,
})
