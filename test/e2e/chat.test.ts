/**
 * `turnwise chat` through a real pseudo-terminal: what is typed while the agent runs, and what is seen of it.
 */
import { describe, expect, it } from 'vitest'
import { ASKING, chat, ends, left, said, STALLING, stored, useChat } from './chat-rig.ts'
import { agent } from './one-shot-rig.ts'
import { KEYS } from './pty.ts'

useChat()

describe('a line', () => {
  it('opens a turn; typed while the agent runs it steers, and what waits is seen below the text', async () => {
    agent(ASKING)
    const seen = await chat()
    seen.line('Release it.')
    await seen.shows('/approve 1.1.0 or /deny 1.1.0')
    seen.line('And tell Ann.')
    seen.line('/queue What next?')
    await seen.shows('steering: And tell Ann.\nqueued: What next?\n>')
    expect(seen.foot.join('\n')).toContain('● running · turn 1 · step 1')
    seen.line('/approve')
    await seen.shows(/First answer\.[^]*Second answer\.[^]*○ idle · \/help\n>/)
    await left(seen)
    expect(said()).toEqual(['1 Release it.', '1 And tell Ann.', '2 What next?'])
    expect(seen.screen.text).toContain('  > And tell Ann.')
    expect(seen.screen.text).not.toContain('steering')
  })

  it('is edited while text streams in above it', async () => {
    agent(ASKING)
    const seen = await chat()
    seen.line('Release it.')
    await seen.shows('? 1.1.0 deploy')
    seen.type(`/aprove 1.1.0${KEYS.left.repeat(10)}p`)
    await seen.shows('> /approve 1.1.0')
    seen.type(KEYS.enter)
    await seen.shows('First answer.')
    seen.type(KEYS.up)
    await seen.shows(/> \/approve 1\.1\.0$/)
    seen.type(KEYS.ctrlC)
    await left(seen)
    expect(ends()).toEqual(['completed'])
  })

  it('that is no command says so, changes nothing, and is not said to the agent', async () => {
    agent(ASKING)
    const seen = await chat()
    seen.line('/lunch')
    await seen.shows('there is no command /lunch')
    seen.line('//etc is what?')
    await seen.shows('  > /etc is what?')
    await left(seen)
    expect(said()).toEqual(['1 /etc is what?'])
  })

  it('of context wakes nobody, and goes along with the next one', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('/inject The build is red.')
    await seen.shows('context: plugin chat: The build is red.')
    seen.line('/inbox')
    await seen.shows(/context: plugin chat: The build is red\.\n[^]*○ idle/)
    seen.line('Why?')
    await seen.shows('half an answer')
    await left(seen)
    expect(said()).toEqual(['1 The build is red.', '1 Why?'])
  })
})

describe('/cancel', () => {
  it('--keep-inbox parks what waits, says what ends that, and the next line wakes it', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.line('/queue Two')
    await seen.shows('queued: Two')
    seen.line('/cancel --keep-inbox')
    await seen.shows('1 message parked (cancel): your next line wakes it too')
    await seen.shows(/○ idle · \/help\n1 message parked[^\n]*\nqueued: Two\n>/)
    seen.line('Three')
    await seen.shows(/First answer[^]*○ idle · \/help\n>/)
    await left(seen)
    expect(ends()[0]).toBe('aborted')
    expect(said()).toEqual(['1 One', '2 Three', '2 Two'])
  })

  it('discards what waits, and says what', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.line('/queue Two')
    seen.line('/cancel')
    await seen.shows('- discarded: Two')
    await seen.shows('○ idle · /help\n>')
    seen.line('/cancel')
    await seen.shows('nothing runs and nothing waits')
    await left(seen)
    expect(said()).toEqual(['1 One'])
  })
})

describe('questions', () => {
  it('are answered by id: what is denied never runs, and the agent hears why', async () => {
    agent(ASKING)
    const seen = await chat()
    seen.line('/approve')
    await seen.shows('no call was asked about')
    seen.line('Release it.')
    await seen.shows('? 1.1.0 deploy {"version":"2.0"} · Deploy?')
    seen.line('/approve 9.9.9')
    await seen.shows('APPROVAL_CLOSED')
    seen.line('/deny 1.1.0 not on a Friday')
    await seen.shows('1.1.0 deny (user): not on a Friday')
    await seen.shows('First answer.')
    await left(seen)
    expect(stored().find(({ type }) => type === 'tool/result')).toMatchObject({
      data: { outcome: { kind: 'denied', reason: 'not on a Friday' } },
    })
  })

  it('show all that is asked for, and nothing in it moves the cursor', async () => {
    agent(`{
      model: scriptedModel([
        [script.text('\\u001B]0;title\\u0007\\u001B[2Jtext '),
         script.call('c1', 'deploy', { at: 'x'.repeat(200) + '\\u001B[31mend' })],
        [script.text('done')],
      ]),
      tools: [{ name: 'deploy', approval: 'always', run: () => 'ok' }],
    }`)
    const seen = await chat()
    seen.line('Go.')
    // The screen refuses every sequence that the chat does not write itself.
    await seen.shows(/end"\s*\}/)
    expect(seen.screen.text.replaceAll('\n', '')).toContain('x'.repeat(200))
    expect(seen.raw).not.toContain('\u001B[2J')
  })
})
