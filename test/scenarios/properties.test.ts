/** Cases that are properties of every run rather than scripts. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { history } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { openWork } from '../../src/projections/open-work.ts'
import { fold, type Projection } from '../../src/projections/projection.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { status, statusOf } from '../../src/projections/status.ts'
import { turns } from '../../src/projections/turns.ts'
import { checkRun } from '../../src/testing/check-run.ts'
import { runScenario } from '../../src/testing/scenario/run-scenario.ts'
import { casesOf } from './run-cases.ts'

const AREAS = ['turn', 'cancel', 'keep-inbox', 'tools', 'maintenance', 'dispose', 'containment']

/** Logs of many cases, with the status that was announced last. */
async function* runs() {
  for (const area of AREAS) {
    for (const scenario of casesOf('cases', area)) {
      const { events, statusTrace } = await runScenario(scenario)
      yield { id: scenario.id, events: events['s1'] ?? [], last: statusTrace.at(-1) }
    }
  }
}

/** What the status has to be behind each event: running from a turn's start to its end. */
function openTurns(events: readonly StoredEvent[]): string[] {
  let open = false
  return events.map(({ type }) => {
    open = type === 'turn/start' || (open && type !== 'turn/end')
    return open ? 'running' : 'idle'
  })
}

test('NW-02 the status is a fold of the log: never idle within a turn, at the end the one announced last', async () => {
  for await (const { id, events, last } of runs()) {
    const folded: string[] = []
    let state = status.initial
    for (const event of events) {
      state = status.evolve(state, event)
      folded.push(state.status)
    }
    expect([id, folded]).toEqual([id, openTurns(events)])
    const live = last === 'disposed' ? 'disposed' : 'idle'
    expect([id, statusOf(state, live)]).toEqual([id, last ?? 'idle'])
  }
})

/** Cuts at which folding the prefix and then the rest does not give the state of a full replay. */
function badCuts<S>(projection: Projection<S>, events: readonly StoredEvent[]): number[] {
  const full = fold(projection, events)
  const cuts = Array.from({ length: events.length + 1 }, (_, cut) => cut)
  return cuts.filter((cut) => {
    const snapshot = fold(projection, events.slice(0, cut))
    return !isDeepStrictEqual(fold(projection, events.slice(cut), snapshot), full)
  })
}

test('NW-15 a snapshot of the projections and the tail of the log give the state of a full replay', async () => {
  for await (const { id, events } of runs()) {
    const cuts = [
      badCuts(inbox, events),
      badCuts(history, events),
      badCuts(openWork, events),
      badCuts(turns, events),
      badCuts(sessionState, events),
      badCuts(status, events),
    ]
    expect([id, cuts.flat()]).toEqual([id, []])
  }
})

describe('NW-03 a command issued inside any callback is queued and applied right after the current move', () => {
  const PLACES = [
    'durable observer of the insertion of A',
    'durable turn/start observer',
    'durable inbox/claimed observer',
    'durable step/start observer',
    'durable user/message observer',
    'durable request/header observer',
    'durable assistant/chunk observer',
    'durable assistant/message observer',
    'durable tool/call observer',
    'durable tool/result observer',
    'durable step/end observer',
    'durable turn/end observer',
    'status running listener',
    'status idle listener',
    'live inserted notification of A',
    'live claimed notification of A',
    'preStep',
    'request gate',
    'stepResult',
    'toolPre',
    'toolPost',
    'continuation',
    'turnStopping',
    'tool t',
    'the model adapter',
    'assembly',
  ]
  const COMMANDS = [
    'followup N',
    'steer N',
    'inject N',
    'cancel user',
    'cancel user {keepInbox}',
    'abort user',
    'inbox.remove(Q)',
    'inbox.replace(Q, N)',
    'inbox.move(Q, next-step)',
    'inbox.append(next-turn, N)',
    'start dispose',
    'followup N; cancel user; steer M',
  ]

  test.each(PLACES)('inside %s', async (place) => {
    for (const command of COMMANDS) {
      const result = await runScenario({
        id: `${place}: ${command}`,
        setup: { model: ['call c1 t', 'text "one"', 'text "two" x9'], tools: ['t'] },
        commands: [
          { when: 'idle', do: 'send Q to next-turn without wake; followup A' },
          { when: `inside ${place}`, do: command },
          { when: 'then', do: 'await whenIdle' },
        ],
      })
      const events = result.events['s1'] ?? []
      expect([result.id, result.diffs, result.notUnderstood]).toEqual([result.id, [], []])
      expect([result.id, checkRun(events, result.statusTrace)]).toEqual([result.id, []])
      expect([result.id, events.every(({ seq }, i) => seq === i)]).toEqual([result.id, true])
      const sends = /^(?:followup|steer|inject) N/.test(command)
      const inserted = events.filter(
        (event) => event.type === 'inbox/inserted' && event.data.message.id === 'N',
      )
      expect([result.id, sends && inserted.length !== 1]).toEqual([result.id, false])
    }
  })

  test('a command inside the error listener is applied before the turn closes', async () => {
    const { log, diffs } = await runScenario({
      id: 'error listener',
      setup: { model: ['error SERVER', 'text "n"'] },
      commands: [
        { when: 'idle', do: 'followup A' },
        { when: 'inside error listener', do: 'followup N; inject X; inbox.remove(N)' },
      ],
    })
    expect(diffs).toEqual([])
    expect(log.slice(-4)).toEqual([
      'inbox next-turn @0 +["N"]',
      'inbox next-step @0 +["X" <plugin>]',
      'inbox next-turn @0 -1 canceled',
      'turn/end 1 error:SERVER "boom"',
    ])
  })
})
