/**
 * `turnwise chat` without a terminal: plain lines in, plain lines out, and an exit code.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ASKING, ends, said, sessions, STALLING, useChat } from './chat-rig.ts'
import { agent, built, cwd, turnwise } from './one-shot-rig.ts'

useChat()

/** Gives the chat its lines and the end of its input at once. */
async function piped(lines: string, ...words: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const all = [built.main, 'chat', '--agent', 'agent.mjs', '--session', 's', ...words]
  const child = spawn(process.execPath, all, { cwd, env: { PATH, HOME } })
  child.stdin.end(lines)
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { out, err, code }
}

describe('lines from a pipe', () => {
  it('are all said, what runs is finished, and nothing but text is printed', async () => {
    agent(`{ model: scriptedModel([[script.text('One.')], [script.text('Two.')]]) }`)
    const { out, err, code } = await piped('First\nSecond')
    expect([code, err]).toEqual([0, ''])
    expect(out).not.toContain('\u001B')
    expect(out).toMatch(/> First[^]*One\.[^]*> Second[^]*Two\./)
    expect(said()).toEqual(['1 First', '1 Second'])
  })

  it('that end while nobody can answer a question leave it open, and say so with 1', async () => {
    agent(ASKING)
    const { out, code } = await piped('Release it.\n')
    expect(code).toBe(1)
    expect(out).toContain('? 1.1.0 deploy')
    expect(out).toContain('go on with: turnwise chat --agent agent.mjs --session s')
    expect(ends()).toEqual([])
    agent(`{
      model: scriptedModel([[script.text('Not then.')]]),
      tools: [{ name: 'deploy', approval: 'always', run: () => 'deployed' }],
    }`)
    const again = await piped('/deny 1.1.0\n')
    expect(again.code).toBe(0)
    expect(again.out).toMatch(/\? 1\.1\.0 deploy[^]*Not then\./)
  })

  it('end with 1 where the last turn did not complete, and with 0 where none ran', async () => {
    agent(`{ model: scriptedModel([[script.fail('AUTH', 'no key')]]) }`)
    expect((await piped('Go\n')).code).toBe(1)
    expect((await piped('/status\n/nothing\n')).code).toBe(0)
  })

  it('hold no control character when they are said back', async () => {
    agent(ASKING)
    const { out } = await piped('/\u001B[2J\n/quit \u009B2J\n')
    expect(out).toContain('there is no command /\uFFFD[2J')
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    expect(out).not.toMatch(/[\u001B\u009B]/)
  })

  it('are obeyed before the end: a fork that was asked for is made and named', async () => {
    agent(STALLING)
    const { out, code } = await piped('/inject Context.\n/fork\n')
    expect(code).toBe(0)
    const [, copy = ''] = /a copy of this session is (\S+);/.exec(out) ?? []
    expect(sessions()).toEqual([copy, 's'].toSorted())
  })

  it('/quit leaves at once, whatever runs', async () => {
    agent(STALLING)
    expect((await piped('One\n/queue Two\n/quit\n')).code).toBe(0)
    expect((await piped('')).out).toContain('1 message parked (resume)')
  })
})

describe('a chat that makes no sense', () => {
  it('is refused before anything is created', async () => {
    agent(ASKING)
    for (const words of [
      ['--agent', 'agent.mjs', '--model', 'offline'],
      ['--session', 's', '--continue'],
      ['--session', 'a/b'],
      ['--dir', 'missing'],
      ['prompt'],
    ])
      expect(await turnwise('chat', ...words)).toMatchObject({ exit: 2, stdout: '' })
    expect(await turnwise('chat', '--continue')).toMatchObject({ exit: 1, stdout: '' })
    expect(() => sessions()).toThrow('ENOENT')
  })
})
