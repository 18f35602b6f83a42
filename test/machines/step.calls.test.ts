/**
 * The calls of the step chart, played purely: starts and commits one at a time, the way to a body, and the drain.
 */
import { describe, expect, it } from 'vitest'
import { stepMachine } from '../../src/machines/step.machine.ts'
import { nodesOf, restingStates } from './chart-moves.ts'
import { Play, type Said } from './play.ts'

const visited = new Set<string>()
type Sent = string | readonly [type: string, next: string]

/** A step whose message asks for calls; `callNext` says what comes next for them. */
function withCalls(said: Said, events: readonly Sent[] = [], stopAt?: string): Play {
  const step = new Play(stepMachine, {
    composeNext: 'stream',
    committedNext: 'calls',
    stepClosedNext: 'ended',
    ...said,
  })
  step.send('step.open')
  step.trace = []
  for (const event of [['model.ended', 'commit'], ...events] as const) {
    const [type, next] = typeof event === 'string' ? [event] : event
    step.send(type, {
      ...(next === undefined ? {} : { next }),
      ...(stopAt === undefined ? {} : { stopAt }),
    })
  }
  return step
}
const keep = (step: Play): string[] => {
  for (const line of step.trace) visited.add(line.split(':')[0] ?? '')
  return step.trace
}
const play = (said: Said, ...events: readonly Sent[]): string[] =>
  keep(withCalls(said, events)).slice(1)

const LOOK = 'calling.running: post gate.next'
const ANNOUNCED = 'calling.announcing: append tool/call, post gate.admit'
const STARTED = 'calling.running: start body, post gate.next'
const NOTED = 'calling.running: note settled call, post gate.next'
const RECORDED = 'calling.recording: append tool/result, post gate.next'
const CLOSED = ['closing: append step/end, post gate.closed', 'ended: report step.ended']

describe('a call', () => {
  it('is announced, run, committed, and closes the step', () => {
    const trace = play(
      { callNext: ['announce', 'wait', 'record', 'done'], admitNext: 'start' },
      'tool.settled',
    )
    expect(trace).toEqual([
      LOOK,
      ANNOUNCED,
      STARTED,
      'calling.running: ',
      NOTED,
      RECORDED,
      ...CLOSED,
    ])
  })

  it('is asked about, approved and durable before its body runs', () => {
    const trace = play(
      { callNext: ['announce', 'wait'], admitNext: ['ask', 'wait'] },
      ['toolPre.answered', 'question'],
      ['approval.answered', 'secure'],
      ['call.secured', 'start'],
    )
    expect(trace).toEqual([
      LOOK,
      ANNOUNCED,
      'calling.admitting: ask toolPre',
      'calling.questioning: append approval/asked, post gate.approval',
      'calling.approving: start wait for the answer',
      'calling.flushing: start wait for the call',
      STARTED,
      'calling.running: ',
    ])
  })

  it('of a step that was taken over is looked for at once', () => {
    const step = new Play(stepMachine, {
      callNext: ['announce', 'done'],
      admitNext: 'wait',
      stepClosedNext: 'ended',
    })
    step.send('step.adopt').send('approval.answered', { next: 'known' })
    expect(keep(step)).toEqual([
      LOOK,
      ANNOUNCED,
      'calling.approving: start wait for the answer',
      NOTED,
      ...CLOSED,
    ])
  })

  it('whose outcome is known without a body is only noted', () => {
    const said = { callNext: ['announce', 'wait'], admitNext: 'known' }
    expect(play(said).slice(2)).toEqual([NOTED, 'calling.running: '])
  })

  it('is put to toolPost, and what waits behind a slow answer is made durable', () => {
    const trace = play({ callNext: ['account', 'done'] }, 'toolPost.waited', 'toolPost.answered')
    expect(trace).toEqual([
      LOOK,
      'calling.accounting: ask toolPost',
      'calling.accounting: append tool/settled',
      RECORDED,
      ...CLOSED,
    ])
  })

  it('that settles while another one is being started is noted at once', () => {
    const said = { callNext: 'announce', admitNext: 'ask' }
    expect(play(said, 'tool.settled').at(-1)).toBe('calling.admitting: note settled call')
  })

  it('is answered for, and its question closed, after a failure', () => {
    const trace = play({ callNext: ['withdraw', 'answer', 'answer', 'record', 'record', 'done'] })
    expect(trace).toEqual([
      LOOK,
      'calling.withdrawing: append withdrawn approval, post gate.next',
      'calling.answering: append synthetic outcome, post gate.next',
      'calling.answering: append synthetic outcome, post gate.next',
      RECORDED,
      RECORDED,
      ...CLOSED,
    ])
  })
})

describe('the drain after a cancel', () => {
  const running: Said = { callNext: ['announce', 'wait'], admitNext: 'start' }
  const drain = (callNext: readonly string[], ...events: readonly Sent[]): string[] => {
    const step = withCalls({ ...running, callNext: ['announce', 'wait', ...callNext] })
    step.trace = []
    step.interrupt('step.abort')
    for (const event of events) step.send(event as string)
    return keep(step)
  }

  it('waits for started bodies, commits them and answers the rest', () => {
    expect(drain(['wait', 'record', 'withdraw', 'answer', 'done'], 'tool.settled')).toEqual([
      'draining.waiting: hop gate.drain, start grace',
      'draining.waiting: ',
      'draining.waiting: note settled call, post gate.drain',
      'draining.recording: append tool/result, post gate.drain',
      'draining.withdrawing: append withdrawn approval, post gate.drain',
      'draining.answering: append synthetic outcome, post gate.drain',
      'closing: stop grace, append step/end, post gate.closed',
      CLOSED[1],
    ])
  })

  it('asks toolPost about drained calls', () => {
    const trace = drain(['account', 'done'], 'toolPost.waited', 'toolPost.answered')
    expect(trace.slice(1, 4)).toEqual([
      'draining.accounting: ask toolPost',
      'draining.accounting: append tool/settled',
      'draining.recording: append tool/result, post gate.drain',
    ])
  })

  it('leaves bodies behind that outlast the grace', () => {
    expect(drain(['wait', 'record', 'done'], 'grace.ended').slice(2, 4)).toEqual([
      'draining.waiting: abandon open calls, post gate.drain',
      'draining.recording: append tool/result, post gate.drain',
    ])
  })

  it('leaves a toolPost behind that outlasts the grace', () => {
    expect(drain(['account', 'done'], 'grace.ended').slice(2, 3)).toEqual([
      'draining.recording: abandon open calls, append tool/result, post gate.drain',
    ])
  })

  it('takes note of a body that settles while toolPost is asked', () => {
    expect(drain(['account'], 'tool.settled').at(-1)).toBe('draining.accounting: note settled call')
  })
})

/** Words that lead into each window of the calls. */
const ways: Readonly<Record<string, { said: Said; events?: readonly Sent[] }>> = {
  running: { said: { callNext: 'wait' } },
  announcing: { said: { callNext: 'announce', admitNext: 'ask' } },
  admitting: { said: { callNext: 'announce', admitNext: 'ask' } },
  questioning: { said: { callNext: 'announce', admitNext: 'question' } },
  approving: { said: { callNext: 'announce', admitNext: 'wait' } },
  flushing: { said: { callNext: 'announce', admitNext: 'secure' } },
  accounting: { said: { callNext: 'account' } },
  recording: { said: { callNext: ['record', 'wait'] } },
  answering: { said: { callNext: ['answer', 'wait'] } },
  withdrawing: { said: { callNext: ['withdraw', 'wait'] } },
}

describe('a cancel in a window of the calls', () => {
  const windows = nodesOf(stepMachine).filter(
    (node) => node.tags.includes('cancel-window') && node.parent?.key === 'calling',
  )

  it.each(windows.map(({ key }) => key))('stops %s: nothing starts any more', (key) => {
    const way = ways[key]
    expect(way, `a way into ${key}`).toBeDefined()
    const step = withCalls(way?.said ?? {}, way?.events, `calling.${key}`)
    expect(step.state).toBe(`calling.${key}`)
    step.trace = []
    step.interrupt('step.abort')
    const into =
      key === 'accounting'
        ? 'draining.accounting: start grace'
        : 'draining.waiting: hop gate.drain, start grace'
    expect(step.trace[0]).toBe(into)
    expect(
      step.trace.filter((line) => /start body|append tool\/call|ask toolPre/.test(line)),
    ).toEqual([])
  })
})

it('the plays above come through every state', () => {
  const own = restingStates(stepMachine).filter((state) => /^(calling|draining)\./.test(state))
  expect(own.filter((state) => !visited.has(state))).toEqual([])
})
