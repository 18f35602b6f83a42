/**
 * The invariants on a log, and on what else was seen of a run. Faults of the log itself are told in `doctor.test.ts`.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { checkInvariants } from '../../src/testing/check-invariants.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { patient } from './planted-faults.ts'

const rules = (...given: Parameters<typeof checkInvariants>): string[] =>
  checkInvariants(...given).map(({ invariant, rule, seq }) => `${invariant} ${rule} ${seq}`)

const TURN = parseLog([
  'inbox next-turn @0 +["A"]',
  'turn/start 1',
  'inbox next-turn @0 -1 claimed',
  'turn/end 1 completed uncommitted ["A"]',
  'inbox next-turn @0 +["B"]',
])

describe('of a log', () => {
  it('hold for what an agent does, at rest', async () => {
    const bodies: string[] = []
    const tool = {
      name: 't',
      run: (_: never, { call }: { call: { key: string } }) => void bodies.push(call.key),
    }
    const log = createMemoryLog()
    const agent = createAgent({
      log,
      model: scriptedModel(['call c1 t', 'text "x"']),
      tools: [tool],
    })
    const statuses: { status: string; length: number }[] = []
    agent.listen((notice) => {
      if (notice.type === 'status') statuses.push({ status: notice.status, length: log.length })
    })
    await agent.run('A')
    expect(bodies).toHaveLength(1)
    expect(checkInvariants(log, { bodies, statuses, atRest: true })).toEqual([])
  })

  it('what follows an event that may not stand there is not judged', () => {
    const log = patient()
    log.find('step/start', 1).data['step'] = 7
    log.find('turn/end').data['uncommitted'] = ['A']
    const events = log.events.map((event, seq) => ({ ...event, seq })) as never
    expect(rules(events)).toEqual(['I-BRACKET next-step-number 15'])
  })

  it('a late event of a turn that is over breaks I-TERMINAL', () => {
    const late = { seq: 5, time: 0, type: 'step/start', data: { turn: 1, step: 1 } } as const
    expect(rules([...TURN, late])).toEqual(['I-TERMINAL open-turn 5'])
  })
})

describe('of a run', () => {
  it('at rest nothing may be open', () => {
    expect(rules(TURN.slice(0, 3))).toEqual([])
    expect(rules(TURN.slice(0, 3), { atRest: true })).toEqual(['I-BRACKET at-rest 2'])
  })

  it('idle is announced only without waking work that is not parked', () => {
    const statuses = [
      { status: 'running', length: 1 },
      { status: 'idle', length: 4 },
      { status: 'running', length: 5 },
      { status: 'idle', length: 5 },
    ]
    expect(rules(TURN, { statuses })).toEqual(['I-IDLE idle-work 4'])
    const parked = parseLog(['inbox next-turn @0 +["B"]', 'session/opened resume'])
    expect(rules(parked, { statuses: [{ status: 'idle', length: 2 }] })).toEqual([])
  })

  it('announcements alternate', () => {
    const statuses = [
      { status: 'idle', length: 0 },
      { status: 'idle', length: 0 },
    ]
    expect(rules([], { statuses })).toEqual(['I-IDLE status-change null'])
  })

  it('waits settle, and nothing is rejected unheard', () => {
    const record = {
      waiters: [{ settled: true }, { settled: false }],
      rejections: [new Error('x')],
    }
    expect(rules([], record)).toEqual(['I-NOREJECT rejection null', 'I-IDLE waiter null'])
  })

  it('a body runs once, and for a recorded call', () => {
    const events = patient().events.map((event, seq) => ({ ...event, seq })) as never
    const keys = (events as { type: string; data: { call: { key: string } } }[])
      .filter(({ type }) => type === 'tool/call')
      .map(({ data }) => data.call.key)
    expect(rules(events, { bodies: keys })).toEqual([])
    expect(rules(events, { bodies: [...keys, ...keys.slice(0, 1), 'nobody'] })).toEqual([
      'I-EFFECT body-once 9',
      'I-EFFECT body-called null',
    ])
  })
})
