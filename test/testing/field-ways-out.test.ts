/** Faults around leaving the running state: waiters that never settle, status that flickers, records that are lost. */
import { describe, expect, test } from 'vitest'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { Latches } from '../../src/testing/latches.ts'
import { Refusals, refusingLog } from '../../src/testing/scenario/refusing-log.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { field, gate, message, type FieldOptions, type FieldStage } from './field-stage.ts'

const waitsForSignal = ({ signal }: { signal: AbortSignal }): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve())
  })

interface WayOut {
  readonly options: FieldOptions
  readonly end: RegExp
  /** Leaves the running state by that way. */
  readonly leave?: (stage: FieldStage) => Promise<unknown>
}

const cancelWhen =
  (what: string, came: (stage: FieldStage) => boolean) => async (stage: FieldStage) => {
    await stage.until(what, () => came(stage))
    stage.agent.cancel('user')
  }

const WAYS: Readonly<Record<string, WayOut>> = {
  completed: { options: { model: ["text('a')"] }, end: /completed/ },
  'aborted in the model': {
    options: { model: ["[text('a'), stall()]"] },
    end: /aborted:user/,
    leave: cancelWhen('a chunk', (stage) => stage.of('assistant/chunk').length > 1),
  },
  'aborted in a tool': {
    options: { model: ['[call(c1,t)]'], tools: { t: waitsForSignal } },
    end: /aborted:user/,
    leave: cancelWhen('a call', (stage) => stage.of('tool/call').length === 1),
  },
  'refused by a gate': {
    options: { model: [], gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } },
    end: /blocked/,
  },
  'a model error': { options: { model: ['[fail(SERVER)]'] }, end: /error:SERVER/ },
  'the step limit': {
    options: { model: ['[call(c1,t)]'], tools: { t: () => 'ok' }, maxSteps: 1 },
    end: /limit:steps/,
  },
  dispose: {
    options: { model: ["[text('a'), stall()]"] },
    end: /aborted:disposed/,
    async leave(stage) {
      await stage.until('a chunk', () => stage.of('assistant/chunk').length > 1)
      void stage.agent.dispose()
    },
  },
}

describe('FC15 every waiter settles once on every way out, in the macrotask of the last fact', () => {
  test.each(Object.entries(WAYS))('%s', async (_name, { options, end, leave }) => {
    const stage = field(options)
    const settled: string[] = []
    const wait = (name: string): void => {
      void stage.agent.whenIdle().then(() => settled.push(name))
    }
    let inTime: string[] | undefined
    stage.agent.subscribe({ from: 0 }, ({ type }) => {
      if (type === 'turn/end') setImmediate(() => (inTime = [...settled]))
    })
    stage.agent.followup(message('m1'))
    wait('before')
    await leave?.(stage)
    wait('during')
    await stage.until('the last fact', () => inTime !== undefined)
    expect(inTime).toEqual(['before', 'during'])
    await settle()
    expect(settled).toEqual(['before', 'during'])
    expect(stage.log().at(-1)).toMatch(end)
    expect(stage.statuses.slice(0, 2)).toEqual(['running', 'idle'])
    stage.check()
  })
})

const slowStore = () => {
  const refusals = new Refusals()
  const latches = new Latches()
  refusals.add({
    refuses: () => true,
    message: () => 'store broke',
    wait: () => latches.wait('store'),
  })
  return { log: refusingLog(createMemoryLog({ id: 's1' }), refusals), latches }
}

describe('R03 closing while running loses no record', () => {
  test('dispose resolves only after the last append is acknowledged', async () => {
    const { log, latches } = slowStore()
    const stage = field({ log, durability: 'none', model: ["[text('a'), stall()]"] })
    stage.agent.followup(message('m1'))
    await stage.until('a chunk', () => stage.of('assistant/chunk').length > 1)
    let resolved = false
    const disposed = stage.agent.dispose().then(() => (resolved = true))
    await stage.until('the turn ends', () => stage.of('turn/end').length === 1)
    await settle()
    expect(resolved).toBe(false)
    latches.open('store')
    await disposed
    expect(stage.log().at(-1)).toBe('turn/end 1 aborted:disposed')
    expect(stage.agent.status).toBe('disposed')
    stage.check()
  })

  test('it fails loudly where the store does, and the agent is disposed all the same', async () => {
    const refusals = new Refusals()
    refusals.add({ refuses: () => true, message: () => 'store broke' })
    const log = refusingLog(createMemoryLog({ id: 's1' }), refusals)
    const stage = field({ log, durability: 'none', model: ["text('a')"] })
    stage.agent.followup(message('m1'))
    await stage.until('the turn ends', () => stage.of('turn/end').length === 1)
    await expect(stage.agent.dispose()).rejects.toThrow('store broke')
    expect(stage.agent.status).toBe('disposed')
  })
})

describe('R06 a reader that joins in the middle', () => {
  test('receives every event from its position once and in order, then live ones', async () => {
    const stage = field({ model: ['[call(c1,t)]', "text('done')"], tools: { t: gate('g') } })
    stage.agent.followup(message('m1'))
    await stage.until('the tool runs', () => stage.of('tool/call').length === 1)
    const late: number[] = []
    stage.agent.subscribe({ from: 3 }, ({ seq }) => late.push(seq))
    expect(late).toEqual(stage.events.slice(3).map(({ seq }) => seq))
    stage.latches.open('g')
    await stage.agent.whenIdle()
    expect(late).toEqual(stage.events.slice(3).map(({ seq }) => seq))
    stage.check()
  })

  test('tells transient items from durable ones: they have no position', async () => {
    const stage = field({ model: ["text('a')"] })
    const notices: object[] = []
    stage.agent.listen((notice) => notices.push(notice))
    stage.agent.followup(message('m1'))
    await stage.agent.whenIdle()
    expect(notices.length).toBeGreaterThan(0)
    expect(notices.every((notice) => !('seq' in notice))).toBe(true)
    expect(stage.events.every((event, i) => event.seq === i)).toBe(true)
  })

  test('is refused with CURSOR_TOO_OLD at a position that the log no longer holds', () => {
    const log = refusingLog(createMemoryLog({ id: 's1' }), new Refusals())
    const { agent } = field({ model: [], log })
    agent.inject(message('h1'))
    log.at = () => undefined
    expect(() => agent.subscribe({ from: 0 }, () => {})).toThrow(
      expect.objectContaining({ code: 'CURSOR_TOO_OLD' }),
    )
  })
})

describe('R10 maintenance and input at the same time', () => {
  test('one task at a time, and input waits for it', async () => {
    const stage = field({ model: ["text('a')"] })
    const task = stage.agent.runMaintenance(() => stage.latches.wait('g'))
    expect(() => stage.agent.runMaintenance(() => 1)).toThrow(
      expect.objectContaining({ code: 'AGENT_BUSY' }),
    )
    stage.agent.followup(message('m1'))
    await settle()
    expect(stage.of('turn/start')).toHaveLength(0)
    stage.latches.open('g')
    await task
    await stage.agent.whenIdle()
    expect(stage.log().at(-1)).toBe('turn/end 1 completed')
    stage.check()
  })

  test('a failed one ends with its own reason and is not tried again', async () => {
    const stage = field({ model: [] })
    let runs = 0
    const task = stage.agent.runMaintenance(() => {
      runs += 1
      return Promise.reject(new Error('no space'))
    })
    await expect(task).rejects.toThrow('no space')
    await stage.agent.whenIdle()
    await settle()
    expect(runs).toBe(1)
    expect(stage.agent.activity).toBe('idle')
    expect(stage.clock.timers).toBe(0)
  })

  test('a cancel reaches the task by its signal, with the cause', async () => {
    const stage = field({ model: [] })
    const task = stage.agent.runMaintenance(async (signal) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve())
      })
      return (signal.reason as { kind: string }).kind
    })
    await settle()
    stage.agent.cancel('user')
    expect(await task).toBe('user')
    await stage.agent.whenIdle()
  })
})
