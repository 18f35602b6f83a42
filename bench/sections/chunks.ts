import { costOf, median, ratioOf, rounds } from '../measure.ts'
import { checkSameWork } from '../same-work.ts'
import type { Effort, Row, Section } from '../section.ts'
import { comparisons } from '../subjects/index.ts'
import type { Comparison } from '../subjects/index.ts'
import { W6, W6_CHUNKS } from '../workloads.ts'

/** What a chunk costs. */
export const chunks: Section = {
  name: 'chunks',
  title: 'Chunks',
  note: 'CPU time of a chunk, garbage collection included, in a new session; every chunk is recorded as an event.',
  run: async (effort) => {
    const rows: Row[] = []
    for (const comparison of comparisons) {
      const target = comparison.targets[W6.name]
      if (target !== undefined) rows.push(...(await compare(comparison, target, effort)))
    }
    return rows
  },
}

async function compare(comparison: Comparison, target: number, effort: Effort): Promise<Row[]> {
  const { floor, subject } = comparison
  await checkSameWork(comparison, W6, effort.file)
  const results = await rounds([floor, subject], effort.quick ? 4 : 12, 3, async (each) => {
    const session = await each.open(W6, effort.file())
    const { cpuUs } = await costOf(() => session.turn())
    await session.close()
    return (cpuUs * 1000) / W6_CHUNKS
  })
  const [base = [], own = []] = [results.get(floor.name), results.get(subject.name)]
  const what = `W6: ${W6.what}`
  const ratio = ratioOf(own, base)
  return [
    { what, subject: floor.name, value: median(base), unit: 'ns' },
    { what, subject: subject.name, value: median(own), unit: 'ns', ratio, target },
  ]
}
