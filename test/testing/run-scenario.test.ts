/** A scenario passes only if everything in it was understood and is so. */
import { describe, expect, test } from 'vitest'
import { runScenario } from '../../src/testing/scenario/run-scenario.ts'
import type { Scenario } from '../../src/testing/scenario/scenario.ts'

const LOG = [
  'inbox next-turn @0 +["A"]',
  'turn/start 1',
  'inbox next-turn @0 -1 claimed',
  'step/start 1.1',
  'user/message "A"',
  'assistant/message 1.1 "one"',
  'step/end 1.1',
  'turn/end 1 completed',
]

const plain: Scenario = {
  id: 'plain',
  setup: { model: ['text "one"'] },
  commands: [{ when: 'idle', do: 'followup A' }],
  expect: { log: LOG, status: 'idle', statusTrace: ['running', 'idle'], requests: [['user:A']] },
}

test('a case that is so passes, and answers what it showed', async () => {
  const result = await runScenario(plain)
  expect(result).toMatchObject({ ok: true, diffs: [], notUnderstood: [], log: LOG, status: 'idle' })
})

describe('what differs is told', () => {
  test.each([
    ['a line of the log', { log: LOG.with(5, 'assistant/message 1.1 "two"') }, 'log[5]'],
    ['a missing line', { log: LOG.slice(0, -1) }, 'log[7]'],
    ['a status', { status: 'disposed' }, 'status expected'],
    ['the status trace', { statusTrace: ['running'] }, 'statusTrace[1]'],
    ['a request', { requests: [] }, 'requests[0]'],
    ['the inbox', { inbox: { 'next-turn': ['A'], 'next-step': [] } }, 'inbox next-turn[0]'],
    ['an error nobody announced', { liveErrors: ['1.1 boom'] }, 'liveErrors[0]'],
    ['what must not occur', { never: ['turn/end 1'] }, 'never does not hold'],
    ['what must hold besides', { also: ['two running/idle pairs'] }, 'also does not hold'],
    ['an observation', { observed: { bodiesStarted: ['c1'] } }, 'observed.bodiesStarted'],
    ['a result', { result: { finalResponse: 'one' } }, 'no run settled'],
  ])('%s', async (_name, expected, said) => {
    const { ok, diffs } = await runScenario({ ...plain, expect: expected })
    expect(ok).toBe(false)
    expect(diffs.join('\n')).toContain(said)
  })

  test('a stated answer', async () => {
    const commands = [{ when: 'idle', do: 'inbox.remove(A) -> true' }]
    const { diffs } = await runScenario({ id: 'x', commands })
    expect(diffs).toEqual(['inbox.remove(A) answered false, expected true'])
  })

  test('a command that throws although nobody expects it', async () => {
    const commands = [{ when: 'idle', do: 'inject A; inject A' }]
    const { diffs } = await runScenario({ id: 'x', commands })
    expect(diffs.join('\n')).toContain('DUPLICATE_ID'.toLowerCase())
  })

  test('a moment that never comes', async () => {
    const commands = [
      ...(plain.commands ?? []),
      { when: 'inside error listener', do: 'cancel user' },
    ]
    const { diffs } = await runScenario({ ...plain, commands })
    expect(diffs.join('\n')).toContain('never came')
  })
})

describe('what nobody can read counts as not passed', () => {
  test.each([
    ['a hook', { setup: { ...plain.setup, hooks: ['the moon shines'] } }],
    ['a clause of a hook', { setup: { ...plain.setup, hooks: ['preStep sings'] } }],
    ['a tool', { setup: { ...plain.setup, tools: ['t: dances the night away'] } }],
    ['an option', { setup: { ...plain.setup, options: 'fasterThanLight: true' } }],
    ['a model entry', { setup: { model: ['mumble'] } }],
    ['a command', { commands: [{ when: 'idle', do: 'followup A; compact the history' }] }],
    ['a moment', { commands: [...(plain.commands ?? []), { when: 'at dawn', do: 'cancel user' }] }],
    ['an observation', { expect: { ...plain.expect, observed: { mood: 'good' } } }],
    ['a part of the expectation', { expect: { ...plain.expect, weather: 'fine' } }],
  ])('%s', async (_name, part) => {
    const result = await runScenario({ ...plain, ...part })
    expect(result.ok).toBe(false)
    expect(result.notUnderstood).not.toEqual([])
  })

  test('prose that no rule reads is left to a reader, and said so', async () => {
    const also = ['the stars are bright tonight']
    const result = await runScenario({ ...plain, expect: { ...plain.expect, also } })
    expect(result.ok).toBe(true)
    expect(result.unchecked).toEqual(['also: the stars are bright tonight'])
  })
})

test('work that still runs at the end is cancelled and leaves nothing behind', async () => {
  const result = await runScenario({
    id: 'open',
    setup: { model: ['hang "partial"'] },
    commands: [
      { when: 'idle', do: 'followup A' },
      { when: 'model streaming', do: 'check' },
    ],
    expect: { log: LOG.slice(0, 5), status: 'running' },
  })
  expect(result.diffs).toEqual([])
  expect(result.ok).toBe(true)
})

test('other makers of agents and logs may be tried', async () => {
  const made: string[] = []
  const { createMemoryLog } = await import('../../src/log/memory-log.ts')
  const result = await runScenario(plain, {
    createLog(id) {
      made.push(id)
      return createMemoryLog({ id })
    },
  })
  expect(result.ok).toBe(true)
  expect(made).toEqual(['s1'])
})
