/** A start that anything may come between, and work that begins while an end is told. */
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { childRig, sound, type ChildRig } from './rig.ts'

/** Microtasks from a start to the end of a short child, and some more. */
const MOMENTS = 70

const microtasks = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await Promise.resolve()
}

type Ending = (rig: ChildRig, stop: AbortController) => unknown

const ENDINGS: Readonly<Record<string, Ending>> = {
  'an abort of its signal': (_rig, stop) => {
    stop.abort(new Error('stop'))
  },
  'a cancel of its parent': ({ parent }) => parent.cancel('user'),
  'a disposal of its parent': ({ parent }) => parent.dispose(),
  'a disposal of the child, as soon as it can be found': ({ children }) =>
    children.get('c')?.agent.dispose(),
}

const turnEnds = ({ log }: Agent): number =>
  log.read().filter(({ type }) => type === 'turn/end').length

/** What is found of the child, and announcements without their counterpart. */
function leftOf({ children, registry, order }: ChildRig, moment: number) {
  const announced = (what: string): number => order.filter((line) => line === `c ${what}`).length
  return {
    moment,
    runs: children.list().length,
    isListed: registry.list().some(({ id }) => id === 'c'),
    sessions: announced('session/created') - announced('session/disposed'),
    agents: announced('agent/created') - announced('agent/disposed'),
  }
}

const nothing = (moment: number) => ({ moment, runs: 0, isListed: false, sessions: 0, agents: 0 })

describe('at any moment of a start', () => {
  it.each(Object.entries(ENDINGS))('%s leaves nothing behind', async (_name, end) => {
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const rig = await childRig(['text x9'])
      const stop = new AbortController()
      const { signal } = stop
      const start = rig.spawn(['text "one"'], { signal, setup: () => microtasks(5) })
      const started = start.catch(() => undefined)
      await microtasks(moment)
      await end(rig, stop)
      const run = await started
      const result = await run?.result
      expect(['completed', 'aborted', undefined]).toContain(result?.stopReason)
      await run?.dispose()
      if (run !== undefined) sound(run.agent)
      expect(leftOf(rig, moment)).toEqual(nothing(moment))
      await rig.parent.dispose()
    }
  })

  it('what ended during its setup is published to nobody', async () => {
    const { spawn, children, order } = await childRig()
    const start = spawn(['text "one"'], { setup: (agent) => void agent.dispose() })
    await expect(start).rejects.toMatchObject({ code: 'AGENT_DISPOSED' })
    expect(children.list()).toEqual([])
    expect(order.filter((line) => line.startsWith('c '))).toEqual([])
  })

  it('a disposal in its own announcement is a cancelled run', async () => {
    const { spawn, registry, children } = await childRig()
    registry.listen((notice) => {
      if (notice.type === 'session-start' && notice.id === 'c') void notice.agent.dispose()
    })
    const run = await spawn(['text "one"'])
    expect(await run.result).toMatchObject({ stopReason: 'aborted', output: '' })
    expect(children.list()).toEqual([])
  })

  it('a prompt that is refused rejects the start: the child is gone, and its parent hears nothing', async () => {
    const { spawn, children, registry, parent } = await childRig()
    const start = spawn(['text "one"'], {
      continuable: true,
      setup: (agent) => void agent.followup({ id: 'A', content: 'first' }),
    })
    await expect(start).rejects.toMatchObject({ code: 'DUPLICATE_ID' })
    expect(children.list()).toEqual([])
    expect(registry.get('c')).toBeUndefined()
    expect(parent.log.length).toBe(0)
  })
})

/** What both pieces of work have come to. */
async function twoResults(rig: ChildRig, start: ReturnType<ChildRig['spawn']>) {
  const run = await start
  const first = await run.result
  const second = await run.result
  await rig.parent.whenIdle()
  await settle()
  expect(run.state).toBe('free')
  sound(run.agent, rig.parent)
  return [first, second].map(({ output, turns }) => ({ output, turns: turns.length }))
}

describe('further work that begins while an end is told', () => {
  const more = { continuable: true, detached: true } as const
  const script = ['text "one"', 'text "two"']

  const TWO = [
    { output: 'one', turns: 1 },
    { output: 'two', turns: 1 },
  ]

  it('in an observer of the notice', async () => {
    const rig = await childRig(['text x9'])
    let sent = false
    rig.parent.subscribe({}, ({ type }) => {
      if (type !== 'inbox/inserted' || sent) return
      sent = true
      rig.children.get('c')?.send('more')
    })
    expect(await twoResults(rig, rig.spawn(script, more))).toEqual(TWO)
  })

  it('in a listener of finished children', async () => {
    const rig = await childRig(['text x9'])
    let sent = false
    rig.children.onFinished(({ child }) => {
      if (sent) return
      sent = true
      rig.children.get(child)?.send('more')
    })
    expect(await twoResults(rig, rig.spawn(script, more))).toEqual(TWO)
  })

  it('where somebody else who waits for it is first, belongs to the work before', async () => {
    const rig = await childRig(['text x9'])
    const run = await rig.spawn(script, {
      ...more,
      setup: (agent) => {
        agent.listen((notice) => {
          if (notice.type !== 'status' || notice.status !== 'running') return
          void agent.whenIdle().then(() => {
            if (turnEnds(agent) === 1) agent.followup('more')
          })
        })
      },
    })
    expect(await run.result).toMatchObject({ output: 'two', turns: [{ turn: 1 }, { turn: 2 }] })
    await rig.parent.whenIdle()
    expect(run.state).toBe('free')
  })
})
