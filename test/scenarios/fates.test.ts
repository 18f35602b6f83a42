/**
 * NW-01: every accepted message ends in exactly one way, whatever is commanded where, and whatever the log refuses.
 *
 * Commands are drawn by a seeded generator and issued from outside and from inside observers, listeners, gates and tools.
 */
import { expect, test } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent } from '../../src/actors/agent-handle.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { fold } from '../../src/projections/projection.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { checkRun } from '../../src/testing/check-run.ts'
import { Refusals, refusingLog } from '../../src/testing/scenario/refusing-log.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { settle, virtualClock } from '../../src/testing/virtual-clock.ts'

const SEEDS = 250

/** Small pseudo-random numbers (xorshift32), the same for a seed every time. */
function chance(seed: number): (n: number) => number {
  let x = (seed * 2_654_435_761) >>> 0 || 1
  return (n) => {
    x ^= x << 13
    x >>>= 0
    x ^= x >>> 17
    x ^= x << 5
    x >>>= 0
    return x % n
  }
}

const ENTRIES = [
  'text "a"',
  'call c1 t',
  'call c1 t + call c2 t',
  'hang "x"',
  'error SERVER',
  'text "cut" finishing max-tokens',
  'throw "x"',
  'finish stop',
  'stream "a" then error SERVER',
]
const REFUSABLE = [
  'inbox/inserted',
  'inbox/claimed',
  'turn/start',
  'step/start',
  'tool/result',
  'turn/end',
  'step/end',
  'inbox/discarded',
  'assistant/message',
]

/** Issues random commands on an agent, and remembers which messages were accepted. */
class Commands {
  readonly accepted = new Set<string>()
  readonly #rnd: (n: number) => number
  readonly #agent: () => Agent
  #left = 14
  #made = 0

  constructor(rnd: (n: number) => number, agent: () => Agent) {
    this.#rnd = rnd
    this.#agent = agent
  }

  readonly #verbs: readonly ((agent: Agent, id: string) => unknown)[] = [
    (agent, id) => agent.followup({ id, content: id }),
    (agent, id) => agent.followup({ id, content: id }),
    (agent, id) => agent.steer({ id, content: id }),
    (agent, id) => agent.inject({ id, content: id }),
    (agent) => agent.cancel('user'),
    (agent) => agent.cancel('user', { keepInbox: true }),
    (agent) => agent.cancel('user', { restoreClaimed: true }),
    (agent) => agent.abort('user'),
    (agent) => agent.inbox.remove(this.#pending(agent)),
    (agent, id) => agent.inbox.replace(this.#pending(agent), { id, content: id }),
    (agent) =>
      agent.inbox.move(this.#pending(agent), this.#rnd(2) === 0 ? 'next-step' : 'next-turn'),
    (agent) => void agent.runMaintenance(() => settle(1)).catch(() => undefined),
    (agent) => (this.#rnd(5) === 0 ? void agent.dispose().catch(() => undefined) : undefined),
  ]

  #pending(agent: Agent): string {
    const ids = [...agent.inbox.nextStep, ...agent.inbox.nextTurn].map((entry) => entry.message.id)
    return ids[this.#rnd(Math.max(1, ids.length))] ?? 'none'
  }

  /** One command, sometimes; what is refused at the call was not accepted. */
  readonly maybe = (): void => {
    if (this.#left <= 0 || this.#rnd(3) > 0) return
    this.#left -= 1
    this.#made += 1
    const verb = this.#verbs[this.#rnd(this.#verbs.length)]
    try {
      verb?.(this.#agent(), `m${this.#made}`)
    } catch {
      // Disposal, a busy agent, or a log that refuses: the call says so itself.
    }
  }

  /** No more commands. */
  stop(): void {
    this.#left = 0
  }
}

interface Run {
  readonly agent: Agent
  readonly events: readonly StoredEvent[]
  readonly statuses: readonly string[]
  /** Idle was announced over waking work that nothing holds back. */
  readonly early: readonly number[]
}

async function fuzz(seed: number): Promise<Run> {
  const rnd = chance(seed)
  const clock = virtualClock()
  const refusals = new Refusals()
  if (rnd(3) === 0) {
    const type = REFUSABLE[rnd(REFUSABLE.length)]
    const nth = 1 + rnd(3)
    const last = nth + rnd(3)
    refusals.add({
      refuses: (n) => n >= nth && n <= last,
      matches: (event) => event.type === type,
      message: () => 'refused',
    })
  }
  const commands = new Commands(rnd, () => agent)
  const pass = async <A>(_question: object, next: () => Promise<A>): Promise<A> => {
    commands.maybe()
    if (rnd(4) === 0) await settle(1)
    if (rnd(12) === 0) throw new Error('gate')
    return next()
  }
  const agent: Agent = createAgent({
    log: refusingLog(createMemoryLog({ id: 's1' }), refusals),
    clock,
    drainGraceMs: 50,
    model: scriptedModel(
      Array.from({ length: 60 }, () => ENTRIES[rnd(ENTRIES.length)] ?? 'text "a"'),
      { clock },
    ),
    tools: [{ name: 't', run: async () => (commands.maybe(), await settle(rnd(2)), 'ok') }],
    gates:
      rnd(2) === 0 ? {} : { preStep: pass, turnStopping: pass, toolPre: pass, requestError: pass },
  })
  const events: StoredEvent[] = []
  const statuses: string[] = []
  const early: number[] = []
  agent.subscribe({ from: 0 }, (event) => {
    events.push(event)
    commands.maybe()
  })
  agent.listen((notice) => {
    if (notice.type === 'status') {
      statuses.push(notice.status)
      if (notice.status === 'idle' && hasUnparkedWork(agent)) early.push(events.length)
    }
    commands.maybe()
  })
  for (let i = 0; i < 12; i += 1) {
    commands.maybe()
    await settle(1)
  }
  commands.stop()
  agent.cancel('user', { keepInbox: true, resume: true })
  await rest(agent, clock)
  refusals.heal()
  // A turn whose end was refused twice is closed before another one opens.
  if (agent.status !== 'disposed' && fold(sessionState, events).openTurn) {
    agent.followup({ id: 'last', content: 'last' })
    await rest(agent, clock)
  }
  return { agent, events, statuses, early }
}

const hasUnparkedWork = (agent: Agent): boolean =>
  [...agent.inbox.nextTurn, ...agent.inbox.nextStep].some(
    (entry) => entry.wake && agent.parked?.ids.includes(entry.message.id) !== true,
  )

/** Waits for quiescence; streams that hang are cut. */
async function rest(agent: Agent, clock: ReturnType<typeof virtualClock>): Promise<void> {
  const settled: true[] = []
  void agent.whenIdle().then(() => settled.push(true))
  for (let i = 0; i < 400 && settled.length === 0; i += 1) {
    await settle(2)
    if (i % 5 === 4) agent.cancel('user', { keepInbox: true, resume: true })
    if (i % 9 === 8) await clock.advanceToNext()
  }
  if (settled.length === 0) throw new Error('the agent does not come to rest')
}

const seen = new Set<string>()
const kindOf = (event: StoredEvent): string =>
  event.type === 'turn/end' ? `turn/end ${event.data.reason.kind}` : event.type

test.each(Array.from({ length: SEEDS / 50 }, (_, i) => i * 50))(
  'NW-01 every message has one fate, seeds from %i',
  async (from) => {
    for (let seed = from + 1; seed <= from + 50; seed += 1) {
      const { agent, events, statuses, early } = await fuzz(seed)
      for (const event of events) seen.add(kindOf(event))
      const problems = checkRun(events, statuses)
      // Where the log refused the end of the last turn until the agent was gone, repair closes it.
      const left = problems.filter(
        (what) => agent.status !== 'disposed' || !/has no (?:end|fate)/.test(what),
      )
      expect([seed, left]).toEqual([seed, []])
      expect([seed, 'idle over waking work', agent.status === 'disposed' ? [] : early]).toEqual([
        seed,
        'idle over waking work',
        [],
      ])
      expect([seed, 'left behind', agent.status !== 'disposed' && hasUnparkedWork(agent)]).toEqual([
        seed,
        'left behind',
        false,
      ])
      await agent.dispose().catch(() => undefined)
    }
  },
)

test('the seeds reach every way out and every kind of edit', () => {
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'turn/end completed',
      'turn/end aborted',
      'turn/end error',
      'turn/end max-tokens',
      'turn/end interrupted',
      'inbox/discarded',
      'inbox/replaced',
      'inbox/moved',
      'tool/result',
      'cancel/requested',
    ]),
  )
})
