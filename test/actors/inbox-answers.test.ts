/**
 * What an edit of the inbox answers, and all that it records: nothing where nothing changes.
 */
import { expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { finish, rig, say } from './rig.ts'

type Edit = (inbox: Agent['inbox']) => unknown

const ALL = ['A', 'B', 'C']

it.each<[what: string, edit: Edit, answer: boolean, event: string | undefined, left: string[]]>([
  ['moving an unknown message', (inbox) => inbox.move('X', 'next-step'), false, undefined, ALL],
  [
    'moving one to where it stands',
    (inbox) => inbox.move('B', 'next-turn', 1),
    true,
    undefined,
    ALL,
  ],
  ['moving the last one to the end', (inbox) => inbox.move('C', 'next-turn'), true, undefined, ALL],
  ['moving one', (inbox) => inbox.move('A', 'next-turn', 1), true, 'inbox/moved', ['B', 'A', 'C']],
  ['moving one away', (inbox) => inbox.move('A', 'next-step'), true, 'inbox/moved', ['B', 'C']],
  ['replacing an unknown message', (inbox) => inbox.replace('X', say('Y')), false, undefined, ALL],
  [
    'replacing one',
    (inbox) => inbox.replace('B', say('Y')),
    true,
    'inbox/replaced',
    ['A', 'Y', 'C'],
  ],
  ['removing an unknown message', (inbox) => inbox.remove('X'), false, undefined, ALL],
  ['removing one', (inbox) => inbox.remove('B'), true, 'inbox/discarded', ['A', 'C']],
  ['a splice of nothing', (inbox) => inbox.splice('next-turn', 1, 0), false, undefined, ALL],
  [
    'a splice that takes nothing, beyond the end',
    (inbox) => inbox.splice('next-turn', 9, 2),
    false,
    undefined,
    ALL,
  ],
  [
    'a splice that takes out',
    (inbox) => inbox.splice('next-turn', 1, 2),
    true,
    'inbox/discarded',
    ['A'],
  ],
  [
    'a splice that puts in',
    (inbox) => inbox.splice('next-turn', 1, 0, [say('Y')]),
    true,
    'inbox/inserted',
    ['A', 'Y', 'B', 'C'],
  ],
  [
    'a splice that does both',
    (inbox) => inbox.splice('next-turn', 0, 2, [say('Y')]),
    true,
    'inbox/replaced',
    ['Y', 'C'],
  ],
  ['clearing', (inbox) => inbox.clear(), true, 'inbox/discarded', []],
])('%s answers %s', async (_, edit, answer, event, left) => {
  const { agent } = rig()
  for (const id of ALL) agent.inbox.append('next-turn', say(id))
  expect(edit(agent.inbox)).toBe(answer)
  expect(agent.log.read(ALL.length).map(({ type }) => type)).toEqual(
    event === undefined ? [] : [event],
  )
  expect(agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(left)
  await finish(agent)
})

it('clearing an empty inbox answers false and records nothing', async () => {
  const { agent } = rig()
  expect(agent.inbox.clear()).toBe(false)
  expect(agent.log.length).toBe(0)
  await finish(agent)
})
