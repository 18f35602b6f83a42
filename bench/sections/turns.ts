import { costOf, median, ratioOf, rounds } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'
import { comparisons } from '../subjects/index.ts'
import type { Comparison } from '../subjects/index.ts'
import type { Subject } from '../subject.ts'
import { checkSameWork } from '../same-work.ts'
import { W1, W2 } from '../workloads.ts'
import type { Workload } from '../workloads.ts'

const TURNS = 50
/** Sessions of one round, each new. */
const SESSIONS = 6

/** What a turn costs. */
export const turns: Section = {
  name: 'turns',
  title: 'Turns',
  note: `Wall time of a turn, in new sessions of ${TURNS} turns; both sides of a comparison take turns in each round.`,
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
  const { floor, subject, targets } = comparison
  await checkSameWork(comparison, workload, effort.file)
  const count = effort.quick ? 5 : 25
  const results = await rounds([floor, subject], count, effort.quick ? 2 : 6, async (each) => {
    let wallUs = 0
    for (let i = 0; i < SESSIONS; i++) {
      wallUs += await sessionOf(each, workload, effort.file())
    }
    return wallUs / (TURNS * SESSIONS)
  })
  const [base = [], own = []] = [results.get(floor.name), results.get(subject.name)]
  const target = targets[workload.name]
  const what = `${workload.name}: ${workload.what}`
  return [
    { what, subject: floor.name, value: median(base), unit: 'µs' },
    {
      what,
      subject: subject.name,
      value: median(own),
      unit: 'µs',
      ratio: ratioOf(own, base),
      ...(target !== undefined && { target }),
    },
  ]
}

async function sessionOf(subject: Subject, workload: Workload, file: string): Promise<number> {
  const session = await subject.open(workload, file)
  const { wallUs } = await costOf(async () => {
    for (let turn = 0; turn < TURNS; turn++) await session.turn()
  })
  await session.close()
  return wallUs
}
