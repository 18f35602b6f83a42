import { readFileSync, statSync } from 'node:fs'
import { createAgent } from '../../src/actors/agent.ts'
import { createFileLog, openFileLog } from '../../src/log/file-log.ts'
import { costOf, median, ratioOf, rounds } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'
import { W2 } from '../workloads.ts'

/** Ratio to reading and parsing. */
const TARGET = 1.5

/** What it takes to go on with a stored session. */
export const resume: Section = {
  name: 'resume',
  title: 'Resume',
  note: 'CPU time until an agent stands on a stored log of W2, against reading the file and parsing each line.',
  run: async (effort) => {
    const { quick } = effort
    const { file, events } = await stored(effort, quick ? 20_000 : 100_000)
    const sides = [
      { name: 'read and parse', work: () => readAndParse(file) },
      { name: 'turnwise', work: () => standUp(file) },
    ]
    const results = await rounds(sides, quick ? 5 : 11, 2, async ({ work }) => {
      const { cpuUs } = await costOf(work)
      return cpuUs / 1000
    })
    const what = `${events} events, ${(statSync(file).size / 1e6).toFixed(1)} MB`
    const [base = [], own = []] = sides.map(({ name }) => results.get(name))
    const rows: Row[] = [
      { what, subject: 'read and parse', value: median(base), unit: 'ms CPU' },
      {
        what,
        subject: 'turnwise',
        value: median(own),
        unit: 'ms CPU',
        ratio: ratioOf(own, base),
        target: TARGET,
      },
    ]
    return rows
  },
}

async function stored(
  { file }: Effort,
  atLeast: number,
): Promise<{ file: string; events: number }> {
  const path = file()
  const log = await createFileLog(path, { durability: 'none' })
  const { tools } = W2
  const agent = createAgent({ log, model: W2.model(), tools, durability: 'none' })
  while (log.length < atLeast) {
    agent.followup('go on')
    await agent.whenIdle()
  }
  const events = log.length
  await agent.dispose()
  await log.close()
  return { file: path, events }
}

let kept: unknown

async function readAndParse(file: string): Promise<void> {
  const lines = readFileSync(file, 'utf8').split('\n')
  kept = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
}

async function standUp(file: string): Promise<void> {
  const log = await openFileLog(file, { durability: 'none' })
  const agent = createAgent({ log, model: W2.model(), tools: W2.tools, durability: 'none' })
  if (agent.status !== 'idle' || kept === undefined) throw new Error('it does not stand')
  await log.close()
}
