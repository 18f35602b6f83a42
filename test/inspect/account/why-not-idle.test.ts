/**
 * The prepared logs: made by real agents, and answering by themselves where they are, why, what was lost, and what to do.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeLog, NAMES } from '../../../examples/logs/make.ts'
import type { StoredEvent } from '../../../src/events/event.ts'
import { budgetsUsed } from '../../../src/inspect/account/budgets-used.ts'
import type { Owner } from '../../../src/inspect/account/glance.ts'
import { standingOf } from '../../../src/inspect/account/standing.ts'
import { whyNotIdle } from '../../../src/inspect/account/why-not-idle.ts'
import { checkLog } from '../../../src/events/enclosure.ts'
import { cancelledAt, RUNS, watched } from './watched-runs.ts'

const file = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../examples/logs', `${name}.jsonl`), 'utf8')

const eventsOf = (name: string): StoredEvent[] =>
  file(name)
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as StoredEvent)

/** What is found in a prepared log, by code. */
function found(name: string, now?: number, owner?: Owner) {
  const findings = whyNotIdle(eventsOf(name), now, owner)
  const codes = findings.map(({ code }) => code)
  const text = (code: string): string => findings.find((one) => one.code === code)?.text ?? ''
  const todo = (code: string): string => findings.find((one) => one.code === code)?.todo ?? ''
  return { codes, text, todo, findings }
}

describe('the prepared logs', () => {
  it.each(NAMES)('%s comes out of a real agent as it lies there', async (name) => {
    expect(await makeLog(name)).toBe(file(name))
    expect(() => checkLog(eventsOf(name))).not.toThrow()
  })

  it('stuck-tool: the second call runs on, everything else waits behind it', () => {
    const now = Date.UTC(2026, 0, 1, 9, 5)
    const { codes, text, todo } = found('stuck-tool', now, 'alive')
    expect(codes).toEqual(['turn-open', 'tool-running', 'queued', 'pending-context'])
    expect(text('turn-open')).toBe(
      'Turn 1 has been open since 2026-01-01 09:00:00.000Z, for 5 min.',
    )
    expect(text('tool-running')).toBe(
      'Tool “search” (call “c2”) of step 1.2 has been running since 2026-01-01 09:00:00.000Z, for 5 min.',
    )
    expect(todo('tool-running')).toContain('cancel: after the drain grace')
    expect(text('queued')).toContain('“Are you still there?”')
    expect(standingOf(eventsOf('stuck-tool'))).toMatchObject({
      agent: { waits: ['running.turning'] },
      turn: { waits: ['open.stepping'] },
      step: { states: expect.arrayContaining(['calling.running']) as unknown },
      open: { turn: 1, step: 2, calls: [{ name: 'search', state: 'called' }] },
    })
  })

  it('stuck-tool, when its process is gone: nothing goes on, and a repair closes it', () => {
    const { codes, text, todo } = found('stuck-tool', undefined, 'gone')
    expect(codes.slice(0, 3)).toEqual(['turn-open', 'owner-gone', 'tool-running'])
    expect(text('tool-running')).toContain('was running when its process ended')
    expect(todo('owner-gone')).toContain('turnwise doctor --repair')
    expect(found('stuck-tool').codes).toContain('owner-unknown')
  })

  it('parked-queue: idle, with two prompts that a cancel holds back until the next wake', () => {
    const { codes, text, todo } = found('parked-queue')
    expect(codes).toEqual([
      'idle',
      'parked',
      'pending-context',
      'turn-aborted',
      'answer-kept',
      'message-kept',
    ])
    expect(text('parked')).toBe(
      '2 messages (“Then translate it.”, “Then send it.”) are parked by a cancel that kept the inbox. Nothing runs until the next wake.',
    )
    expect(todo('parked')).toContain('Send a waking message')
    expect(standingOf(eventsOf('parked-queue')).agent.waits[0]).toBe('idle')
  })

  it('cancelled-in-window: cut while the model streamed; the answer stays, two messages are lost', () => {
    const { codes, text } = found('cancelled-in-window')
    expect(codes).toEqual(['idle', 'turn-aborted', 'answer-kept', 'message-kept', 'message-lost'])
    expect(text('turn-aborted')).toBe(
      'Turn 1 was aborted (user) in window W12 (while the model streamed).',
    )
    expect(text('answer-kept')).toContain('“Once upon a time there was an agent that”')
    expect(text('message-lost')).toBe(
      '2 messages (“And a second one.”, “Make it short.”) are lost: discarded by the cancel before any turn took them.',
    )
  })

  it('crash-repaired: one call may have run, one never did, and the steering waits', () => {
    const { codes, text, todo } = found('crash-repaired')
    expect(codes).toEqual([
      'idle',
      'parked',
      'turn-interrupted',
      'call-unknown',
      'call-not-run',
      'message-kept',
    ])
    expect(text('call-unknown')).toContain('Tool “deploy” (call “c1”) of step 1.1 may have run')
    expect(todo('call-unknown')).toContain('Check what it did')
    expect(text('call-not-run')).toContain('Tool “deploy” (call “c2”) of step 1.1 never ran')
    expect(text('parked')).toContain('opened again without a wake')
  })

  it('approval-waiting: a person is asked, and how to answer', () => {
    const { codes, text, todo } = found('approval-waiting', Date.UTC(2026, 0, 1, 9, 2), 'alive')
    expect(codes).toEqual(['turn-open', 'approval-waiting', 'tool-waiting', 'queued'])
    expect(text('approval-waiting')).toContain('for 2 min. 1 call behind it waits too.')
    expect(todo('approval-waiting')).toContain('agent.approve(')
    expect(standingOf(eventsOf('approval-waiting')).step.waits[0]).toBe('calling.approving')
  })
})

/** The findings of a run that was cancelled at the nth event of a type. */
async function cancelledAfter(type: string, nth = 0) {
  const { agent } = await watched(cancelledAt(1000))
  const at = agent.log.read().filter((event) => event.type === type)[nth]
  const run = await watched(cancelledAt(at?.seq ?? 0))
  return whyNotIdle(run.agent.log.read()).find(({ code }) => code === 'turn-aborted')?.text
}

describe('the window of a cancel', () => {
  it.each([
    ['turn/start', 0, 'W05 (before anything was claimed)'],
    ['inbox/claimed', 0, 'W06, W07, W08 or W09'],
    ['request/failed', 0, 'W11, W12, W14 or W15'],
    ['assistant/chunk', 0, 'W12 (while the model streamed)'],
    ['step/end', 0, 'W08, W09, W20, W21 or W22'],
    ['tool/call', 0, 'W17 (before the body of a call)'],
  ])('after %s #%s is %s', async (type, nth, window) => {
    expect(await cancelledAfter(type, nth)).toContain(`in window ${window}`)
  })

  it('is never without the one in which it was', async () => {
    const { agent } = await watched(cancelledAt(1000))
    for (const { seq } of agent.log.read()) {
      const { sights, agent: cut } = await watched(cancelledAt(seq))
      const cancel = cut.log.read().find(({ type }) => type === 'cancel/requested')
      expect(sights.length).toBeGreaterThan(0)
      if (cancel === undefined) continue
      const text = whyNotIdle(cut.log.read()).find(({ code }) => code === 'turn-aborted')?.text
      expect([undefined, expect.stringMatching(/in window W\d\d/)]).toContainEqual(text)
    }
  })
})

describe('why not idle', () => {
  it('says of an empty log that nothing is pending', () => {
    expect(whyNotIdle([])).toEqual([
      {
        code: 'idle',
        text: 'Nothing runs and nothing is pending: it is idle until the next message.',
      },
    ])
  })

  it('has an answer at every position of every run', async () => {
    for (const run of [...RUNS, cancelledAt(12)]) {
      const { agent } = await watched(run)
      const events = agent.log.read()
      for (let end = 0; end <= events.length; end += 1) {
        const findings = whyNotIdle(events.slice(0, end), undefined, 'alive')
        expect(findings.length).toBeGreaterThan(0)
        expect(findings.filter(({ text }) => /undefined|null|NaN/.test(text))).toEqual([])
      }
    }
  })

  it('tells what the model is doing, or not', async () => {
    const { agent } = await watched(RUNS.find(({ name }) => name === 'a retry') ?? cancelledAt(0))
    const events = agent.log.read()
    const after = (type: string): string | undefined => {
      const at = events.findIndex((event) => event.type === type)
      return whyNotIdle(events.slice(0, at + 1), undefined, 'alive')[1]?.code
    }
    expect(after('user/message')).toBe('model-silent')
    expect(after('assistant/chunk')).toBe('model-streaming')
    expect(after('request/failed')).toBe('backing-off')
    expect(after('assistant/message')).toBe('closing')
    expect(after('step/end')).toBe('between-steps')
    expect(after('inbox/claimed')).toBe('before-step')
  })

  it('keeps foreign words short and on one line', () => {
    const hostile = JSON.stringify(`<script>\n\u202E${'x'.repeat(9999)}`)
    const lines = file('parked-queue').replaceAll('"Then send it."', hostile).trimEnd().split('\n')
    const events = lines.slice(1).map((line) => JSON.parse(line) as StoredEvent)
    for (const { text } of whyNotIdle(events)) {
      expect(text.length).toBeLessThan(400)
      expect(text).not.toMatch(/[\n\u202E]/)
    }
  })
})

describe('budgets used', () => {
  it('counts steps, attempts and tokens of each turn', async () => {
    const { agent } = await watched(RUNS.find(({ name }) => name === 'a retry') ?? cancelledAt(0))
    expect(budgetsUsed(agent.log.read())).toEqual([
      { turn: 1, steps: 1, attempts: 2, tokens: 2, ms: 500, limit: null },
    ])
  })

  it('says at which limit a turn ended', async () => {
    const { agent } = await watched(RUNS.find(({ name }) => name === 'a limit') ?? cancelledAt(0))
    expect(budgetsUsed(agent.log.read())[0]?.limit).toMatchObject({ which: 'steps', allowed: 1 })
  })
})
