import { costOf, median, ratioOf, rounds } from '../measure.ts'
import type { Cost } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'
import { comparisons } from '../subjects/index.ts'
import type { Comparison } from '../subjects/index.ts'
import type { Subject } from '../subject.ts'
import { checkSameWork } from '../same-work.ts'
import { W1, W2 } from '../workloads.ts'
import type { Workload } from '../workloads.ts'

const TURNS = 50

/** What a turn costs. */
export const turns: Section = {
  name: 'turns',
  title: 'Turns',
  note: `A turn in new sessions of ${TURNS} turns; the two sides of a comparison alternate. CPU time, or wall time where the disk is waited for.`,
  run: async (effort) => {
    const rows: Row[] = []
    for (const workload of [W1, W2]) {
      for (const comparison of comparisons)
        rows.push(...(await compare(comparison, workload, effort)))
    }
    return rows
  },
}

async function compare(comparison: Comparison, workload: Workload, effort: Effort): Promise<Row[]> {
  const { floor, subject, by, targets } = comparison
  await checkSameWork(comparison, workload, effort.file)
  const disk = by === 'wall'
  // The compiler needs thousands of turns before code of this size is as fast as it gets.
  const [count, warmUp] = disk ? [60, 30] : [200, 150]
  const part = effort.quick ? 4 : 1
  const results = await rounds([floor, subject], count / part, warmUp / part, (each) =>
    sessionOf(each, workload, effort.file()),
  )
  const [base, own] = [floor, subject].map(({ name }) =>
    (results.get(name) ?? []).map(({ wallUs, cpuUs }) => (disk ? wallUs : cpuUs) / TURNS),
  ) as [number[], number[]]
  const target = targets[workload.name]
  const what = `${workload.name}: ${workload.what}`
  const unit = disk ? 'µs' : 'µs CPU'
  return [
    { what, subject: floor.name, value: median(base), unit },
    {
      what,
      subject: subject.name,
      value: median(own),
      unit,
      ratio: ratioOf(own, base),
      ...(target !== undefined && { target }),
    },
  ]
}

async function sessionOf(subject: Subject, workload: Workload, file: string): Promise<Cost> {
  const session = await subject.open(workload, file)
  const cost = await costOf(async () => {
    for (let turn = 0; turn < TURNS; turn++) await session.turn()
  })
  await session.close()
  return cost
}
