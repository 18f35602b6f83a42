/**
 * Going on with a session is said once: again only where it would say something else of work that waits.
 */
import { expect, it } from 'vitest'
import { saysSo } from '../../src/actors/reopening.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

it.each<[said: boolean, asked: boolean, wakes: readonly boolean[], enough: boolean]>([
  [true, true, [true], true],
  [false, false, [true], true],
  [false, true, [], true],
  [true, false, [false, false], true],
  [false, true, [true], false],
  [true, false, [false, true], false],
])(
  'the last event says wake %s, asked is %s, what waits wakes %j: that is enough: %s',
  (said, wake, wakes, enough) => {
    const nextTurn = wakes.map((one, i) => ({ message: textMessage(`M${i}`), wake: one }))
    const last = stored('session/opened', { how: 'resume', wake: said })
    expect(saysSo(last, wake, { ...inbox.initial, nextTurn })).toBe(enough)
  },
)

it('another event says nothing of it', () => {
  expect(saysSo(stored('turn/start', { turn: 1 }), true, inbox.initial)).toBe(false)
})
