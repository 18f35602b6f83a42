/** Child runs: the cases of the contract by their ids, and what section 21 says beside them. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { StoredEvent } from '../../../src/events/event.ts'
import type { TurnReason } from '../../../src/events/message.ts'
import { childWork } from '../../../src/projections/child-work.ts'
import { fold } from '../../../src/projections/projection.ts'
import { settlementOf } from '../../../src/sessions/children/settlement.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { childRig, linesOf, sound, streaming } from './rig.ts'

test('CH-01 a child run owns its whole life: create, prompt, idle, result, dispose', async () => {
  const { spawn, registry, parent, children, order } = await childRig()
  const run = await spawn(['text "one"'])
  expect(await run.result).toMatchObject({ stopReason: 'completed', output: 'one', notice: 'none' })
  expect(run.agent.log.header).toMatchObject({ parent: 'p', depth: 1, cwd: '/home' })
  expect(linesOf(run.agent)).toEqual([
    'inbox next-turn @0 +["A"]',
    'turn/start 1',
    'inbox next-turn @0 -1 claimed',
    'child/descriptor',
    'step/start 1.1',
    'user/message "A"',
    'assistant/message 1.1 "one"',
    'step/end 1.1',
    'turn/end 1 completed',
  ])
  const ids = (): unknown => [
    registry.childrenOf('p').map(({ id }) => id),
    children.list('p').map(({ id }) => id),
  ]
  expect(ids()).toEqual([['c'], ['c']])
  const disposal = run.dispose()
  expect(children.list()).toHaveLength(1)
  await disposal
  expect(ids()).toEqual([[], []])
  expect(order.slice(-2)).toEqual(['c agent/disposed', 'c session/disposed'])
  sound(run.agent, parent)
})

test('CH-01 the descriptor stands behind the other gates of turn 1 and is recorded once', async () => {
  const { spawn, registry } = await childRig()
  const seen: number[] = []
  const descriptors = (): unknown[] =>
    registry
      .get('c')
      ?.log.read()
      .filter(({ type }) => type === 'child/descriptor') ?? []
  const run = await spawn(['text "one"', 'text "two"'], {
    continuable: true,
    agent: {
      gates: {
        preStep: (_question, next) => {
          seen.push(descriptors().length)
          return next()
        },
      },
    },
  })
  await run.result
  run.send('B')
  await run.result
  expect(seen).toEqual([0, 1])
  expect(descriptors()).toMatchObject([
    { data: { child: 'c', descriptor: { parent: 'p', depth: 1, name: 'c', detached: false } } },
  ])
})

test('CH-02 a start with an aborted signal, or one that aborts during setup, rejects and publishes nothing', async () => {
  const { spawn, order, parent, registry, children } = await childRig()
  order.length = 0
  const before = parent.log.length
  const reason = new Error('changed my mind')
  await expect(spawn([], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const giveUp = new AbortController()
  const setup = async (): Promise<void> => {
    giveUp.abort(reason)
    await settle()
  }
  await expect(spawn([], { signal: giveUp.signal, setup })).rejects.toBe(reason)
  expect(order).toEqual([])
  expect(parent.log).toHaveLength(before)
  expect(registry.list()).toEqual([parent])
  expect(children.list()).toEqual([])
  const run = await spawn(['text "one"'])
  expect((await run.result).output).toBe('one')
})

test('CH-02 a cancel of the parent while an attached child is being created gives the start up', async () => {
  const { spawn, parent, order } = await childRig()
  order.length = 0
  const setup = async (): Promise<void> => {
    parent.cancel('user')
    await settle()
  }
  await expect(spawn([], { setup })).rejects.toMatchObject({ kind: 'user' })
  expect(order).toEqual([])
})

test('an abort after publication is a cancelled run, although nothing has run', async () => {
  const { spawn, registry, children } = await childRig()
  const giveUp = new AbortController()
  registry.listen(({ type, id }) => {
    if (type === 'session/created' && id === 'c') giveUp.abort(new Error('too late'))
  })
  const run = await spawn(['text "never"'], { signal: giveUp.signal })
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: '', turns: [] })
  expect(children.get('c')).toBe(run)
  expect(linesOf(run.agent)).toEqual([])
  await run.dispose()
})

test('CH-04 an abort while the child streams: what was said survives', async () => {
  const { spawn } = await childRig()
  const stop = new AbortController()
  const run = await spawn(['hang "partial"'], { signal: stop.signal })
  await streaming(run.agent)
  stop.abort()
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: 'partial' })
  expect(linesOf(run.agent).at(-1)).toBe('turn/end 1 aborted:parent')
  sound(run.agent)
})

const REASONS: readonly [TurnReason | null, string][] = [
  [{ kind: 'completed' }, 'completed'],
  [{ kind: 'max-tokens' }, 'max-tokens'],
  [{ kind: 'aborted', cause: { kind: 'user' } }, 'aborted'],
  [{ kind: 'blocked', by: 'x', reason: 'no' }, 'refusal'],
  [{ kind: 'error', code: 'SERVER', message: 'boom' }, 'error'],
  [{ kind: 'limit', which: 'steps', used: 2, allowed: 2 }, 'limit'],
  [{ kind: 'interrupted' }, 'error'],
  [null, 'error'],
]
test.each(REASONS)(
  'CH-05 the turn that accounts ended %j: the child has stopped as %s',
  (reason, word) => {
    const known = { sessionId: 'c', cancelled: false, liveText: '', capture: undefined }
    const events =
      reason === null
        ? []
        : ([
            { type: 'turn/start', data: { turn: 1 } },
            { type: 'step/start', data: { turn: 1, step: 1 } },
            { type: 'step/end', data: { turn: 1, step: 1 } },
            { type: 'turn/end', data: { turn: 1, reason, uncommitted: [] } },
          ].map((event, seq) => ({ ...event, seq, time: 0 })) as StoredEvent[])
    const work = fold(childWork, events)
    expect(settlementOf(work, known).stopReason).toBe(word)
    const cancelled = settlementOf(work, { ...known, cancelled: true }).stopReason
    expect(cancelled).toBe(word === 'completed' ? 'completed' : 'aborted')
  },
)

test('a cancelled child has not completed if work that it had accepted was dropped', async () => {
  const { spawn } = await childRig()
  const run = await spawn(['text "one"'])
  run.agent.subscribe({}, ({ type }) => {
    if (type === 'step/end') run.agent.followup('B')
    if (type === 'turn/end') run.cancel()
  })
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: 'one' })
})

test('CH-07 a turn that was aborted before its first step counts as aborted', async () => {
  const { spawn } = await childRig()
  const stop = new AbortController()
  const run = await spawn([], {
    signal: stop.signal,
    agent: { gates: { preStep: () => new Promise(() => stop.abort()) } },
  })
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: '' })
  expect(linesOf(run.agent)).not.toContain('child/descriptor')
})

test('CH-08 a child whose prompt was blocked is a refusal', async () => {
  const { spawn } = await childRig()
  const run = await spawn([], {
    agent: { gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } },
  })
  expect(await run.result).toMatchObject({ stopReason: 'refusal', output: '', detail: 'no' })
})

test('the output is the last committed text that is not empty', async () => {
  const { spawn } = await childRig()
  const tools = [{ name: 't', run: () => 'ok' }]
  const run = await spawn(['text "answer" + call c1 t', 'finish stop with usage only'], {
    agent: { tools },
  })
  expect(await run.result).toMatchObject({ stopReason: 'completed', output: 'answer' })
})

test.each(['each', 'live'] as const)(
  'the output is what was streamed where nothing was committed (chunks %s)',
  async (chunks) => {
    const { spawn } = await childRig()
    const run = await spawn(['stream "half" then error SERVER'], { agent: { chunks } })
    expect(await run.result).toMatchObject({
      stopReason: 'error',
      output: 'half',
      detail: 'SERVER: boom',
    })
  },
)

test.each([
  ['answers', 'text "child answer"', 'child answer'],
  ['says nothing', 'finish stop with usage only', ''],
])(
  'CH-10 only what comes after the inherited prefix counts: the child %s',
  async (_name, entry, output) => {
    const { spawn, parent, registry } = await childRig(['text "parent answer"'])
    await parent.run('P')
    const copy = await registry.fork('p', { id: 'copy' })
    for (const where of [{ session: copy.id }, { fork: true, id: 'c2' }] as const) {
      const run = await spawn([entry], where)
      expect(await run.result).toMatchObject({ stopReason: 'completed', output })
      expect((await run.result).turns).toHaveLength(1)
      expect(registry.ownerOf(run.id)).toBe(parent)
      sound(run.agent)
    }
  },
)

test('CH-12 a value that was asked for and never handed in turns completed into error', async () => {
  const { spawn } = await childRig()
  const run = await spawn(['text "no tool"'], { output: z.object({ v: z.number() }) })
  const result = await run.result
  expect(result).toMatchObject({ stopReason: 'error', output: 'no tool' })
  expect(result).not.toHaveProperty('structured')
})

test('CH-12 the captured value is the result, and the tool that takes it ends the turn', async () => {
  const { spawn, model } = await childRig()
  const own = model('call c1 structured_output {v:1}', 'text "never"')
  const run = await spawn([], { output: z.object({ v: z.number() }), agent: { model: own } })
  expect(await run.result).toMatchObject({ stopReason: 'completed', structured: { v: 1 } })
  expect(own.requests).toHaveLength(1)
  expect(own.requests[0]?.request.tools?.map(({ name }) => name)).toEqual(['structured_output'])
})

test('CH-12 a value that the schema refuses is not taken: the model may correct itself', async () => {
  const { spawn } = await childRig()
  const run = await spawn(['call c1 structured_output {v:x}', 'call c2 structured_output {v:2}'], {
    output: z.object({ v: z.number() }),
  })
  expect(await run.result).toMatchObject({ stopReason: 'completed', structured: { v: 2 } })
})
