/**
 * Cuts a failing seed down: leaves out one decision after another, as long as the same problem stays.
 *
 * @module
 */
import { differ, simulateBoth } from './fuzz-both.ts'

const FEATURES = [
  'refusals',
  'durability',
  ...[
    'gates',
    'system',
    'context',
    'dispatch',
    'claim',
    'continueAfter',
    'maxSteps',
    'maxStops',
    'maxTurnTokens',
    'maxTurnMs',
    'maxAttempts',
    'maxBarrenTurns',
    'retry',
    'streamIdleMs',
    'drainGraceMs',
    'rejectEmpty',
    'toolTimeoutMs',
    'maxParallelToolCalls',
    'repeatGuard',
    'durability',
    'concurrentRuns',
    'tools',
  ].map((name) => `option ${name}`),
  ...[
    'preStep',
    'request',
    'requestError',
    'stepResult',
    'toolPre',
    'toolPost',
    'continuation',
    'turnStopping',
  ].map((name) => `gate ${name}`),
]

/** The decisions that may be left out while `problem` stays, and what is left of the trace. */
export async function shrink(
  seed: number,
  problem: string,
): Promise<{ off: Set<string>; trace: readonly string[] }> {
  const fails = async (off: ReadonlySet<string>) => {
    const both = await simulateBoth(seed, { off })
    const problems = [...both.table.problems, ...both.stock.problems, ...differ(both)]
    return problems.includes(problem) ? both.table : undefined
  }
  const off = new Set<string>()
  let run = await fails(off)
  if (run === undefined) throw new Error(`seed ${seed} does not fail with: ${problem}`)
  for (let before = -1; off.size !== before;) {
    before = off.size
    const used = run.decisions.filter((name) => !off.has(name))
    for (const name of [...FEATURES.filter((feature) => !off.has(feature)), ...used.toReversed()]) {
      const next = await fails(new Set([...off, name]))
      if (next === undefined) continue
      off.add(name)
      run = next
    }
  }
  return { off, trace: run.trace }
}
