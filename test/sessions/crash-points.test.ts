/**
 * A crash at every event of a run: whatever was stored then, the session goes on, and nothing is lost or done twice.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { readLogFile } from '../../src/log/read-log.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { checkInvariants } from '../../src/testing/check-invariants.ts'
import { printRequest } from '../../src/testing/print-request.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { HEADER } from '../support/crashed.ts'
import { house } from './house.ts'

/** The log of one prompt that calls a tool, uncut. */
async function wholeRun(): Promise<readonly StoredEvent[]> {
  const log = createMemoryLog({ header: HEADER })
  const agent = createAgent({
    log,
    model: scriptedModel(['text "look" + call c1 t', 'text "two"']),
    tools: [{ name: 't', run: () => 'ok' }],
    gates: { toolPre: () => ({ kind: 'ask' }) },
  })
  const done = agent.run({ id: 'A', content: 'A' })
  while (
    agent.log.ledger.openCalls().length === 0 ||
    log.at(log.length - 1)?.type !== 'approval/asked'
  )
    await new Promise(setImmediate)
  agent.approve('c1', 'allow')
  await done
  return log.read()
}

/** What became of a message. */
function fatesOf(events: readonly StoredEvent[], id: string): string[] {
  const committed = events.some(
    (event) => event.type === 'user/message' && event.data.message.id === id,
  )
  const named = events.some(
    (event) => event.type === 'turn/end' && event.data.uncommitted.includes(id),
  )
  return [...(committed ? ['committed'] : []), ...(named ? ['uncommitted'] : [])]
}

/** Opens what a crash has left behind the first `length` events, and goes on with a prompt. */
async function afterCrash(events: readonly StoredEvent[], length: number) {
  let bodies = 0
  const tool = { name: 't', run: () => void (bodies += 1) }
  const store = memoryStore([{ header: HEADER, events: events.slice(0, length) }])
  const { registry, model } = house(['text "on"', 'text "on"'], { store, agent: { tools: [tool] } })
  const agent = await registry.resume('s1')
  const requestsBefore = model.requests.length
  const pending = agent.inbox.nextTurn.map(({ message, mark }) => ({ id: message.id, mark }))
  await agent.run({ id: 'B', content: 'B' })
  return { agent, model, bodies, pending, requestsBefore }
}

describe('NW-09', () => {
  it('at every event the session can be resumed and goes on; the log is whole, and no body runs again', async () => {
    const events = await wholeRun()
    expect(events.length).toBeGreaterThan(20)
    for (let length = 0; length <= events.length; length += 1) {
      const { agent, bodies, requestsBefore } = await afterCrash(events, length)
      expect(checkInvariants(agent.log, { atRest: true })).toEqual([])
      expect([length, bodies, requestsBefore]).toEqual([length, 0, 0])
      expect(agent.log.read(0, length)).toEqual(events.slice(0, length))
      expect(fatesOf(agent.log.read(), 'B')).toEqual(['committed'])
    }
  })

  it('at every event behind its insertion A is committed once, or pending again and run', async () => {
    const events = await wholeRun()
    for (let length = 1; length <= events.length; length += 1) {
      const { agent } = await afterCrash(events, length)
      const commits = agent.log
        .read()
        .filter((event) => event.type === 'user/message' && event.data.message.id === 'A')
      expect([length, commits.length]).toEqual([length, 1])
    }
  })

  it('what had been claimed is pending again, marked and unwaking, until the next wake', async () => {
    const events = await wholeRun()
    const claimed = events.findIndex(({ type }) => type === 'inbox/claimed')
    const { pending } = await afterCrash(events, claimed + 1)
    expect(pending).toEqual([{ id: 'A', mark: 'recovered' }])
  })

  it('a request after the crash never holds a call without an outcome', async () => {
    const events = await wholeRun()
    for (let length = 1; length <= events.length; length += 1) {
      const { model } = await afterCrash(events, length)
      const sent = model.requests.at(-1)?.history ?? []
      const calls = sent.filter((entry) => entry.includes('assistant:call'))
      const outcomes = sent.filter((entry) => entry.startsWith('tool-result'))
      expect([length, outcomes.length]).toEqual([length, calls.length])
    }
  })
})

/** A turn whose call was never answered, and a whole one behind it. */
const strayTurn = () => readLogFile(new URL('../logs/stray-turn.jsonl', import.meta.url).pathname)

describe('FC02', () => {
  it('an open call of an earlier turn is found, answered behind its call, and nothing is rewritten', async () => {
    const { header, events } = await strayTurn()
    const { registry, model } = house(['text "three"'], {
      store: memoryStore([{ header, events }]),
    })
    const agent = await registry.resume(header.id)
    expect(agent.log.read(0, events.length)).toEqual(events)
    await agent.run('m3')
    expect(model.requests[0]?.history).toEqual([
      'user:A',
      'assistant:call c1',
      'tool-result c1 error',
      'user:B',
      'assistant:two',
      'user:m3',
    ])
    expect(printRequest(historyView(fold(history, agent.log.read()))).at(-1)).toBe(
      'assistant:three',
    )
  })

  it('opening the same log twice adds nothing the second time', async () => {
    const { registry } = house([], { store: memoryStore([await strayTurn()]) })
    const first = await registry.resume('stray-turn')
    const { length } = first.log
    await first.dispose({ keepInbox: true })
    const second = await registry.resume('stray-turn')
    expect(second.log.length).toBe(length)
  })
})
