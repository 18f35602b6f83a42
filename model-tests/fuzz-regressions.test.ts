/**
 * Faults that the seeded simulation found around foreign code, each cut down to what it needs and named by its reason.
 *
 * @module
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptedModel } from '../src/testing/scripted-model.ts'
import { settle, virtualClock } from '../src/testing/virtual-clock.ts'
import { agentOf, fullLog, say } from './fuzz-regression-rig.ts'

const uncaught: unknown[] = []
const see = (error: unknown): void => {
  uncaught.push(error)
}
beforeEach(() => {
  uncaught.length = 0
  process.on('unhandledRejection', see)
})
afterEach(() => {
  process.off('unhandledRejection', see)
})

describe('durability', () => {
  it('asking whether the log has something outstanding leaves no rejection behind', async () => {
    const { agent } = agentOf({ log: fullLog(), gates: { preStep: (_, next) => next() } })
    agent.followup('A')
    await agent.whenIdle()
    await agent.dispose().catch(() => {})
    await settle()
    expect(uncaught).toEqual([])
  })

  it('a disposal from inside a gate that cannot write rejects nowhere, and is reported', async () => {
    const told: string[] = []
    let asked: Promise<void> | undefined
    const { agent } = agentOf({
      log: fullLog(),
      durability: 'none',
      onDiagnostic: ({ kind }) => told.push(kind),
      system() {
        asked ??= agent.dispose()
        return 'be kind'
      },
    })
    agent.followup('A')
    await settle()
    expect(agent.status).toBe('disposed')
    await expect(asked).rejects.toMatchObject({ code: 'SELF_WAIT' })
    expect(told).toContain('durability')
    expect(uncaught).toEqual([])
  })
})

describe('nothing is asked in a turn that is over', () => {
  it('a gate that delegates after the cancel reaches no other gate', async () => {
    let release!: () => void
    const waits = new Promise<void>((resolve) => {
      release = resolve
    })
    let reached = 0
    const { agent } = agentOf({
      gates: {
        preStep: [
          async (_, next) => {
            await waits
            return next()
          },
          (_, next) => {
            reached += 1
            return next()
          },
        ],
      },
    })
    agent.followup('A')
    await settle()
    agent.cancel()
    release()
    await agent.whenIdle()
    await settle()
    expect(reached).toBe(0)
  })

  it('no further section of the prompt is assembled after the cancel', async () => {
    let reached = 0
    const { agent } = agentOf({
      system: [
        {
          name: 'first',
          async text() {
            await Promise.resolve()
            agent.cancel()
            return 'first'
          },
        },
        {
          name: 'second',
          text() {
            reached += 1
            return 'second'
          },
        },
      ],
    })
    agent.followup('A')
    await agent.whenIdle()
    await settle()
    expect(reached).toBe(0)
  })

  it('toolPost goes through all its gates while a call drains, and through none after the grace', async () => {
    const clock = virtualClock()
    const doors: (() => void)[] = []
    let second = 0
    const { agent } = agentOf({
      clock,
      drainGraceMs: 10,
      model: scriptedModel(['call c1 t', 'text "done"'], { clock }),
      tools: [{ name: 't', run: () => 'ok' }],
      gates: {
        toolPost: [
          async (_, next) => {
            await new Promise<void>((resolve) => {
              doors.push(resolve)
            })
            return next()
          },
          (_, next) => {
            second += 1
            return next()
          },
        ],
      },
    })
    agent.followup('A')
    await settle()
    agent.cancel()
    await clock.advance(10)
    expect(agent.status).toBe('idle')
    for (const open of doors) open()
    await settle()
    expect(second).toBe(0)
  })
})

describe('foreign parts', () => {
  it('a dispatcher that runs a body twice gets one run', async () => {
    let runs = 0
    const { agent } = agentOf({
      model: scriptedModel(['call c1 t', 'text "done"']),
      tools: [
        {
          name: 't',
          run() {
            runs += 1
            return 'ok'
          },
        },
      ],
      async dispatch(_, body) {
        await body()
        await body()
      },
    })
    agent.followup('A')
    await agent.whenIdle()
    expect(runs).toBe(1)
  })

  it('a subscriber that appends while it catches up is told everything in order', () => {
    const { agent, log } = agentOf({ gates: { preStep: () => new Promise(() => {}) } })
    agent.inject(say('A'))
    agent.inject(say('B'))
    const seen: number[] = []
    agent.subscribe({ from: 0 }, (event) => {
      seen.push(event.seq)
      if (event.seq === 0) agent.inject(say('C'))
    })
    expect(seen).toEqual(log.read().map((event) => event.seq))
  })
})
