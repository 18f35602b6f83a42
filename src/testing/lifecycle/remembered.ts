/**
 * What the lifecycle model remembers of an agent, and how that changes. Everything here is pure.
 *
 * Messages are counted by kind and bounded: that keeps the number of paths finite.
 *
 * @module
 */

/** Messages by kind: `prompts` and `steers` wake, `notes` do not. */
export interface Counts {
  readonly prompts: number
  readonly steers: number
  readonly notes: number
}

/** What pends, and what an abort may give back. */
export interface Remembered {
  readonly pending: Counts
  /** What wakes is parked. */
  readonly held: boolean
  /** What the first boundary of the open turn has taken. */
  readonly batch: Counts
  /** The batch goes back when the turn ends: to go on, or parked. */
  readonly restores: 'no' | 'free' | 'held'
  /** Most messages of a kind that pend at a time; never changes. */
  readonly most: Counts
}

/** A condition of a way, named by its function. */
export type Condition<Memory = Remembered> = (remembered: Memory) => boolean
/** What a way changes in what is remembered, named by its function. */
export type Change<Memory = Remembered> = (remembered: Memory) => Partial<Memory>

const NONE: Counts = { prompts: 0, steers: 0, notes: 0 }

/** An agent that was just made. */
export const AT_FIRST: Remembered = {
  pending: NONE,
  held: false,
  batch: NONE,
  restores: 'no',
  most: { prompts: 2, steers: 1, notes: 1 },
}

const plus = (a: Counts, b: Counts): Counts => ({
  prompts: a.prompts + b.prompts,
  steers: a.steers + b.steers,
  notes: a.notes + b.notes,
})

const wakes = ({ prompts, steers }: Counts): boolean => prompts + steers > 0

/** How many messages that is. */
export const sumOf = ({ prompts, steers, notes }: Counts): number => prompts + steers + notes

const fits = ({ prompts, steers, notes }: Counts, most: Counts): boolean =>
  prompts <= most.prompts && steers <= most.steers && notes <= most.notes

/** What pends once everything that goes back is there. */
const restored = ({ pending, batch, restores }: Remembered): Counts =>
  restores === 'no' ? pending : plus(pending, batch)

/** Would a cancel that keeps the queue hold back anything, now or when it goes back? */
export const parksSomething = ({ pending, held, restores }: Remembered): boolean =>
  (!held && wakes(pending)) || restores === 'free'

/** Adds a message. A wake frees everything that was parked, also what is still on its way back. */
function add({ pending, restores }: Remembered, kind: keyof Counts): Partial<Remembered> {
  const added = { pending: plus(pending, { ...NONE, [kind]: 1 }) }
  if (kind === 'notes') return added
  return { ...added, held: false, restores: restores === 'held' ? 'free' : restores }
}

const hasStepInput = ({ pending }: Remembered): boolean => pending.steers + pending.notes > 0

const hasWakingWork = (known: Remembered): boolean =>
  !known.held && known.restores !== 'held' && wakes(restored(known))

/** A cancel that lets nothing go on also holds back what an earlier one gives back. */
const holding = ({ restores }: Remembered): Partial<Remembered> => ({
  restores: restores === 'free' ? 'held' : restores,
})

/** Conditions of the built-in model, by what they say. */
export const conditions = {
  'has room for a prompt': (known) => restored(known).prompts < known.most.prompts,
  'has room for a steer': (known) => restored(known).steers < known.most.steers,
  'has room for a note': (known) => restored(known).notes < known.most.notes,
  'has room for the batch': ({ pending, batch, most }) => fits(plus(pending, batch), most),
  'has input for the next step': (known) => hasStepInput(known),
  'has a prompt': ({ pending }) => pending.prompts > 0,
  'has waking work': (known) => hasWakingWork(known),
  'has both': (known) => hasStepInput(known) && hasWakingWork(known),
} as const satisfies Readonly<Record<string, Condition>>

/** Changes of the built-in model, by what they do. */
export const changes = {
  prompt: (known) => add(known, 'prompts'),
  steer: (known) => add(known, 'steers'),
  note: (known) => add(known, 'notes'),
  claim: ({ pending }) => ({
    batch: { ...pending, prompts: Math.min(pending.prompts, 1) },
    pending: { ...NONE, prompts: Math.max(pending.prompts - 1, 0) },
  }),
  'claim for a step': ({ pending }) => ({ pending: { ...NONE, prompts: pending.prompts } }),
  'forget the batch': () => ({ batch: NONE }),
  clear: (known) => ({ ...holding(known), pending: NONE, held: false }),
  'clear only': () => ({ pending: NONE, held: false }),
  hold: (known) => ({ ...holding(known), held: wakes(known.pending) }),
  'park what waits for a step': ({ pending }) => ({ held: pending.steers > 0 }),
  'give back': () => ({ restores: 'free' }),
  'give back, held': () => ({ restores: 'held' }),
  'end the turn': (known) => ({
    pending: restored(known),
    held: known.held || (known.restores === 'held' && sumOf(known.batch) > 0),
    batch: NONE,
    restores: 'no',
  }),
} as const satisfies Readonly<Record<string, Change>>
