/**
 * Runs one test, and says why it failed.
 *
 * @module
 */
import type { Test } from './suite.ts'

/** Taken before any test could replace it. */
const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: startSoon } = globalThis

/** What was thrown where nobody catches, since it was last asked. */
const stray: unknown[] = []

/** From here on, what nobody catches fails the test that runs. Not at loading: Stryker itself loads this too. */
export function listenForStrays(): void {
  process.on('unhandledRejection', (reason) => stray.push(reason))
  process.on('uncaughtException', (error) => stray.push(error))
}

export type Verdict =
  | { readonly type: 'passed'; readonly ms: number }
  | { readonly type: 'failed'; readonly why: string }
  | { readonly type: 'hung' }

const told = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)

async function play(test: Test): Promise<void> {
  const cleanups: unknown[] = []
  try {
    // eslint-disable-next-line no-await-in-loop -- in their order
    for (const hook of test.before) cleanups.push(await hook())
    await test.body()
  } finally {
    for (const hook of [...test.after, ...cleanups])
      // eslint-disable-next-line no-await-in-loop -- in their order
      if (typeof hook === 'function') await hook()
  }
}

/** @param patience after which a test is given up, in ms */
export async function runTest(test: Test, patience: number): Promise<Verdict> {
  stray.length = 0
  const began = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = startTimer(resolve, patience, 'late' as const)
  })
  try {
    if ((await Promise.race([play(test), late])) === 'late') return { type: 'hung' }
    const ms = performance.now() - began
    // What nobody catches is known a turn of the loop later.
    await new Promise((resolve) => void startSoon(resolve))
    return stray.length === 0
      ? { type: 'passed', ms }
      : { type: 'failed', why: `not caught: ${told(stray[0])}` }
  } catch (error) {
    return { type: 'failed', why: told(error) }
  } finally {
    stopTimer(timer)
  }
}
