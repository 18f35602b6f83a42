/**
 * Small rooms of the explorer, each about one rule that hardly shows where everything may happen.
 *
 * @module
 */
import type { AgentOptions } from '../src/index.ts'
import type { ExploreOptions } from '../src/testing/explore/options.ts'
import { body, GRACE } from './explore-parts.ts'

/** A message that is cut, with a step behind it. */
export const cuts: ExploreOptions = {
  agent: (hands): AgentOptions => ({ tools: [body(hands, 'work')], ...GRACE }),
  model: [
    'text "done"',
    'call c1 work',
    { say: 'text "long", finish length', name: 'cut', times: 1 },
  ],
}

/** Somebody goes on in the microtask behind the announcement of idle: whoever waits for quiescence waits on. */
export const waits: ExploreOptions = {
  agent: (): AgentOptions => ({ ...GRACE }),
  model: ['text "done"'],
  commands: {
    'wait, and go on at idle': {
      issue: (agent, { note }) => {
        const leave = agent.listen((notice) => {
          if (notice.type !== 'status' || notice.status !== 'idle') return
          leave()
          queueMicrotask(() => {
            agent.followup('more')
          })
        })
        note('somebody waits')
        void agent.whenIdle().then(() => {
          note(`let go while ${agent.status}`)
        })
      },
    },
  },
  budgets: { followup: 1, steer: 1, cancel: 1, inside: 0 },
  invariants: {
    'let-go': ({ notes }) =>
      notes.includes('let go while running') ? 'a wait ended while the agent went on' : undefined,
  },
  distinguish: ({ notes }) => notes,
}
