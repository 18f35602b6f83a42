/**
 * An agent on a log that held a session before: it says that it goes on, and is at work from the start where it is.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { doorOf } from '../../src/actors/service-door.ts'
import { parseMessage } from '../../src/events/parse-message.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { finish, ofType, rig, say } from './rig.ts'

/** A log in which `pending` waits, a waking one where its name begins with `w`, and that was opened `opened` last. */
function left(pending: readonly string[], opened?: { readonly wake: boolean }) {
  const log = createMemoryLog({ id: 's1' })
  for (const [index, text] of pending.entries()) {
    const message = parseMessage(say(text), () => text, { kind: 'user' })
    const wake = text.startsWith('w')
    const data = { target: 'next-turn', index, message, wake, actor: 'caller' } as const
    log.append({ type: 'inbox/inserted', data }, 0)
  }
  if (opened !== undefined)
    log.append({ type: 'session/opened', data: { how: 'resume', ...opened } }, 0)
  return log
}

describe('a session that is opened again', () => {
  it('says so once, in the words that it was opened with', async () => {
    const { agent } = rig({ log: left(['w'], { wake: false }), wake: true, model: ['hang "x"'] })
    expect(ofType(agent, 'session/opened').map(({ data }) => data)).toEqual([
      { how: 'resume', wake: false },
      { how: 'resume', wake: true },
    ])
    agent.cancel()
    await finish(agent)
  })

  it('with waking work is at work from the start: whoever waits for quiescence waits for it', async () => {
    const log = left(['w'])
    const { agent, ends } = rig({ log, wake: true, model: ['text "one"'] })
    expect(doorOf(agent).calm).toBe(false)
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it.each([
    [['a'], true],
    [['w'], false],
  ])('with %j, told to wake: %j, is at rest from the start', async (pending, wake) => {
    const agent = createAgent({ log: left(pending), wake })
    expect(doorOf(agent).calm).toBe(true)
    await agent.dispose()
  })
})
