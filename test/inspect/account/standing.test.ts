/**
 * Where the charts stand, told from the log alone, against where the charts really are.
 */
import { describe, expect, it, test } from 'vitest'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import * as places from '../../../src/inspect/account/places.ts'
import { standing, standingOf, standingView } from '../../../src/inspect/account/standing.ts'
import { agentMachine } from '../../../src/machines/agent.machine.ts'
import { stepMachine } from '../../../src/machines/step.machine.ts'
import { turnMachine } from '../../../src/machines/turn.machine.ts'
import { fold } from '../../../src/projections/projection.ts'
import { cancelledAt, type Run, RUNS, type Sight, watched } from './watched-runs.ts'

/** A chart that has not begun is told like one that does not run. */
const isTold = (told: places.States, { chart, state }: Sight): boolean =>
  told.includes(state) ||
  (chart === 'agent' && places.UNTOLD.includes(state)) ||
  (state === 'unopened' && told.length === 0)

async function missed(run: Run): Promise<string[]> {
  const { agent, sights } = await watched(run)
  expect(sights.length).toBeGreaterThan(2)
  return sights.flatMap((sight) => {
    const told = standingOf(agent.log.read(0, sight.length))[sight.chart].states
    const after = agent.log.at(sight.length - 1)?.type ?? 'nothing'
    return isTold(told, sight) ? [] : [`${sight.chart} in ${sight.state} after ${after}`]
  })
}

describe('every state that is seen is among those the log tells', () => {
  test.each(RUNS)('$name', async (run) => {
    expect(await missed(run)).toEqual([])
  })

  it('wherever the turn is cancelled', async () => {
    const { agent } = await watched(cancelledAt(-1))
    const { length } = agent.log
    expect(length).toBeGreaterThan(30)
    const all: string[] = []
    for (let seq = 0; seq < length; seq += 1) all.push(...(await missed(cancelledAt(seq))))
    expect([...new Set(all)]).toEqual([])
  })
})

const nodesBelow = (node: AnyStateNode): AnyStateNode[] =>
  Object.values(node.states).flatMap((child) => [child, ...nodesBelow(child)])
const nodesOf = (machine: AnyStateMachine): AnyStateNode[] => nodesBelow(machine.root)
const pathsOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine).map((node) => node.path.join('.'))

describe('the names are those of the charts', () => {
  it.each([
    ['agent', agentMachine, [...Object.values(places.AGENT), places.UNTOLD]],
    ['turn', turnMachine, Object.values(places.TURN)],
    ['step', stepMachine, Object.values(places.STEP)],
  ] as const)('%s', (_, machine, lists) => {
    const paths = pathsOf(machine as AnyStateMachine)
    expect(lists.flat().filter((name) => !paths.includes(name))).toEqual([])
  })

  it('and so are the windows', () => {
    const windows = [turnMachine, stepMachine].flatMap((machine) =>
      nodesOf(machine as AnyStateMachine).flatMap((node) => {
        const window = /^W\d\d/.exec(node.description ?? '')?.[0]
        return window === undefined ? [] : [[node.path.join('.'), window] as const]
      }),
    )
    expect(places.WINDOWS).toEqual(Object.fromEntries(windows))
  })
})

it('is one fold, whether it is read at once or bit by bit', async () => {
  const { agent } = await watched(cancelledAt(20))
  const events = agent.log.read()
  let state = standing.initial
  for (const event of events) {
    state = standing.evolve(state, event)
    expect(standingView(state)).toEqual(standingOf(events.slice(0, event.seq + 1)))
  }
  expect(fold(standing, events)).toEqual(state)
})

const at = async (run: Run, type: string, nth = 0) => {
  const { agent } = await watched(run)
  const events = agent.log.read()
  const found = events.filter((event) => event.type === type)[nth]
  return standingOf(events.slice(0, (found?.seq ?? -1) + 1))
}
const run = (name: string): Run => RUNS.find((one) => one.name === name) as Run

describe('what a log is still waiting in', () => {
  it('is the gate or the assembly after a claim', async () => {
    const { turn, step } = await at(run('an answer'), 'inbox/claimed')
    expect(turn.waits).toEqual(['open.gating', 'open.assembling', 'open.securing'])
    expect(step.waits).toEqual(['unopened'])
  })

  it('is the answer to a question that is open', async () => {
    const { step } = await at(run('an approval that is given'), 'approval/asked')
    expect(step.waits[0]).toBe('calling.approving')
  })

  it('is nothing at all before the first turn, and idle after the last', async () => {
    expect(standingOf([])).toMatchObject({
      agent: { states: ['idle'] },
      turn: { states: [] },
      step: { states: [] },
    })
    const { agent } = await at(run('two turns'), 'turn/end', 1)
    expect(agent.waits).toContain('idle')
    const between = await at(run('two turns'), 'turn/end', 0)
    expect(between.agent.states).not.toContain('idle')
  })
})
