import { costOf, median } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'
import { floor } from '../subjects/floor.ts'
import { inMemory } from '../subjects/turnwise.ts'
import type { Session, Subject } from '../subject.ts'
import { W1 } from '../workloads.ts'

const SLICE = 500
/** Sessions alone, and as many beside others. */
const SESSIONS = 7
/** Highest growth that is allowed. */
const TARGET = 1.2

/** What a turn costs when there is much behind it, or much beside it. */
export const growth: Section = {
  name: 'growth',
  title: 'Growth',
  note: `CPU time of the last ${SLICE} turns of a session divided by that of the first ${SLICE}, and of a turn while other agents are idle divided by that of one alone; medians of repetitions.`,
  run: async (effort) => [
    await withHistory(floor('memory'), effort),
    await withHistory(inMemory, effort),
    await withNeighbours(floor('memory'), effort),
    await withNeighbours(inMemory, effort),
  ],
}

async function withHistory(subject: Subject, { quick, file }: Effort): Promise<Row> {
  const slices = quick ? 4 : 10
  await warmUp(subject, file)
  const ratios: number[] = []
  for (let i = 0; i < (quick ? 2 : 5); i++) {
    const session = await subject.open(W1, file())
    const costs: number[] = []
    for (let slice = 0; slice < slices; slice++) costs.push(await cpuOf(session, SLICE))
    await session.close()
    ratios.push((costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN))
  }
  const what = `W1, ${slices * SLICE} turns in one session`
  return { what, subject: subject.name, value: median(ratios), unit: '×', target: TARGET }
}

async function withNeighbours(subject: Subject, { quick, file }: Effort): Promise<Row> {
  const count = quick ? 500 : 2000
  await warmUp(subject, file)
  const alone: number[] = []
  const beside: number[] = []
  for (let i = 0; i < (quick ? 1 : 3); i++) {
    for (let n = 0; n < SESSIONS; n++) alone.push(await inNewSession(subject, file()))
    const neighbours: Session[] = []
    for (let n = 0; n < count; n++) neighbours.push(await sessionAfter(subject, file(), 1))
    for (let n = 0; n < SESSIONS; n++) beside.push(await inNewSession(subject, file()))
    for (const session of neighbours) await session.close()
  }
  const what = `W1, one turn while ${count} other agents are idle`
  const value = median(beside) / median(alone)
  return { what, subject: subject.name, value, unit: '×', target: TARGET }
}

/** Turns that are still being compiled would look like growth, backwards. */
async function warmUp(subject: Subject, file: () => string): Promise<void> {
  for (let i = 0; i < 20; i++) await (await sessionAfter(subject, file(), SLICE)).close()
}

async function sessionAfter(subject: Subject, file: string, turns: number): Promise<Session> {
  const session = await subject.open(W1, file)
  for (let turn = 0; turn < turns; turn++) await session.turn()
  return session
}

async function inNewSession(subject: Subject, file: string): Promise<number> {
  const session = await subject.open(W1, file)
  const cpuUs = await cpuOf(session, SLICE)
  await session.close()
  return cpuUs
}

async function cpuOf(session: Session, turns: number): Promise<number> {
  const { cpuUs } = await costOf(async () => {
    for (let turn = 0; turn < turns; turn++) await session.turn()
  })
  return cpuUs / turns
}
