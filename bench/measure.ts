/**
 * Measuring: subjects take turns in rounds, so that what the machine does meanwhile hits all of them, and medians of
 * rounds are compared round by round.
 *
 * @module
 */

/** What one run cost. */
export interface Cost {
  readonly wallUs: number
  /** User and system time of the process, garbage collection and its helpers included. */
  readonly cpuUs: number
}

/** A ratio over rounds: its median and its quartiles. */
export interface Ratio {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Middle value; of an even number the lower one. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Ratio of two series that were measured round by round. */
export function ratioOf(values: readonly number[], base: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN))
  return { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
}

/**
 * Runs `work` and says what it cost.
 *
 * Only the young garbage is collected before: a full collection throws away compiled code as well, and what follows
 * runs several times slower than it would in a program.
 */
export async function costOf(work: () => Promise<void>): Promise<Cost> {
  collectGarbage('minor')
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  await work()
  const wallUs = Number(process.hrtime.bigint() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { wallUs, cpuUs: user + system }
}

/** Measures every subject once per round, after `warmUp` rounds that do not count. */
export async function rounds<S extends { readonly name: string }, V>(
  subjects: readonly S[],
  count: number,
  warmUp: number,
  run: (subject: S) => Promise<V>,
): Promise<Map<string, V[]>> {
  const results = new Map(subjects.map(({ name }) => [name, [] as V[]]))
  for (let round = -warmUp; round < count; round++) {
    for (const subject of subjects) {
      const value = await run(subject)
      if (round >= 0) results.get(subject.name)?.push(value)
    }
  }
  return results
}

/** Collects garbage; needs `--expose-gc`. */
function collectGarbage(type: 'minor' | 'major'): void {
  const { gc } = globalThis as { gc?: (options: { type: string }) => void }
  gc?.({ type })
}

/** Bytes of the heap in use after garbage collection. */
export async function liveHeap(): Promise<number> {
  // Weak references and finalisers need more than one, with macrotasks between them.
  for (let i = 0; i < 5; i++) {
    collectGarbage('major')
    await macrotask()
  }
  return process.memoryUsage().heapUsed
}

/** Lets timers, the disk and immediates have their turn. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
