/**
 * The life of a chat in a real pseudo-terminal: how it is left, how its session goes on, and what becomes of its last lines.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ASKING,
  chat,
  ends,
  left,
  said,
  sessions,
  STALLING,
  shell,
  terminal,
  useChat,
} from './chat-rig.ts'
import { agent, built, cwd } from './one-shot-rig.ts'
import { KEYS, type Terminal } from './pty.ts'

useChat()

/** A chat whose agent answers one prompt without end, with another one behind it. */
async function busy(): Promise<Terminal> {
  const seen = await chat()
  seen.line('One')
  await seen.shows('half an answer')
  seen.line('/queue Two')
  await seen.shows('queued: Two')
  return seen
}

describe('leaving', () => {
  it('Ctrl-C cancels and the chat goes on; twice it leaves with 130', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.type(KEYS.ctrlC)
    await seen.shows('turn 1 was aborted (user)')
    seen.line('Two')
    await seen.shows(/First answer[^]*○ idle · \/help\n>/)
    seen.type('half typed')
    seen.type(KEYS.ctrlC)
    await seen.shows('Ctrl-C again leaves')
    await seen.hides('half typed')
    seen.type('x')
    await seen.shows('> x')
    seen.type(KEYS.ctrlC)
    await seen.shows(/Ctrl-C again leaves[^]*Ctrl-C again leaves/)
    seen.type(KEYS.ctrlC)
    expect(await seen.ended()).toBe(130)
    expect(ends()).toEqual(['aborted', 'completed'])
  })

  it('Ctrl-D and /quit leave with 0 and keep what waits; the line that goes on is said', async () => {
    agent(STALLING)
    const first = await busy()
    first.type(KEYS.ctrlD)
    expect(await first.ended()).toBe(0)
    expect(first.screen.text).toContain('go on with: turnwise chat --agent agent.mjs --session s')
    expect(first.screen.text).not.toContain('/help')
    const second = await chat()
    await second.shows('1 message parked (resume)')
    second.line('/quit')
    expect(await second.ended()).toBe(0)
    expect(ends()).toEqual(['aborted'])
  })

  it('a terminal that goes away, as when a connection breaks, suspends', async () => {
    agent(STALLING)
    const seen = await busy()
    seen.hangUp()
    await seen.ended()
    expect(ends()).toEqual(['aborted'])
    // Not even the lock is left behind.
    expect(readdirSync(join(cwd, '.turnwise'))).toEqual(['s.jsonl'])
  })

  it('a signal suspends', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.process.kill('SIGTERM')
    expect(await seen.ended()).toBe(143)
    const gone = await chat()
    gone.process.kill('SIGHUP')
    expect(await gone.ended()).toBe(129)
    expect(ends()).toEqual(['aborted'])
  })
})

describe('a session', () => {
  it('goes on with --session or --continue; a turn that waited for an answer still does', async () => {
    agent(ASKING)
    const first = await chat()
    first.line('Release it.')
    await first.shows('? 1.1.0 deploy')
    await left(first)
    expect(ends()).toEqual([])
    agent(`{
      model: scriptedModel([[script.text('It is out.')]]),
      tools: [{ name: 'deploy', approval: 'always', run: () => 'deployed' }],
    }`)
    const second = terminal(['chat', '--agent', 'agent.mjs', '--continue'])
    await second.shows(/goes on after \d+ events/)
    await second.shows('? 1.1.0 deploy {"version":"2.0"} · Deploy?')
    await second.shows('/approve 1.1.0 or /deny 1.1.0')
    second.line('/approve')
    await second.shows(/It is out\.[^]*○ idle · \/help\n>/)
    await left(second)
    expect(ends()).toEqual(['completed'])
  })

  it('that was parked goes on by itself with --wake', async () => {
    agent(STALLING)
    const first = await busy()
    await left(first)
    agent(`{ model: scriptedModel([[script.text('Woken.')]]) }`)
    const second = await chat(['--wake'])
    await second.shows(/> Two[^]*Woken\.[^]*○ idle/)
    await left(second)
    expect(said()).toEqual(['1 One', '2 Two'])
  })

  it('is forked while it runs, the copy is opened with the line that is said, and loses nothing', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.line('/fork')
    await seen.shows('open it with: turnwise chat')
    const copy = sessions().find((id) => id !== 's') ?? ''
    expect(said(copy)).toEqual(['1 One'])
    expect(ends(copy)).toEqual(['interrupted'])
    await left(seen)
    expect(ends()).toEqual(['aborted'])
    agent(`{ model: scriptedModel([[script.text('From the copy.')]]) }`)
    const other = terminal(['chat', '--agent', 'agent.mjs', '--session', copy])
    await other.shows('\n>')
    other.line('Again')
    await other.shows('From the copy.')
  })

  it('that another process has open is refused with a code', async () => {
    agent(STALLING)
    await chat()
    const other = terminal(['chat', '--agent', 'agent.mjs', '--session', 's'])
    expect(await other.ended()).toBe(1)
    expect(other.screen.text).toContain('SESSION_LIVE')
  })
})

describe('a terminal', () => {
  it('that was given to the shell and back shows the last lines again, and goes on taking keys', async () => {
    agent(ASKING)
    const seen = shell()
    await seen.shows(/[$#]/)
    seen.line(`"${process.execPath}" "${built.main}" chat --agent agent.mjs --session s`)
    await seen.shows('\n>')
    seen.line('Release it.')
    await seen.shows('? 1.1.0 deploy')
    seen.type('/app')
    await seen.shows('> /app')
    seen.type(KEYS.ctrlZ)
    await seen.shows('Stopped')
    seen.line('fg')
    await seen.shows(/fg\n[^]*\n> \/app/)
    seen.line('rove')
    await seen.shows('First answer.')
    seen.line('/quit')
    await seen.shows(/go on with: turnwise chat[^]*\n[^\n]*[$#]/)
    seen.line('exit $?')
    expect(await seen.ended()).toBe(0)
  })

  it('that is made narrow and wide again shows the last lines once, and no text is lost', async () => {
    agent(STALLING)
    const seen = await chat()
    seen.line('One')
    await seen.shows('half an answer')
    seen.line('/queue A prompt that is longer than a narrow terminal is wide.')
    await seen.shows('queued: A prompt')
    seen.line('/status')
    await seen.shows('session s: running')
    await seen.shows('Turn 1 has been open')
    seen.line('/cancel --keep-inbox')
    await seen.shows('○ idle · /help')
    // Nothing moves any more: what was on its way when the size changed cannot be taken back by anybody.
    seen.type('typed')
    await seen.shows('> typed')
    seen.resize(30)
    await seen.shows(/queued: A prompt[^\n]*…\n> typed/)
    seen.resize(100)
    await seen.shows(/queued: A prompt that is longer than a narrow terminal is wide\.\n> typed/)
    expect(seen.screen.text.match(/○ idle · \/help/g)).toHaveLength(1)
    expect(seen.screen.text.match(/queued:/g)).toHaveLength(1)
    expect(seen.screen.text).toContain('half an answer')
  })

  it('that is low shows what there is room for, and how much more there is', async () => {
    agent(STALLING)
    const seen = await chat([], { rows: 7 })
    seen.line('One')
    await seen.shows('half an answer')
    for (const text of ['Two', 'Three', 'Four', 'Five']) seen.line(`/queue ${text}`)
    await seen.shows(/queued: Two\nqueued: Three\n… 2 more \(\/status\)\n>/)
    seen.resize(80, 4)
    await seen.shows(/half an answer\n● running[^\n]*\n>/)
    expect(seen.screen.text).not.toContain('queued')
  })

  it('that is dumb gets plain lines: no sequence, no footer, and each arrival is told', async () => {
    agent(ASKING)
    const seen = terminal(['chat', '--agent', 'agent.mjs', '--session', 's'], { term: 'dumb' })
    await seen.shows('log ')
    seen.line('Release it.')
    await seen.shows('? 1.1.0 deploy')
    seen.line('And tell Ann.')
    await seen.shows('+ steering: And tell Ann.')
    seen.line('/approve')
    await seen.shows(/First answer\.[^]*○ idle/)
    expect(seen.raw).not.toContain('\u001B')
    seen.type(KEYS.ctrlD)
    expect(await seen.ended()).toBe(0)
  })

  it('with nothing but a folder answers from it, without a key', async () => {
    const seen = terminal(['chat'])
    await seen.shows('offline planner')
    seen.line('What is here?')
    await seen.shows(/turn 1 completed[^]*○ idle · \/help\n>/)
    seen.type(KEYS.ctrlD)
    expect(await seen.ended()).toBe(0)
  })
})
