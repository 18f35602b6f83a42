/**
 * Faults seen in agent runtimes, each told as a case and asserted line by line.
 *
 * Cases about cancel, queue, steering and idle stand here; those about models, limits and storage in
 * `testing/field-*.test.ts`.
 */
import { describe, expect, test } from 'vitest'
import { fold } from '../src/projections/projection.ts'
import { history, historyView } from '../src/projections/history.ts'
import { inbox } from '../src/projections/inbox.ts'
import { Latches } from '../src/testing/latches.ts'
import { printRequest } from '../src/testing/print-request.ts'
import { field, failing, gate, message, ok } from './testing/field-stage.ts'

const start = async () => {
  const stage = field({
    model: ["[text('working'), call(c1,slow), finish(tool-calls)]", "[text('ok'), finish(stop)]"],
    tools: { slow: gate('g') },
  })
  const snapshots: string[][] = []
  stage.agent.subscribe({ from: 0 }, ({ type, seq }) => {
    if (type !== 'turn/end') return
    const entries = historyView(fold(history, stage.agent.log.read(0, seq + 1)))
    snapshots.push(printRequest(entries))
  })
  stage.agent.followup(message('m1'))
  await stage.until('slow runs', () => stage.of('tool/call').length === 1)
  stage.agent.cancel('user')
  stage.latches.open('g')
  await stage.agent.whenIdle()
  stage.agent.followup(message('m2'))
  await stage.agent.whenIdle()
  return { ...stage, snapshots }
}

describe('FC01 a cancel while a call is open leaves a replayable history, with the seen text kept', () => {
  test('the turn ends once, as aborted, and c1 has one outcome before the end of the step', async () => {
    const stage = await start()
    const lines = stage.log()
    expect(lines.filter((line) => line.startsWith('turn/end 1'))).toEqual([
      'turn/end 1 aborted:user',
    ])
    const results = lines.filter((line) => line.startsWith('tool/result'))
    expect(results).toEqual(['tool/result 1.1 c1 error:ABORTED'])
    expect(lines.indexOf('step/end 1.1')).toBeGreaterThan(lines.indexOf(results[0] ?? ''))
    stage.check()
  })

  test('the second request holds the text, the call and behind it its outcome', async () => {
    const { model, snapshots } = await start()
    const before = ['user:m1', 'assistant:working | assistant:call c1', 'tool-result c1 error']
    expect(model.requests[1]?.history).toEqual([...before, 'user:m2'])
    expect(snapshots[0]).toEqual(before)
  })
})

test('FC03 not dispatched and unknown are different outcomes, and a late value is written nowhere', async () => {
  let count = 0
  const stage = field({
    maxParallelToolCalls: 1,
    model: ['[call(c1,deaf), call(c2,count), finish(tool-calls)]', '[finish(stop)]'],
    tools: {
      deaf: gate('g'),
      count: () => {
        count += 1
      },
    },
  })
  stage.agent.followup(message('m1'))
  await stage.until('deaf runs', () => stage.of('tool/call').length === 1)
  stage.agent.cancel('user')
  await stage.clock.advance(10_000)
  await stage.agent.whenIdle()
  expect(count).toBe(0)
  const codes = stage
    .of('tool/result')
    .map(({ data }) => [data.call.providerId, (data.outcome as { code?: string }).code])
  expect(codes).toEqual([
    ['c1', 'OUTCOME_UNKNOWN'],
    ['c2', 'ABORTED_BEFORE_DISPATCH'],
  ])
  const length = stage.agent.log.length
  stage.latches.open('g')
  await stage.clock.advance(60_000)
  expect(stage.agent.log.length).toBe(length)
  stage.check()
})

test('FC05 a failing sibling does not cancel independent calls, and the turn goes on', async () => {
  const stage = field({
    model: ['[call(c1,bad), call(c2,good), call(c3,good), finish(tool-calls)]', '[finish(stop)]'],
    tools: { bad: failing('broken'), good: ok('fine') },
  })
  stage.agent.followup(message('m1'))
  await stage.agent.whenIdle()
  expect(stage.log().filter((line) => line.startsWith('tool/result'))).toEqual([
    'tool/result 1.1 c1 error "Error: broken"',
    'tool/result 1.1 c2 ok "fine"',
    'tool/result 1.1 c3 ok "fine"',
  ])
  expect(stage.model.requests).toHaveLength(2)
  stage.check()
})

test('FC09 a repeated id is refused while it is pending and after it was committed, and writes nothing', async () => {
  const stage = field({
    model: ['[call(c1,slow), finish(tool-calls)]', '[finish(stop)]', '[finish(stop)]'],
    tools: { slow: gate('g') },
  })
  const refused = (): void => {
    const before = stage.agent.log.length
    expect(() => stage.agent.followup(message('m2'))).toThrow(
      expect.objectContaining({ code: 'DUPLICATE_ID' }),
    )
    expect(stage.agent.log.length).toBe(before)
  }
  stage.agent.followup(message('m1'))
  stage.agent.followup(message('m2'))
  refused()
  const folded = fold(inbox, stage.agent.log.read())
  expect(stage.agent.inbox.nextTurn).toEqual(folded.nextTurn)
  expect(stage.agent.inbox.nextTurn.map((entry) => entry.message.id)).toEqual(['m2'])
  stage.latches.open('g')
  await stage.agent.whenIdle()
  refused()
  const claims = stage.of('inbox/claimed').filter(({ data }) => data.nextTurn.includes('m2'))
  expect(claims).toHaveLength(1)
  stage.check()
})

test('FC10 two prompts in one tick are two turns in order of acceptance, and hold up no other session', async () => {
  const latches = new Latches()
  const stage = field({
    model: ["text('a')", "text('b')"],
    gates: {
      preStep: async (_question, next) => {
        await latches.wait('p')
        return next()
      },
    },
  })
  const other = field({ id: 's2', model: ["text('other')"] })
  expect(stage.agent.followup(message('m1'))).toBe('m1')
  expect(stage.agent.followup(message('m2'))).toBe('m2')
  other.agent.followup(message('n1'))
  await other.agent.whenIdle()
  expect(other.log().at(-1)).toBe('turn/end 1 completed')
  expect(stage.of('turn/start')).toHaveLength(1)
  latches.open('p')
  await stage.agent.whenIdle()
  expect(stage.log().filter((line) => /^(?:turn|user)/.test(line))).toEqual([
    'turn/start 1',
    'user/message "m1"',
    'turn/end 1 completed',
    'turn/start 2',
    'user/message "m2"',
    'turn/end 2 completed',
  ])
  expect(stage.statuses).toEqual(['running', 'idle'])
  stage.check()
})

test('FC11 a steer joins the running turn before a queued prompt, and skips no call', async () => {
  const stage = field({
    model: [
      '[call(c1,slow), call(c2,fast), finish(tool-calls)]',
      '[finish(stop)]',
      '[finish(stop)]',
    ],
    tools: { slow: gate('g'), fast: ok('fast') },
  })
  stage.agent.followup(message('m1'))
  stage.agent.followup(message('m2'))
  await stage.until('slow runs', () => stage.of('tool/call').length === 1)
  stage.agent.steer(message('s1'))
  stage.latches.open('g')
  await stage.agent.whenIdle()
  expect(
    stage.of('user/message').map(({ data }) => [data.message.id, data.turn, data.step]),
  ).toEqual([
    ['m1', 1, 1],
    ['s1', 1, 2],
    ['m2', 2, 1],
  ])
  expect(stage.of('tool/result').map(({ data }) => data.outcome.kind)).toEqual(['ok', 'ok'])
  stage.check()
})

test('FC12 a passive hint wakes nobody, and joins the next request once, before its prompt', async () => {
  const stage = field({ model: ['[finish(stop)]', '[finish(stop)]'] })
  stage.agent.followup(message('m1'))
  await stage.agent.whenIdle()
  stage.agent.inject(message('h1'))
  await stage.agent.whenIdle()
  expect(stage.agent.status).toBe('idle')
  expect(stage.model.requests).toHaveLength(1)
  stage.agent.followup(message('m2'))
  await stage.agent.whenIdle()
  expect(stage.model.requests[1]?.history).toEqual(['user:m1', 'user<plugin>:h1', 'user:m2'])
  stage.check()
})
