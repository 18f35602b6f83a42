/**
 * Guards and changes of the lifecycle model: what pends, what is parked, what goes back.
 *
 * @module
 */
import { assign, setup } from 'xstate'
import {
  type Counts,
  type LifecycleEvent,
  NONE,
  plus,
  type Remembered,
  sum,
  wakes,
} from './lifecycle.words.ts'

/** Bounds that keep the graph finite. */
const MOST: Counts = { prompts: 2, steers: 1, notes: 1 }

const fits = ({ prompts, steers, notes }: Counts): boolean =>
  prompts <= MOST.prompts && steers <= MOST.steers && notes <= MOST.notes

const one = (kind: keyof Counts): Counts => ({ ...NONE, [kind]: 1 })

/** Adds a message. A wake frees everything that was parked, also what is still on its way back. */
const add =
  (kind: keyof Counts) =>
  ({ context }: { context: Remembered }): Partial<Remembered> => {
    const pending = plus(context.pending, one(kind))
    if (kind === 'notes') return { pending }
    return {
      pending,
      held: false,
      restores: context.restores === 'held' ? 'free' : context.restores,
    }
  }

/** What pends once everything that goes back is there. */
const restored = ({ pending, batch, restores }: Remembered): Counts =>
  restores === 'no' ? pending : plus(pending, batch)

/** A cancel that lets nothing go on also holds back what an earlier one gives back. */
const holding = (context: Remembered): Partial<Remembered> => ({
  restores: context.restores === 'free' ? 'held' : context.restores,
})

export const parts = setup({
  types: { context: {} as Remembered, events: {} as { readonly type: LifecycleEvent } },
  guards: {
    'has room for a prompt': ({ context }) => restored(context).prompts < MOST.prompts,
    'has room for a steer': ({ context }) => restored(context).steers < MOST.steers,
    'has room for a note': ({ context }) => restored(context).notes < MOST.notes,
    'has room for the batch': ({ context }) => fits(plus(context.pending, context.batch)),
    'has input for the next step': ({ context: { pending } }) => pending.steers + pending.notes > 0,
    'has waking work': ({ context }) =>
      !context.held && context.restores !== 'held' && wakes(restored(context)),
  },
  actions: {
    prompt: assign(add('prompts')),
    steer: assign(add('steers')),
    note: assign(add('notes')),
    claim: assign(({ context: { pending } }) => ({
      batch: { ...pending, prompts: Math.min(pending.prompts, 1) },
      pending: { ...NONE, prompts: Math.max(pending.prompts - 1, 0) },
    })),
    'claim for a step': assign(({ context: { pending } }) => ({
      pending: { ...NONE, prompts: pending.prompts },
    })),
    'forget the batch': assign({ batch: NONE }),
    clear: assign(({ context }) => ({ ...holding(context), pending: NONE, held: false })),
    'clear only': assign({ pending: NONE, held: false }),
    hold: assign(({ context }) => ({ ...holding(context), held: wakes(context.pending) })),
    'give back': assign({ restores: 'free' }),
    'give back, held': assign({ restores: 'held' }),
    'end the turn': assign(({ context }) => ({
      pending: restored(context),
      held: context.held || (context.restores === 'held' && sum(context.batch) > 0),
      batch: NONE,
      restores: 'no',
    })),
  },
})
