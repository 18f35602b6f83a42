/**
 * What the rooms of the explorer are made of.
 *
 * @module
 */
import type { ToolContext } from '../src/index.ts'
import type { ExploreOptions, Hands } from '../src/testing/explore/options.ts'

export const BROKEN = new Error('broken')

/** A body that waits for the explorer; a deaf one does not look at its signal. */
export const body = ({ decide }: Hands, name: string, deaf = false) => ({
  name,
  parallel: name !== 'alone',
  run: (_: never, { signal }: ToolContext) =>
    decide(`body ${name}`, { ok: name, fails: BROKEN }, { signal, deaf }),
})

/** Microtasks in which an answer may be on its way to whoever asked. */
const WAY = 8

/** Makes each microtask in which an answer is on its way a place of its own. */
export function onItsWay(visit: Hands['visit'], answer: string): void {
  let passed = 0
  const pass = (): void => {
    visit(`${answer} on its way`)
    passed += 1
    if (passed < WAY) queueMicrotask(pass)
  }
  queueMicrotask(pass)
}

export const GRACE = { drainGraceMs: 100, streamIdleMs: 0 } as const

/** Ids of a run: the same in every run. */
export function ids(): () => string {
  let made = 0
  return () => `own${(made += 1)}`
}

/** The same with few commands, and few or none inside callbacks: so the search comes to the end. */
export const deep = (
  room: ExploreOptions,
  budgets: ExploreOptions['budgets'] = {},
): ExploreOptions => ({
  ...room,
  budgets: { followup: 1, cancel: 1, dispose: 1, timer: 3, inside: 0, ...budgets },
})
