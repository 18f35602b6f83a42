import { liveHeap } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'
import { floor } from '../subjects/floor.ts'
import { inMemory } from '../subjects/turnwise.ts'
import type { Session, Subject } from '../subject.ts'
import { W1 } from '../workloads.ts'

const KB = 1024
/** Five turns of one prompt and one answer each. */
const TURNS = 5
/** KB of an idle agent that are not its events and messages. */
const IDLE_TARGET = 8
/** Bytes that a closed session may leave behind; noise of the heap, not more. */
const LEAK_TARGET = 100

/** What agents hold while they are idle, and leave behind when they are gone. */
export const memory: Section = {
  name: 'memory',
  title: 'Memory',
  note: `Heap after garbage collection. An idle agent has ten messages from ${TURNS} turns of W1; what the floor holds for the same events and messages is taken off. Leak: heap after many closed sessions minus heap after some, per session.`,
  run: async (effort) => {
    const base = await perIdle(floor('memory'), effort)
    const own = await perIdle(inMemory, effort)
    const what = 'an idle agent with ten messages'
    return [
      { what, subject: 'floor-mem', value: base / KB, unit: 'KB' },
      { what, subject: inMemory.name, value: own / KB, unit: 'KB' },
      {
        what: 'of which beyond its messages',
        subject: inMemory.name,
        value: (own - base) / KB,
        unit: 'KB',
        target: IDLE_TARGET,
      },
      await leak(inMemory, effort),
    ]
  },
}

async function perIdle(subject: Subject, { quick, file }: Effort): Promise<number> {
  for (let i = 0; i < 50; i++) await (await idle(subject, file())).close()
  const count = quick ? 200 : 1000
  const sessions: Session[] = []
  const before = await liveHeap()
  for (let i = 0; i < count; i++) sessions.push(await idle(subject, file()))
  const bytes = ((await liveHeap()) - before) / count
  for (const session of sessions) await session.close()
  return bytes
}

async function idle(subject: Subject, file: string): Promise<Session> {
  const session = await subject.open(W1, file)
  for (let turn = 0; turn < TURNS; turn++) await session.turn()
  return session
}

async function leak(subject: Subject, { quick, file }: Effort): Promise<Row> {
  const count = quick ? 300 : 2000
  const openAndClose = async (): Promise<void> => {
    for (let i = 0; i < count; i++) await (await idle(subject, file())).close()
  }
  // What is compiled and cached on the way is no leak.
  for (let i = 0; i < 3; i++) await openAndClose()
  const before = await liveHeap()
  await openAndClose()
  const value = Math.max(0, ((await liveHeap()) - before) / count)
  return {
    what: 'left by a closed session',
    subject: subject.name,
    value,
    unit: 'bytes',
    target: LEAK_TARGET,
  }
}
