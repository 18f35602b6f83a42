/**
 * The agent chart, played purely: which state follows from which word, and what is done on the way.
 */
import { describe, expect, it } from 'vitest'
import { agentMachine } from '../../src/machines/agent.machine.ts'
import { restingStates } from './chart-moves.ts'
import { Play, type Said } from './play.ts'

const visited = new Set<string>()
const play = (said: Said, ...events: readonly string[]): string[] => {
  const agent = new Play(agentMachine, said)
  for (const event of events) agent.send(event)
  for (const line of agent.trace) visited.add(line.split(':')[0] ?? '')
  return agent.trace
}

const OPENED = [
  'waking: post gate.wake',
  'starting: notify running, post gate.start',
  'running.turning: open activity, invoke turn, send turn.open',
]
const LEFT = ['leaving: notify idle, post gate.leave', 'disposed: notify disposed']

describe('an idle agent', () => {
  it('opens a turn when it is woken, and rests behind it', () => {
    expect(play({ wakeNext: 'turn', decideNext: 'rest' }, 'agent.wake', 'turn.ended')).toEqual([
      ...OPENED,
      'running.deciding: post gate.decide',
      'idle: stop child, notify idle',
    ])
  })

  it('announces nothing when the waking work is gone before it looks (W03)', () => {
    expect(play({ wakeNext: 'rest' }, 'agent.wake')).toEqual(['waking: post gate.wake', 'idle: '])
  })

  it('is idle again when the work is gone once running is announced (W04)', () => {
    expect(play({ wakeNext: ['turn', 'rest'] }, 'agent.wake')).toEqual([
      'waking: post gate.wake',
      'starting: notify running, post gate.start',
      'idle: notify idle',
    ])
  })

  it('opens an injection turn without a look for waking work', () => {
    expect(play({ wakeNext: 'turn' }, 'agent.injectTurn')).toEqual(OPENED.slice(1))
  })

  it('looks for work behind a maintenance task', () => {
    expect(play({ wakeNext: 'rest' }, 'agent.maintain', 'maintenance.ended')).toEqual([
      'maintenance: start maintenance',
      'waking: post gate.wake',
      'idle: ',
    ])
  })

  it('knows no cancel', () => {
    expect(play({}, 'agent.cancel')).toEqual(['idle: '])
  })
})

describe('a running agent', () => {
  it('passes a cancel on to its turn', () => {
    expect(play({ wakeNext: 'turn' }, 'agent.wake', 'agent.cancel').at(-1)).toBe(
      'running.turning: send turn.abort',
    )
  })

  it('opens the next turn in the moment in which one ends, with the same turn actor', () => {
    expect(play({ wakeNext: 'turn', decideNext: 'turn' }, 'agent.wake', 'turn.ended')).toEqual([
      ...OPENED,
      'running.deciding: post gate.decide',
      'running.turning: open activity, send turn.open',
    ])
  })

  it('first waits until the end of the turn is durable', () => {
    const said = { wakeNext: 'turn', decideNext: ['secure', 'rest'] }
    expect(play(said, 'agent.wake', 'turn.ended', 'log.secured').slice(3)).toEqual([
      'running.deciding: post gate.decide',
      'running.securing: start wait for the log',
      'running.deciding: post gate.decide',
      'idle: stop child, notify idle',
    ])
  })

  it('takes no wake and no task: a look at the inbox follows the turn anyway', () => {
    const trace = play({ wakeNext: 'turn' }, 'agent.wake', 'agent.wake', 'agent.maintain')
    expect(trace.slice(3)).toEqual(['running.turning: ', 'running.turning: '])
  })
})

describe('a turn that waits for an approval', () => {
  const ADOPTED = 'running.adopting: invoke turn, send turn.adopt'

  it('is taken over without being opened, and followed like any other', () => {
    expect(play({ decideNext: 'rest' }, 'agent.adopt', 'agent.cancel', 'turn.ended')).toEqual([
      ADOPTED,
      'running.adopting: send turn.abort',
      'running.deciding: post gate.decide',
      'idle: stop child, notify idle',
    ])
  })

  it('is left as it is by a suspension, with nothing sent to it', () => {
    const said = { wakeNext: 'turn', disposeNext: 'leave' }
    const gone = ['disposing: stop child, post gate.dispose', ...LEFT]
    expect(play(said, 'agent.wake', 'agent.suspend').slice(3)).toEqual(gone)
    expect(play(said, 'agent.adopt', 'agent.suspend')).toEqual([ADOPTED, ...gone])
  })
})

describe('disposal', () => {
  it('of an idle agent with nothing to write is over at once', () => {
    expect(play({ disposeNext: 'leave' }, 'agent.dispose')).toEqual([
      'disposing: post gate.dispose',
      ...LEFT,
    ])
  })

  it('waits for the log', () => {
    expect(play({ disposeNext: 'flush' }, 'agent.dispose', 'log.flushed')).toEqual([
      'disposing: post gate.dispose',
      'flushing: start flush',
      ...LEFT,
    ])
  })

  it('of a running agent follows the end of its turn', () => {
    const said = { wakeNext: 'turn', decideNext: 'leave', disposeNext: 'leave' }
    expect(play(said, 'agent.wake', 'agent.cancel', 'turn.ended').slice(4)).toEqual([
      'running.deciding: post gate.decide',
      'disposing: stop child, post gate.dispose',
      ...LEFT,
    ])
  })

  it.each([
    ['as it wakes', 'leave'],
    ['as it starts', ['turn', 'leave']],
  ])('overtakes an agent %s', (_, wakeNext) => {
    const trace = play({ wakeNext, disposeNext: 'leave' }, 'agent.wake')
    expect(trace.slice(-3)).toEqual(['disposing: post gate.dispose', ...LEFT])
  })
})

it('the plays above come through every state', () => {
  expect(restingStates(agentMachine).filter((state) => !visited.has(state))).toEqual([])
})
