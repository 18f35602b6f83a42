/**
 * Edits of pending messages: what each answers, records and tells, and what it does where there is nothing to edit.
 */
import { describe, expect, it } from 'vitest'
import type { Agent, EditAnswer } from '../../src/actors/agent-handle.ts'
import { finish, type Rig, rig, say } from './rig.ts'

/** An idle agent with `a` in the next step, and `b` and `c` in the next turn. */
function pending(): Rig {
  const made = rig()
  made.agent.inject(say('a'))
  made.agent.inbox.append('next-turn', say('b'))
  made.agent.inbox.append('next-turn', say('c'))
  return made
}

const cases: readonly (readonly [
  string,
  (agent: Agent) => EditAnswer,
  boolean,
  readonly string[],
])[] = [
  ['move of nobody', ({ inbox }) => inbox.move('x', 'next-step'), false, []],
  ['move to where it stands', ({ inbox }) => inbox.move('c', 'next-turn'), true, []],
  [
    'move within a list',
    ({ inbox }) => inbox.move('c', 'next-turn', 0),
    true,
    ['inbox move "c" next-turn@1 -> next-turn@0'],
  ],
  [
    'move to another list',
    ({ inbox }) => inbox.move('b', 'next-step'),
    true,
    ['inbox move "b" next-turn@0 -> next-step@1'],
  ],
  ['removal of nobody', ({ inbox }) => inbox.remove('x'), false, []],
  [
    'removal',
    ({ inbox }) => inbox.remove('b'),
    true,
    ['inbox next-turn @0 -1 canceled', 'discarded b removed'],
  ],
  ['replacement of nobody', ({ inbox }) => inbox.replace('x', say('y')), false, []],
  [
    'replacement',
    ({ inbox }) => inbox.replace('c', say('y')),
    true,
    ['inbox next-turn @1 -1 canceled +["y"]', 'discarded c replaced', 'inserted y'],
  ],
  ['splice of nothing by nothing', ({ inbox }) => inbox.splice('next-turn', 0, 0), false, []],
  ['splice behind the end', ({ inbox }) => inbox.splice('next-turn', 9, 1), false, []],
  [
    'splice that takes out',
    ({ inbox }) => inbox.splice('next-turn', -1, 1),
    true,
    ['inbox next-turn @1 -1 canceled', 'discarded c removed'],
  ],
  [
    'splice that puts in',
    ({ inbox }) => inbox.splice('next-turn', 1, 0, [say('x'), say('y')]),
    true,
    ['inbox next-turn @1 +["x"]', 'inserted x', 'inbox next-turn @2 +["y"]', 'inserted y'],
  ],
  [
    'splice that does both',
    ({ inbox }) => inbox.splice('next-turn', 0, 2, [say('x')]),
    true,
    [
      'inbox next-turn @0 -2 canceled +["x"]',
      'discarded b replaced',
      'discarded c replaced',
      'inserted x',
    ],
  ],
  [
    'clearing',
    ({ inbox }) => inbox.clear(),
    true,
    [
      'inbox next-step @0 -1 canceled',
      'inbox next-turn @0 -2 canceled',
      'discarded a cleared',
      'discarded b cleared',
      'discarded c cleared',
    ],
  ],
]

describe('the answer, and what is recorded and told', () => {
  it.each(cases)('of a %s', async (_, edit, answer, lines) => {
    const { agent, trace } = pending()
    const from = trace.length
    expect(edit(agent)).toBe(answer)
    expect(trace.slice(from)).toEqual(lines)
    await finish(agent)
  })
})

it('of an empty inbox there is nothing to clear', async () => {
  const { agent } = rig()
  expect(agent.inbox.clear()).toBe(false)
  expect(agent.log.length).toBe(0)
  await finish(agent)
})
