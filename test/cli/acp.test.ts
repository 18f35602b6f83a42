/**
 * `turnwise acp` in this process: its words, its help, its signals, and the agents behind it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { client, ndJsonStream } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { UsageFault } from '../../src/cli/fault.ts'
import type { EndSignal, Surroundings } from '../../src/cli/surroundings.ts'
import { turnwise } from '../../src/cli/turnwise.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { call, cwd, logFiles, put, useCommand } from './command-rig.ts'

useCommand()

describe('its words', () => {
  it.each([
    [[], { log: '.turnwise', v2: false, show: { tools: false, usage: false } }],
    [
      ['--v2', '--tools', '--usage', '--log', 'kept'],
      { log: 'kept', v2: true, show: { tools: true, usage: true } },
    ],
    [['--model', 'offline'], { model: 'offline' }],
    [['--agent', 'a.ts'], { agent: 'a.ts' }],
  ])('%j', (words, expected) => {
    expect(readArguments(['acp', ...words])).toMatchObject({ command: 'acp', ...expected })
  })

  it.each([[['x']], [['--stdio']], [['--log', '']], [['--model', 'offline', '--agent', 'a.ts']]])(
    'refuses %j',
    (words: string[]) => {
      expect(() => readArguments(['acp', ...words])).toThrow(UsageFault)
    },
  )

  it('refuses an agent that is not there, and a model that nobody knows', async () => {
    expect((await call(['acp', '--agent', 'missing.ts'])).code).toBe(2)
    expect((await call(['acp', '--model', 'nobody'])).code).toBe(2)
  })

  it('has help', async () => {
    const { out, code } = await call(['help', 'acp'])
    expect([code, out]).toEqual([0, expect.stringContaining('--v2')])
    expect((await call(['acp', '--help'])).out).toBe(out)
    expect((await call(['help'])).out).toContain('turnwise acp')
    const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8')
    expect(page).toContain(`\`\`\`text\n${out}\`\`\``)
  })
})

function serve(words: readonly string[], script: readonly string[]) {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  let errors = ''
  stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
  const listeners = new Map<EndSignal, () => void>()
  const exits: number[] = []
  const at: Surroundings = {
    env: { OPENAI_API_KEY: 'sk-very-secret-key' },
    cwd,
    stdin,
    stdout,
    stderr,
    onSignal: (signal, listener) => {
      listeners.set(signal, listener)
      return () => listeners.delete(signal)
    },
    exit: (code) => exits.push(code),
    makeModel: () => Promise.resolve({ model: scriptedModel(script), title: 'm', retry: false }),
  }
  const code = turnwise(['acp', ...words], at)
  const told: string[] = []
  const { agent } = client()
    .onNotification('session/update', ({ params }) => {
      told.push(JSON.stringify(params.update))
    })
    .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)))
  return {
    stdin,
    code,
    told,
    agent,
    exits,
    errors: () => errors,
    send: (signal: EndSignal) => listeners.get(signal)?.(),
    async session(): Promise<string> {
      await agent.request('initialize', { protocolVersion: 1 })
      return (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId
    },
    prompt: (sessionId: string, text: string) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
  }
}

describe('serving', () => {
  it('keeps sessions, hides secrets, and exits 0 when its editor goes away', async () => {
    const ide = serve([], ['text "one"'])
    const id = await ide.session()
    expect(await ide.prompt(id, 'my key is sk-very-secret-key')).toEqual({ stopReason: 'end_turn' })
    await ide.agent.request('session/load', { sessionId: id, cwd, mcpServers: [] })
    expect(ide.told.join()).toContain('my key is [hidden]')
    expect(ide.told.join()).not.toContain('sk-very')
    ide.stdin.end()
    expect(await ide.code).toBe(0)
    expect(logFiles()).toEqual([`${id}.jsonl`])
  })

  it('ends in good order on a signal, and at once on a second one', async () => {
    const ide = serve([], ['hang "x"'])
    const id = await ide.session()
    const prompt = ide.prompt(id, 'A')
    ide.send('SIGINT')
    ide.send('SIGINT')
    expect(await prompt.catch((error: Error) => error)).toBeDefined()
    expect(await ide.code).toBe(130)
    expect(ide.exits).toEqual([130])
  })

  it('serves an agent of the user, made for each session of its folder', async () => {
    put(
      'mine.mjs',
      `export default ({ dir }) => ({
        model: { provider: 'mine', modelId: 'm', async *stream() {
          yield { kind: 'block-start', block: 0, type: 'text' }
          yield { kind: 'text-delta', block: 0, text: dir }
          yield { kind: 'block-end', block: 0 }
          yield { kind: 'finish', reason: 'stop' }
        } },
      })`,
    )
    const ide = serve(['--agent', 'mine.mjs'], [])
    await ide.prompt(await ide.session(), 'A')
    expect(ide.told.join()).toContain(cwd)
    ide.stdin.end()
    expect(await ide.code).toBe(0)
  })

  it('tells the editor what is wrong with a folder, and says that it starts no servers', async () => {
    const ide = serve([], ['text "one"'])
    await ide.session()
    await expect(
      ide.agent.request('session/new', { cwd: join(cwd, 'missing'), mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602 })
    const server = { name: 'files', command: '/bin/files', args: [], env: [] }
    await ide.agent.request('session/new', { cwd, mcpServers: [server] })
    ide.stdin.end()
    expect(await ide.code).toBe(0)
    expect(ide.errors()).toContain('starts no MCP server')
  })
})
