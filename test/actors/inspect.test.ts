/**
 * Watching the machines changes nothing: the stock machines run under an inspector, the tables without one, and both
 * write the same log.
 */
import { describe, expect, it, vi } from 'vitest'
import type { InspectionEvent } from 'xstate'
import type { StoredEvent } from '../../src/events/event.ts'
import { script } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, type Rig, rig, type RigOptions, say } from './rig.ts'

/** Runs that come through every part of the three charts. */
const runs: Readonly<
  Record<string, { options: () => RigOptions; drive: (made: Rig) => Promise<void> }>
> = {
  'text, tools and steering': {
    options: () => ({
      model: ['call c1 t + call c2 t', 'text "done"', 'text "more"'],
      tools: [{ name: 't', parallel: true, run: () => 'ok' }],
    }),
    drive: async ({ agent }) => {
      agent.followup(say('A'))
      agent.steer(say('S'))
      agent.followup(say('B'))
      await agent.whenIdle()
    },
  },
  'every gate': {
    options: () => ({
      model: ['error SERVER', 'call c1 t', 'text "again"', 'text "done"'],
      tools: [{ name: 't', run: () => 'ok' }],
      system: ({ step }) => `step ${step}`,
      gates: {
        preStep: (_, next) => next(),
        request: (_, next) => next(),
        requestError: () => ({ action: 'retry', delayMs: 10 }),
        stepResult: (_, next) => next(),
        toolPre: (_, next) => next(),
        toolPost: (_, next) => next(),
        continuation: ({ step }) => (step === 2 ? 'continue' : 'default'),
        turnStopping: () => {},
      },
    }),
    drive: async ({ agent, clock }) => {
      agent.followup(say('A'))
      await clock.advance(100)
      await agent.whenIdle()
    },
  },
  'cancels in the stream, in a tool and in a gate': {
    options: () => ({
      model: [[script.text('half'), script.stall()], 'call c1 held + call c2 held', 'error SERVER'],
      tools: [heldTool('held').tool],
      drainGraceMs: 100,
      retry: { baseMs: 1000, jitter: 0 },
    }),
    drive: async ({ agent, clock }) => {
      for (const text of ['A', 'B', 'C']) {
        agent.followup(say(text))
        await settle(6)
        agent.cancel()
        await clock.advance(100)
        await agent.whenIdle()
      }
    },
  },
  'approvals, answered and cancelled': {
    options: () => ({
      model: ['call c1 t + call c2 t', 'call c3 t'],
      tools: [{ name: 't', parallel: true, run: () => 'ok' }],
      gates: { toolPre: () => ({ kind: 'ask' }) },
    }),
    drive: async ({ agent }) => {
      agent.followup(say('A'))
      await settle(6)
      agent.approve('c1', 'allow')
      agent.approve('c2', 'deny')
      await settle(6)
      agent.cancel()
      await agent.whenIdle()
    },
  },
  'injection turns, maintenance, rejection and truncation': {
    options: () => ({
      model: [[script.call('c1', 't'), script.finish('max-tokens')]],
      tools: [{ name: 't', run: () => 'ok' }],
      gates: {
        preStep: ({ batch }, next) =>
          batch.some(({ id }) => id === 'no') ? { kind: 'reject', reason: 'not this' } : next(),
      },
    }),
    drive: async ({ agent }) => {
      agent.inject(say('I'), { turn: true })
      await agent.whenIdle()
      const task = agent.runMaintenance(() => Promise.resolve())
      agent.followup(say('no'))
      agent.followup(say('yes'))
      await task
      await agent.whenIdle()
    },
  },
}

async function logOf(
  name: string,
  inspect?: (event: InspectionEvent) => void,
): Promise<readonly StoredEvent[]> {
  const { options, drive } = runs[name] ?? runs['every gate']!
  let ids = 0
  const made = rig({
    ...options(),
    ids: () => `m${(ids += 1)}`,
    id: 'same',
    ...(inspect === undefined ? {} : { inspect }),
  })
  await drive(made)
  await finish(made.agent)
  return made.agent.log.read()
}

describe('the log is the same from the tables as from the stock machines', () => {
  it.each(Object.keys(runs))('%s', async (name) => {
    const seen = new Set<string>()
    const stock = await logOf(name, ({ type }) => seen.add(type))
    expect(seen).toContain('@xstate.microstep')
    expect(stock.length).toBeGreaterThan(10)
    expect(await logOf(name)).toEqual(stock)
  })

  it('and whatever an inspector throws', async () => {
    const inspect = vi.fn<() => never>(() => {
      throw new Error('bad inspector')
    })
    const watched = await logOf('every gate', inspect)
    expect(inspect).toHaveBeenCalled()
    expect(await logOf('every gate')).toEqual(watched)
  })
})

describe('an inspector', () => {
  it('sees the actors of agent, turn and step with their states', async () => {
    const states = new Set<string>()
    await logOf('text, tools and steering', (event) => {
      if (event.type !== '@xstate.snapshot') return
      const { id } = event.actorRef as unknown as { id: string }
      states.add(`${id} ${JSON.stringify((event.snapshot as { value?: unknown }).value)}`)
    })
    expect([...states]).toEqual(
      expect.arrayContaining([
        'same {"running":"turning"}',
        'turn {"open":"claiming"}',
        'step "streaming"',
        'step {"calling":"running"}',
        'same "idle"',
      ]),
    )
  })

  it('that throws is told to diagnostics', async () => {
    const { agent, diagnostics, ends } = rig({
      model: ['text "one"'],
      inspect: () => {
        throw new Error('bad inspector')
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(new Set(diagnostics.map(({ kind, message }) => `${kind}: ${message}`))).toEqual(
      new Set(['inspect: bad inspector']),
    )
    await finish(agent)
  })
})
