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

/** A ratio over rounds: its median, and its lowest and highest. */
export interface Ratio {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Middle value; of an even number the lower one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** Ratio of two series that were measured round by round. */
export function ratioOf(values: readonly number[], base: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN))
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) }
}

/** Runs `work` and says what it cost. */
export async function costOf(work: () => Promise<void>): Promise<Cost> {
  collectGarbage()
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  await work()
  const wallUs = Number(process.hrtime.bigint() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { wallUs, cpuUs: user + system }
}

/** Measures every subject once per round, after `warmUp` rounds that do not count. */
export async function rounds<S extends { readonly name: string }>(
  subjects: readonly S[],
  count: number,
  warmUp: number,
  run: (subject: S) => Promise<number>,
): Promise<Map<string, number[]>> {
  const results = new Map(subjects.map(({ name }) => [name, [] as number[]]))
  for (let round = -warmUp; round < count; round++) {
    for (const subject of subjects) {
      const value = await run(subject)
      if (round >= 0) results.get(subject.name)?.push(value)
    }
  }
  return results
}

/** Collects all garbage; needs `--expose-gc`. */
export function collectGarbage(): void {
  ;(globalThis as { gc?: () => void }).gc?.()
}

/** Bytes of the heap in use after garbage collection. */
export function liveHeap(): number {
  // Weak references and finalisers need more than one.
  for (let i = 0; i < 4; i++) collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Lets timers, the disk and immediates have their turn. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
