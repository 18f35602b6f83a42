/**
 * The step chart up to its calls, played purely: attempts, commit, and a cancel in each window.
 */
import { describe, expect, it } from 'vitest'
import { stepMachine } from '../../src/machines/step.machine.ts'
import { nodesOf, restingStates } from './chart-moves.ts'
import { Play, type Said } from './play.ts'

const visited = new Set<string>()
const keep = (step: Play): string[] => {
  for (const line of step.trace) visited.add(line.split(':')[0] ?? '')
  return step.trace
}
type Sent = string | readonly [type: string, next: string]

const playTo = (stopAt: string | undefined, said: Said, events: readonly Sent[]): Play => {
  const step = new Play(stepMachine, { stepClosedNext: 'ended', ...said })
  for (const event of ['step.open', ...events] as const) {
    const [type, next] = typeof event === 'string' ? [event] : event
    step.send(type, {
      ...(next === undefined ? {} : { next }),
      ...(stopAt === undefined ? {} : { stopAt }),
    })
  }
  return step
}
const play = (said: Said, ...events: readonly Sent[]): string[] =>
  keep(playTo(undefined, said, events))

const OPENING = 'opening: append step/start and batch, post gate.compose'
const STREAMING = 'streaming: start attempt'
const COMMITTING = 'committing: append assistant/message, post gate.dispatch'
const NOTING = 'noting: append request/failed, post gate.retry'
const CLOSED = ['closing: append step/end, post gate.closed', 'ended: report step.ended']

const streams: Said = { composeNext: 'stream' }

describe('a request', () => {
  it('streams, is committed and closes the step', () => {
    expect(play({ ...streams, committedNext: 'close' }, ['model.ended', 'commit'])).toEqual([
      OPENING,
      STREAMING,
      COMMITTING,
      ...CLOSED,
    ])
  })

  it('is composed by a gate, recorded where it is new, and durable before it is sent', () => {
    const trace = play(
      { composeNext: 'ask', headedNext: 'secure' },
      ['request.composed', 'header'],
      ['inputs.secured', 'stream'],
    )
    expect(trace).toEqual([
      OPENING,
      'composing: ask request',
      'heading: append request/header, post gate.request',
      'securing: start wait for the inputs',
      STREAMING,
    ])
  })

  it('may be transformed before it is committed', () => {
    const trace = play(
      { ...streams, committedNext: 'close' },
      ['model.ended', 'transform'],
      ['result.transformed', 'commit'],
    )
    expect(trace.slice(2)).toEqual(['transforming: ask stepResult', COMMITTING, ...CLOSED])
  })

  it('whose transformation fails commits nothing', () => {
    const events: Sent[] = [
      ['model.ended', 'transform'],
      ['result.transformed', 'fail'],
    ]
    expect(play(streams, ...events).slice(3)).toEqual(CLOSED)
  })

  it('that the log refused to open is over, without a step/end', () => {
    expect(play({ composeNext: 'refused' })).toEqual([OPENING, CLOSED[1]])
  })

  it('that cannot be composed closes its step', () => {
    expect(play({ composeNext: 'fail' })).toEqual([OPENING, ...CLOSED])
  })
})

it('an attempt that the log cut short closes its step', () => {
  expect(play(streams, ['model.ended', 'end']).slice(2)).toEqual(CLOSED)
})

describe('a failed attempt', () => {
  it('is recorded, waited for and repeated in the same step', () => {
    const trace = play(
      { ...streams, retryNext: 'back-off' },
      ['model.ended', 'recover'],
      'recovery.answered',
      ['backOff.ended', 'stream'],
    )
    expect(trace.slice(2)).toEqual([
      'recovering: ask requestError',
      NOTING,
      'backingOff: start back-off',
      'streaming: stop back-off, start attempt',
    ])
  })

  it('ends the step where nobody may answer it', () => {
    expect(play({ ...streams, retryNext: 'end' }, ['model.ended', 'note']).slice(2)).toEqual([
      NOTING,
      ...CLOSED,
    ])
  })

  it('ends the step when its policy is unloaded while it waits', () => {
    const said = { ...streams, retryNext: 'back-off' }
    expect(play(said, ['model.ended', 'note'], 'backOff.dropped').slice(4)).toEqual([
      'closing: stop back-off, append step/end, post gate.closed',
      CLOSED[1],
    ])
  })
})

describe('the end of a step', () => {
  it('is written again when the log refused it', () => {
    const said = { composeNext: 'fail', stepClosedNext: ['retry', 'ended'] }
    expect(play(said).slice(1)).toEqual([CLOSED[0], ...CLOSED])
  })

  it('leaves the actor to the next step', () => {
    expect(play({ composeNext: 'fail' }, 'step.open').slice(3)).toEqual([OPENING, ...CLOSED])
  })

  it('answers cut calls before it', () => {
    const said = { ...streams, committedNext: 'answer', callNext: ['answer', 'done'] }
    expect(play(said, ['model.ended', 'commit']).slice(3)).toEqual([
      'answering: append synthetic outcome, post gate.next',
      'answering: append synthetic outcome, post gate.next',
      ...CLOSED,
    ])
  })
})

/** A way into each window before the calls, and what a cancel leads to there. */
const FINALISED = ['finalising: append interrupted assistant/message, post gate.close', ...CLOSED]
const CONVERGED = ['converging: hop gate.converge', ...CLOSED]
const DRAINED = ['draining.waiting: hop gate.drain, start grace']
const failing: Said = { ...streams, retryNext: 'back-off', composeNext: 'stream' }
const windows: Readonly<
  Record<string, { said: Said; events?: readonly Sent[]; leads: readonly string[] }>
> = {
  opening: { said: streams, leads: CONVERGED },
  composing: { said: { composeNext: 'ask' }, leads: CONVERGED },
  heading: { said: { composeNext: 'header', headedNext: 'stream' }, leads: CONVERGED },
  securing: { said: { composeNext: 'secure' }, leads: CONVERGED },
  streaming: { said: streams, leads: ['cutting: start grace'] },
  recovering: {
    said: { ...streams, retryNext: 'end' },
    events: [['model.ended', 'recover']],
    leads: ['conceding: hop gate.note', NOTING, ...CLOSED],
  },
  noting: { said: failing, events: [['model.ended', 'note']], leads: CONVERGED },
  backingOff: {
    said: failing,
    events: [['model.ended', 'note']],
    leads: ['converging: stop back-off, hop gate.converge', ...CLOSED],
  },
  transforming: {
    said: streams,
    events: [['model.ended', 'transform']],
    leads: ['discarding: hop gate.finalise', ...FINALISED],
  },
  committing: {
    said: { ...streams, committedNext: 'calls', callNext: 'wait' },
    events: [['model.ended', 'commit']],
    leads: DRAINED,
  },
  answering: {
    said: { ...streams, committedNext: 'answer', callNext: 'wait' },
    events: [['model.ended', 'commit']],
    leads: DRAINED,
  },
  closing: { said: { composeNext: 'fail' }, leads: ['closing: ', CLOSED[1] ?? ''] },
}

describe('a cancel in a window', () => {
  const own = nodesOf(stepMachine).filter(
    (node) => node.tags.includes('cancel-window') && node.parent === stepMachine.root,
  )

  it.each(own.map(({ key }) => key))('of %s', (key) => {
    const window = windows[key]
    expect(window, `a way into ${key}`).toBeDefined()
    const step = playTo(key, window?.said ?? {}, window?.events ?? [])
    expect(step.state).toBe(key)
    step.trace = []
    step.interrupt('step.abort')
    const without = /^(converging|draining\.waiting|conceding|discarding): $/
    expect(keep(step).filter((line) => !without.test(line))).toEqual(window?.leads)
  })

  it('while streaming waits for the end of the stream', () => {
    const trace = play(streams, 'step.abort', ['model.ended', 'note'])
    expect(trace.slice(2)).toEqual([
      'cutting: start grace',
      'finalising: stop grace, append interrupted assistant/message, post gate.close',
      ...CLOSED,
    ])
  })

  it('while streaming leaves a stream behind that outlasts the grace', () => {
    expect(play(streams, 'step.abort', 'grace.ended').slice(3)).toEqual([
      'finalising: stop grace, abandon attempt, append interrupted assistant/message, post gate.close',
      ...CLOSED,
    ])
  })
})

it('the plays above come through every state', () => {
  const own = restingStates(stepMachine).filter((state) => !state.startsWith('calling.'))
  const elsewhere = ['unopened', 'draining.accounting', 'draining.recording', 'draining.answering']
  expect(own.filter((state) => !visited.has(state))).toEqual([...elsewhere, 'draining.withdrawing'])
})
