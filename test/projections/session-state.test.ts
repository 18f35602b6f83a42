/**
 * What the machines decide from: does the agent go on, and how many turns in a row were barren?
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { InboxList, StoredEvent } from '../../src/events/event.ts'
import { fold } from '../../src/projections/projection.ts'
import { beginInterval, goesOn, sessionState } from '../../src/projections/session-state.ts'
import { LogScript, REASONS } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const state = () => fold(sessionState, log.events)

const PENDING = {
  'waking next-turn': { list: 'next-turn', wake: true },
  'non-waking next-turn': { list: 'next-turn', wake: false },
  'waking next-step': { list: 'next-step', wake: true },
  'non-waking next-step': { list: 'next-step', wake: false },
} satisfies Record<string, { list: InboxList; wake: boolean }>

interface Turn {
  readonly end: keyof typeof REASONS
  readonly step: boolean
  readonly left: keyof typeof PENDING
}

/** A turn that claims A, perhaps steps, and leaves one message pending. */
function turn({ end, step, left }: Turn): void {
  const at = { turn: log.ledger.lastTurn + 1, step: 1 }
  const id = `A${at.turn}`
  log.insert('next-turn', 0, textMessage(id), { wake: true })
  log.put('turn/start', { turn: at.turn })
  log.claim(at.turn, [id])
  if (step) {
    log.put('step/start', at)
    log.put('user/message', { ...at, message: textMessage(id) })
    log.put('step/end', at)
  }
  const { list, wake } = PENDING[left]
  log.insert(list, log.lists[list].length, textMessage(`left ${at.turn}`), { wake })
  const uncommitted = step ? [] : [id]
  log.put('turn/end', { turn: at.turn, reason: REASONS[end], uncommitted })
}

const WAKING = ['waking next-turn', 'waking next-step'] as const
const ANY_NEXT_TURN = [...WAKING, 'non-waking next-turn'] as const

/** What goes on after such a turn; everything else lets the agent rest. */
const GOES_ON: readonly (Pick<Turn, 'end' | 'step'> & { on: readonly Turn['left'][] })[] = [
  { end: 'completed', step: true, on: ANY_NEXT_TURN },
  { end: 'max-tokens', step: true, on: ANY_NEXT_TURN },
  { end: 'blocked', step: true, on: WAKING },
  { end: 'aborted', step: true, on: WAKING },
  { end: 'error', step: true, on: WAKING },
  { end: 'interrupted', step: true, on: WAKING },
  { end: 'limit', step: true, on: ['waking next-turn'] },
  { end: 'completed', step: false, on: WAKING },
  { end: 'blocked', step: false, on: WAKING },
  { end: 'aborted', step: false, on: WAKING },
  { end: 'error', step: false, on: WAKING },
  { end: 'limit', step: false, on: ['waking next-turn'] },
]

describe('goesOn', () => {
  const cases = GOES_ON.flatMap(({ end, step, on }) =>
    (Object.keys(PENDING) as Turn['left'][]).map((left) => ({
      end,
      step,
      left,
      answer: on.includes(left),
    })),
  )
  it.each(cases)('after $end (step: $step) with $left: $answer', ({ answer, ...how }) => {
    turn(how)
    expect(goesOn(state())).toBe(answer)
  })

  it('never for parked work', () => {
    turn({ end: 'completed', step: true, left: 'waking next-turn' })
    log.put('cancel/requested', {
      cause: { kind: 'user' },
      actor: 'user',
      keepInbox: true,
      resume: false,
      turn: null,
      discarded: [],
    })
    expect(goesOn(state())).toBe(false)
  })

  it('for a wake that comes behind the end of a limited turn, whatever its list', () => {
    turn({ end: 'limit', step: true, left: 'non-waking next-step' })
    expect(goesOn(state())).toBe(false)
    log.steer('S')
    expect(goesOn(state())).toBe(true)
  })

  it('before the first turn it is waking work that counts', () => {
    expect(goesOn(state())).toBe(false)
    log.insert('next-turn', 0, textMessage('quiet'), { wake: false })
    expect(goesOn(state())).toBe(false)
    log.insert('next-turn', 0, textMessage('loud'), { wake: true })
    expect(goesOn(state())).toBe(true)
  })
})

describe('facts about the last turn', () => {
  it('tells whether it stepped and claimed, and keeps its reason', () => {
    turn({ end: 'error', step: false, left: 'waking next-turn' })
    expect(state().lastTurn).toEqual({ reason: 'error', stepped: false, claimed: true })
    turn({ end: 'completed', step: true, left: 'waking next-turn' })
    expect(state().lastTurn).toEqual({ reason: 'completed', stepped: true, claimed: true })
  })

  it('numbers go on, and a new turn has no step yet', () => {
    turn({ end: 'completed', step: true, left: 'waking next-turn' })
    expect(state()).toMatchObject({ turn: 1, step: 1, openTurn: false })
    log.put('turn/start', { turn: 2 })
    expect(state()).toMatchObject({ turn: 2, step: 0, openTurn: true })
  })

  it('what repair adds to an earlier turn leaves the last turn alone', () => {
    log.put('turn/start', { turn: 1 })
    turn({ end: 'completed', step: true, left: 'waking next-turn' })
    const before = state()
    log.put('turn/end', { turn: 1, reason: { kind: 'interrupted' }, uncommitted: [] })
    expect(state()).toEqual(before)
  })

  it('keeps the last header and context', () => {
    log.put('turn/start', { turn: 1 })
    const at = { turn: 1, step: 1 }
    log.put('step/start', at)
    log.put('request/header', { ...at, provider: 'p', model: 'a', reason: 'initial' })
    log.put('request/header', { ...at, provider: 'p', model: 'b', reason: 'change' })
    log.put('request/context', { ...at, provider: 'p', model: 'b', contextWindow: 9 })
    expect(state().header?.model).toBe('b')
    expect(state().context?.contextWindow).toBe(9)
  })
})

const barren = () => turn({ end: 'blocked', step: false, left: 'waking next-turn' })
const request = (put: (at: { turn: number; step: number }) => void): void => {
  const at = { turn: log.ledger.lastTurn + 1, step: 1 }
  log.put('turn/start', { turn: at.turn })
  log.put('step/start', at)
  put(at)
  log.put('step/end', at)
  log.put('turn/end', { turn: at.turn, reason: REASONS.error, uncommitted: [] })
}

describe('barren turns', () => {
  it('count in a row', () => {
    barren()
    barren()
    expect(state().barren).toBe(2)
  })

  it.each([
    [
      'a chunk',
      (at: { turn: number; step: number }) =>
        log.put('assistant/chunk', {
          ...at,
          attempt: 1,
          chunk: { kind: 'finish', reason: 'stop' },
        }),
    ],
    [
      'a message',
      (at: { turn: number; step: number }) =>
        log.put('assistant/message', { ...at, message: says('x') }),
    ],
    [
      'a failed attempt',
      (at: { turn: number; step: number }) =>
        log.put('request/failed', {
          ...at,
          attempt: 1,
          provider: 'p',
          failure: { code: 'SERVER', message: 'boom' },
          action: 'fail',
          delayMs: 0,
        }),
    ],
  ])('end with a turn that has %s', (_, put) => {
    barren()
    request(put)
    expect(state().barren).toBe(0)
  })

  it('a step without a request is barren too', () => {
    request(() => {})
    expect(state().barren).toBe(1)
  })

  it('injection turns are neither barren nor a request', () => {
    barren()
    log.put('turn/start', { turn: 2 })
    log.put('context/message', { turn: 2, message: textMessage('X', 'plugin') })
    log.put('turn/end', { turn: 2, reason: { kind: 'completed' }, uncommitted: [] })
    expect(state().barren).toBe(1)
  })

  it('do not outlive their running interval, nor their process', () => {
    barren()
    expect(beginInterval(state()).barren).toBe(0)
    log.put('session/opened', { how: 'resume', wake: false })
    expect(state().barren).toBe(0)
  })
})

it('S1 a chunk of a running stream answers the same object', () => {
  log.put('turn/start', { turn: 1 })
  const at = { turn: 1, step: 1 }
  log.put('step/start', at)
  const chunk = { kind: 'text-delta', block: 0, text: 'x' } as const
  log.put('assistant/chunk', { ...at, attempt: 1, chunk })
  const before = state()
  log.put('assistant/chunk', { ...at, attempt: 1, chunk })
  expect(sessionState.evolve(before, log.events.at(-1) as StoredEvent)).toBe(before)
})
