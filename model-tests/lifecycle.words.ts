/**
 * What can be done to an agent from outside, and what the lifecycle model remembers of it.
 *
 * @module
 */

/** What a caller can do. */
export const COMMANDS = [
  'followup',
  'steer',
  'inject',
  'inject a turn',
  'clear',
  'cancel',
  'cancel, keep',
  'cancel, restore',
  'abort',
  'abort, restore',
  'dispose',
  'maintain',
] as const

/** What gates, models, tools, tasks and the clock can do. `hop`: the microtasks behind a command have passed. */
export const ANSWERS = [
  'hop',
  'gate enters',
  'gate rejects',
  'gate throws',
  'stop is accepted',
  'stop gate throws',
  'model says',
  'model is cut at its limit',
  'model calls',
  'model fails',
  'model flakes',
  'model hangs',
  'silence',
  'back-off ends',
  'tool returns',
  'tool fails',
  'tool concludes',
  'grace ends',
  'task ends',
] as const

export type LifecycleEvent = (typeof COMMANDS)[number] | (typeof ANSWERS)[number]

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
}

export const NONE: Counts = { prompts: 0, steers: 0, notes: 0 }

export const plus = (a: Counts, b: Counts): Counts => ({
  prompts: a.prompts + b.prompts,
  steers: a.steers + b.steers,
  notes: a.notes + b.notes,
})

export const wakes = ({ prompts, steers }: Counts): boolean => prompts + steers > 0

export const sum = ({ prompts, steers, notes }: Counts): number => prompts + steers + notes
