/**
 * Before anything is timed: did both sides do the same work?
 *
 * @module
 */
import type { Comparison } from './subjects/index.ts'
import type { KeptEvent, Subject } from './subject.ts'
import type { Workload } from './workloads.ts'

const TURNS = 3
/** Ids are random on both sides. */
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu

/**
 * Runs three turns on both sides and compares every event with its payload, and how often the disk was waited for.
 *
 * @throws Error with the first difference.
 */
export async function checkSameWork(
  { floor, subject }: Comparison,
  workload: Workload,
  file: () => string,
): Promise<void> {
  const turns = workload.name === 'W6' ? 1 : TURNS
  const [expected, found] = [
    await lines(floor, workload, file(), turns),
    await lines(subject, workload, file(), turns),
  ]
  const at = expected.findIndex((line, i) => line !== found[i])
  if (at === -1 && expected.length === found.length) return
  throw new Error(
    `${subject.name} does other work than ${floor.name} on ${workload.name}:\n- ${expected[at] ?? 'nothing'}\n+ ${found[at] ?? 'nothing'}`,
  )
}

async function lines(
  subject: Subject,
  workload: Workload,
  file: string,
  turns: number,
): Promise<string[]> {
  const session = await subject.open(workload, file)
  for (let i = 0; i < turns; i++) await session.turn()
  const events = session.events?.().map(textOf) ?? []
  const syncs = session.syncs?.() ?? 0
  await session.close()
  return [...events, `${syncs} waits for the disk`]
}

const textOf = ({ type, data, cites = [] }: KeptEvent): string =>
  JSON.stringify([type, data, cites]).replace(IDS, 'id')
