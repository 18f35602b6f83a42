/**
 * The turn chart, played purely: the ordinary run, the ways out of it, and a cancel in each of its windows.
 */
import { describe, expect, it } from 'vitest'
import { turnMachine } from '../../src/machines/turn.machine.ts'
import { nodesOf, restingStates } from './chart-moves.ts'
import { Play, type Said } from './play.ts'

const visited = new Set<string>()
const keep = (turn: Play): string[] => {
  for (const line of turn.trace) visited.add(line.split(':')[0] ?? '')
  return turn.trace.map((line) => line.replace('open.', ''))
}
type Sent = string | readonly [type: string, next: string]

const played = (said: Said, ...events: readonly Sent[]): Play => {
  const turn = new Play(turnMachine, { closedNext: 'done', ...said })
  for (const event of ['turn.open', ...events]) {
    if (typeof event === 'string') turn.send(event)
    else turn.send(event[0], { next: event[1] })
  }
  return turn
}
const play = (said: Said, ...events: readonly Sent[]): string[] => keep(played(said, ...events))

const OPENING = 'opening: invoke step, append turn/start, post gate.claim'
const CLAIMING = 'claiming: append inbox/claimed, post gate.claimed'
const YIELDING = 'yielding: yield gate.assemble'
const STEPPING = 'stepping: prepare step, send step.open'
const CONTINUING = 'continuing: post gate.continue'
const SEALING = 'sealing: seal and announce error, post gate.close'
const CLOSED = ['closing: append turn/end, post gate.closed', 'resting: report turn.ended']

const claimed: Said = { claimNext: 'claim', claimedNext: 'yield' }
const stepped: Said = { ...claimed, admissionNext: 'enter' }

describe('a turn', () => {
  it('claims, gives way to the waking caller, steps once and closes', () => {
    expect(play({ ...stepped, continueNext: 'close' }, 'step.ended')).toEqual([
      OPENING,
      CLAIMING,
      YIELDING,
      STEPPING,
      CONTINUING,
      ...CLOSED,
    ])
  })

  it('assembles, secures the claim and asks the gates before it steps', () => {
    const trace = play(
      { ...claimed, admissionNext: 'assemble' },
      ['assembly.ended', 'secure'],
      ['claim.secured', 'ask'],
      ['preStep.answered', 'enter'],
    )
    expect(trace.slice(3)).toEqual([
      'assembling: ask assembly',
      'securing: start wait for the claim',
      'gating: ask preStep',
      STEPPING,
    ])
  })

  it('goes straight into its next step, without giving way again', () => {
    const said = { ...stepped, claimedNext: ['yield', 'enter'], continueNext: 'claim' }
    expect(play(said, 'step.ended').slice(4)).toEqual([CONTINUING, CLAIMING, STEPPING])
  })

  it('asks who may continue it, records a decision that deviates, and asks who may object to the stop', () => {
    const trace = play(
      { ...stepped, continueNext: ['decide', 'stop'] },
      'step.ended',
      ['continuation.answered', 'record'],
      ['stopping.answered', 'close'],
    )
    expect(trace.slice(4)).toEqual([
      CONTINUING,
      'deciding: ask continuation',
      'decided: append gate/decided, post gate.decided',
      'stopping: ask turnStopping',
      ...CLOSED,
    ])
  })

  it('is opened again by its agent with the same step actor', () => {
    const trace = play({ ...claimed, claimNext: 'empty' }, 'turn.open')
    expect(trace).toEqual([
      OPENING,
      ...CLOSED,
      'opening: append turn/start, post gate.claim',
      ...CLOSED,
    ])
  })

  it('of an injection records the message and has no step', () => {
    expect(play({ claimNext: 'inject', injectedNext: 'close' })).toEqual([
      OPENING,
      'injecting: append context/message, post gate.injected',
      ...CLOSED,
    ])
  })

  it('whose injected message is refused ends as an error', () => {
    expect(play({ claimNext: 'inject', injectedNext: 'fail' }).slice(2)).toEqual([
      SEALING,
      ...CLOSED,
    ])
  })

  it('without anything to claim closes at once', () => {
    expect(play({ claimNext: 'empty' })).toEqual([OPENING, ...CLOSED])
  })
})

describe('a turn that does not enter a step', () => {
  it.each(['empty', 'reject', 'limit'])('closes when the answer is %s', (next) => {
    const trace = play({ ...claimed, admissionNext: 'ask' }, ['preStep.answered', next])
    expect(trace.slice(4)).toEqual(CLOSED)
  })

  it('announces its error before it closes', () => {
    const trace = play({ ...claimed, admissionNext: 'ask' }, ['preStep.answered', 'fail'])
    expect(trace.slice(4)).toEqual([SEALING, ...CLOSED])
  })

  it('closes with the refusal of its claim', () => {
    expect(play({ claimNext: 'claim', claimedNext: 'fail' }).slice(2)).toEqual([SEALING, ...CLOSED])
  })
})

describe('an end that the log refuses', () => {
  const failing: Said = { claimNext: 'empty' }

  it('is announced, then written again', () => {
    expect(play({ ...failing, closedNext: ['error', 'done'] }).slice(1)).toEqual([
      CLOSED[0],
      SEALING,
      ...CLOSED,
    ])
  })

  it('is written again without a second announcement', () => {
    expect(play({ ...failing, closedNext: ['retry', 'done'] }).slice(1)).toEqual([
      CLOSED[0],
      ...CLOSED,
    ])
  })

  it('is given up after that, and the queue is left to the next wake', () => {
    expect(play({ ...failing, closedNext: ['retry', 'abandon'] }).slice(1)).toEqual([
      CLOSED[0],
      CLOSED[0],
      'refused: announce refusal, post gate.rest',
      CLOSED[1],
    ])
  })

  it('a turn that the log refuses to open is announced and over', () => {
    expect(play({ claimNext: 'refused' })).toEqual([
      OPENING,
      'refused: announce refusal, post gate.rest',
      CLOSED[1],
    ])
  })
})

it('puts claimed messages back behind its end', () => {
  expect(play({ claimNext: 'empty', closedNext: 'restore' }).slice(1)).toEqual([
    CLOSED[0],
    'restoring: append restored insertions, post gate.rest',
    CLOSED[1],
  ])
})

/** A way into each window, by the state that stands for it. */
const ways: Readonly<Record<string, readonly [said: Said, ...events: Sent[]]>> = {
  opening: [claimed],
  claiming: [claimed],
  yielding: [stepped],
  assembling: [{ ...claimed, admissionNext: 'assemble' }],
  securing: [{ ...claimed, admissionNext: 'secure' }],
  gating: [{ ...claimed, admissionNext: 'ask' }],
  continuing: [{ ...stepped, continueNext: 'claim' }, 'step.ended'],
  deciding: [{ ...stepped, continueNext: 'decide' }, 'step.ended'],
  decided: [{ ...stepped, continueNext: 'record' }, 'step.ended'],
  stopping: [{ ...stepped, continueNext: 'stop' }, 'step.ended'],
  sealing: [{ ...stepped, continueNext: 'fail' }, 'step.ended'],
}

/** Plays up to the window, where the next gate is already posted, and cancels there. */
function cancelled(state: string): string[] {
  const [said, ...events] = ways[state] ?? [{}]
  const turn = new Play(turnMachine, { closedNext: 'done', ...said })
  for (const event of ['turn.open', ...events] as string[])
    turn.send(event, { stopAt: `open.${state}` })
  turn.trace = []
  turn.interrupt('turn.abort')
  return keep(turn)
}

describe('a cancel in a window', () => {
  const windows = nodesOf(turnMachine).filter((node) => node.tags.includes('cancel-window'))

  it.each(windows.map(({ key }) => key).filter((key) => key !== 'sealing'))(
    'lets %s do nothing more and converges',
    (key) => {
      const trace = cancelled(key)
      expect(trace[0]).toBe('converging: hop gate.converge')
      // A gate that was posted before is of no use to the states behind.
      expect(trace.slice(1).filter((line) => line !== 'converging: ')).toEqual(CLOSED)
    },
  )

  it('does not change an error that is sealed (W23)', () => {
    expect(cancelled('sealing')).toEqual(['sealing: ', ...CLOSED])
  })

  it('inside a step is passed on to the step, and the step ends first', () => {
    const turn = played(stepped)
    turn.trace = []
    turn.send('turn.abort')
    expect(keep(turn)).toEqual(['stepping: send step.abort'])
    // Adopted turns have a file of their own.
    keep(new Play(turnMachine, {}).send('turn.adopt'))
  })

  it('of an injection turn converges too', () => {
    const turn = new Play(turnMachine, {
      claimNext: 'inject',
      closedNext: 'restore',
      injectedNext: 'close',
    })
    turn.send('turn.open', { stopAt: 'open.injecting' })
    turn.trace = []
    turn.interrupt('turn.abort')
    expect(keep(turn).filter((line) => line !== 'converging: ')).toEqual([
      'converging: hop gate.converge',
      CLOSED[0],
      'restoring: append restored insertions, post gate.rest',
      CLOSED[1],
    ])
  })
})

it('the plays above come through every state', () => {
  const never = restingStates(turnMachine).filter((state) => !visited.has(state))
  expect(never).toEqual(['unopened'])
})
