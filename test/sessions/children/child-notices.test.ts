/** What children tell their parents, and how work in the background wakes an idle owner. */
import { describe, expect, test } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import { backgroundWakes } from '../../../src/projections/background-wakes.ts'
import { deliverBackground } from '../../../src/sessions/children/background.ts'
import type { ChildFinished } from '../../../src/sessions/children/child-port.ts'
import { parseScript } from '../../../src/testing/parse-script.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { childRig, linesOf, sound, streaming } from './rig.ts'

const inserted = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('inbox') && line.includes('+['))

describe('CH-15 a continuable child that settles', () => {
  test('wakes an idle parent with a followup, which is accepted before the child counts as free', async () => {
    const { spawn, parent } = await childRig(['text "seen"'])
    const states: string[] = []
    const run = await spawn(['text "one"'], { continuable: true })
    parent.subscribe({}, ({ type }) => {
      if (type === 'inbox/inserted') states.push(`accepted while ${run.state}`)
    })
    void run.result.then(() => states.push(`known while ${run.state}`))
    expect(await run.result).toMatchObject({ notice: 'woke', output: 'one' })
    await parent.whenIdle()
    expect(states).toEqual(['accepted while running', 'known while free'])
    expect(inserted(linesOf(parent))).toEqual([
      'inbox next-turn @0 +["c has stopped: completed.\n\none" <child>]',
    ])
    expect(linesOf(parent).at(-1)).toBe('turn/end 1 completed')
    sound(run.agent, parent)
  })

  test('steers a busy parent', async () => {
    const { spawn, parent } = await childRig(['text "p" (gated g)', 'text "seen"'])
    parent.followup('P')
    const run = await spawn(['text "one"'], { continuable: true })
    expect(await run.result).toMatchObject({ notice: 'steered' })
    ;(parent.options.model as unknown as { release(gate: string): void }).release('g')
    await parent.whenIdle()
    expect(inserted(linesOf(parent))[1]).toContain('inbox next-step @0 +["c has stopped')
    expect(linesOf(parent).filter((line) => line.startsWith('turn/start'))).toHaveLength(1)
  })

  test('tells a parent that is being disposed nothing; the outcome stays readable on the child', async () => {
    const { spawn, parent } = await childRig()
    const run = await spawn(['hang "partial"'], { continuable: true })
    await streaming(run.agent)
    await parent.dispose()
    expect(run.last).toMatchObject({
      stopReason: 'aborted',
      output: 'partial',
      notice: 'undelivered',
    })
    expect(inserted(linesOf(parent))).toEqual([])
    expect(run.state).toBe('closed')
  })

  test('never overtakes an earlier report, even where the verbs would let it', async () => {
    const { spawn, parent, model } = await childRig()
    Object.assign(parent.options.model as object, model('hang "p"', 'text "two"', 'text "three"'))
    const run = await spawn(['text "one" (gated g)'], { continuable: true })
    parent.followup('P')
    await streaming(parent)
    // An aborted turn stores what wakes under next-turn; the notice comes while the next turn runs.
    parent.listen((notice) => {
      if (notice.type !== 'claimed' || notice.turn !== 2) return
      ;(run.agent.options.model as unknown as { release(gate: string): void }).release('g')
    })
    parent.cancel('user', { keepInbox: true, resume: true })
    parent.followup('Q')
    expect(run.report('half way')).toBe('steered')
    await run.result
    await parent.whenIdle()
    const order = linesOf(parent).filter((line) => /^user\/message .*<child>/s.test(line))
    expect(order.map((line) => line.includes('half way'))).toEqual([true, false])
    sound(parent, run.agent)
  })

  test('takes a second message: a new activation of the same session, with a notice of its own', async () => {
    const { spawn, parent, children } = await childRig(['text x5'])
    const finished: ChildFinished[] = []
    children.onFinished((one) => finished.push(one))
    const run = await spawn(['text "one"', 'text "two"'], { continuable: true, name: 'helper' })
    const first = await run.result
    run.send('B')
    expect(run.state).toBe('running')
    const second = await run.result
    expect([first.output, second.output]).toEqual(['one', 'two'])
    expect(second.turns).toMatchObject([{ turn: 2 }])
    expect(run.id).toBe('c')
    await parent.whenIdle()
    expect(inserted(linesOf(parent))).toHaveLength(2)
    expect(finished).toEqual([
      {
        provider: 'mock',
        agentId: 'helper',
        parent: 'p',
        child: 'c',
        status: 'ok',
        stopReason: 'completed',
        lastAssistantMessage: 'one',
      },
      expect.objectContaining({ lastAssistantMessage: 'two' }),
    ])
  })

  test('tells nobody after it was handed over, and tells its new owner', async () => {
    const { spawn, parent, registry } = await childRig(['text x5'])
    const run = await spawn(['text "one"', 'text "two"'], { continuable: true })
    run.handOver()
    expect(await run.result).toMatchObject({ notice: 'undelivered' })
    const other = await registry.create({ id: 'o', agent: { model: parent.options.model! } })
    run.handOver(other)
    run.send('B')
    expect(await run.result).toMatchObject({ notice: 'woke' })
    await other.whenIdle()
    expect(inserted(linesOf(other))).toHaveLength(1)
  })
})

test('a notice that the parent refuses is told to diagnostics: the outcome is known all the same', async () => {
  const { spawn, parent, diagnostics } = await childRig()
  Object.assign(parent.log, {
    append() {
      throw new Error('disk full')
    },
  })
  const run = await spawn(['text "one"'], { continuable: true })
  expect(await run.result).toMatchObject({ notice: 'undelivered', output: 'one' })
  expect(diagnostics).toContain('disk full')
})

test('a listener of finished children that throws harms nobody', async () => {
  const { spawn, children, diagnostics } = await childRig([], { maxTokensIsOk: true })
  const heard: string[] = []
  children.onFinished(() => {
    throw new Error('listener broke')
  })
  const stop = children.onFinished(({ status, stopReason }) =>
    heard.push(`${status} ${stopReason}`),
  )
  await (
    await spawn(['text "x" finishing max-tokens'])
  ).result
  await (
    await spawn(['error SERVER'], { id: 'c2' })
  ).result
  stop()
  await (
    await spawn(['text "x"'], { id: 'c3' })
  ).result
  expect(heard).toEqual(['ok max-tokens', 'error error'])
  expect(diagnostics).toEqual(['listener broke', 'listener broke', 'listener broke'])
})

const owner = (script: string[]) =>
  createAgent({ id: 'o', model: scriptedModel(script.map((entry) => parseScript(entry))) })

const tell = (agent: ReturnType<typeof owner>, n: number) =>
  deliverBackground(agent, { sender: `job${n}`, content: `job ${n} is done` })

describe('CH-18 work in the background', () => {
  test('wakes an idle owner three times in a row; the fourth waits as context that wakes nobody', async () => {
    const agent = owner(['text x10'])
    const verbs: string[] = []
    for (const n of [1, 2, 3, 4]) {
      verbs.push(tell(agent, n))
      await agent.whenIdle()
    }
    expect(verbs).toEqual(['woke', 'woke', 'woke', 'context'])
    expect(agent.inbox.nextStep).toMatchObject([{ wake: false }])
    expect(linesOf(agent).filter((line) => line.startsWith('turn/start'))).toHaveLength(3)
    await agent.run('hello')
    expect(agent.read(backgroundWakes).count).toBe(0)
    expect(tell(agent, 5)).toBe('woke')
    await agent.whenIdle()
    sound(agent)
  })

  test('steers a busy owner without using its wakes up', async () => {
    const agent = owner(['text (gated g)', 'text x5'])
    agent.followup('hello')
    await settle()
    expect([1, 2, 3, 4, 5].map((n) => tell(agent, n))).toEqual(Array(5).fill('steered'))
    ;(agent.options.model as unknown as { release(gate: string): void }).release('g')
    await agent.whenIdle()
    expect(agent.read(backgroundWakes).count).toBe(0)
  })

  test('is counted by the log: another process goes on counting', async () => {
    const agent = owner(['text x10'])
    for (const n of [1, 2, 3]) {
      tell(agent, n)
      await agent.whenIdle()
    }
    const again = createAgent({ log: agent.log, model: agent.options.model! })
    expect(deliverBackground(again, { sender: 'job4', content: 'done' })).toBe('context')
    expect(deliverBackground(again, { sender: 'job5', content: 'done' }, { maxWakes: 4 })).toBe(
      'woke',
    )
  })

  test('leaves a paused queue alone: it waits as context', async () => {
    const agent = owner(['text x5'])
    agent.followup('A')
    agent.cancel('user', { keepInbox: true })
    agent.send('B')
    agent.cancel('user', { keepInbox: true })
    await agent.whenIdle()
    const { parked } = agent
    expect(parked?.reason).toBe('cancel')
    expect(tell(agent, 1)).toBe('context')
    await agent.whenIdle()
    expect(agent.parked).toEqual(parked)
  })

  test('reaches nobody once the owner is disposed', async () => {
    const agent = owner([])
    await agent.dispose()
    expect(tell(agent, 1)).toBe('undelivered')
  })
})
