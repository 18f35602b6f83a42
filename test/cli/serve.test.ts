/**
 * `turnwise serve` in this process: its words, its places, its signals, and the agents behind it.
 */
import { PassThrough } from 'node:stream'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { UsageFault } from '../../src/cli/fault.ts'
import type { EndSignal, Surroundings } from '../../src/cli/surroundings.ts'
import { turnwise } from '../../src/cli/turnwise.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { dial, Peer } from '../protocols/json-rpc/peer.ts'
import { call, cwd, logFiles, useCommand } from './command-rig.ts'

useCommand()

describe('its words', () => {
  it.each([
    [['--stdio'], { kind: 'stdio' }],
    [['--socket', 'x/s'], { kind: 'socket', path: 'x/s' }],
    [['--tcp', '0'], { kind: 'tcp', port: 0 }],
  ])('%j', (words, at) => {
    expect(readArguments(['serve', ...words])).toEqual({ command: 'serve', at, log: '.turnwise' })
  })

  it.each([
    [[]],
    [['--stdio', '--tcp', '1']],
    [['--tcp', '65536']],
    [['--tcp', 'x']],
    [['--stdio', 'x']],
    [['--socket', '']],
  ])('refuses %j', (words: string[]) => {
    expect(() => readArguments(['serve', ...words])).toThrow(UsageFault)
  })

  it('has help', async () => {
    const { out, code } = await call(['help', 'serve'])
    expect([code, out]).toEqual([0, expect.stringContaining('--socket PATH')])
    expect((await call(['serve', '--help'])).out).toBe(out)
  })
})

interface Serving {
  readonly peer: Peer
  readonly code: Promise<number>
  readonly errors: () => string
  readonly send: (signal: EndSignal) => void
  readonly exits: number[]
}

function serve(words: readonly string[], env: Record<string, string> = {}): Serving {
  const peer = new Peer()
  const stderr = new PassThrough()
  let errors = ''
  stderr.setEncoding('utf8').on('data', (piece: string) => (errors += piece))
  const listeners = new Map<EndSignal, () => void>()
  const exits: number[] = []
  const at: Surroundings = {
    env,
    cwd,
    stdin: peer.input,
    stdout: peer.output,
    stderr,
    onSignal: (signal, listener) => {
      listeners.set(signal, listener)
      return () => listeners.delete(signal)
    },
    exit: (code) => exits.push(code),
    makeModel: (choice) => {
      const model = scriptedModel(['text "one"', 'hang "x"'])
      return Promise.resolve({ model, title: JSON.stringify(choice), retry: false })
    },
  }
  const code = turnwise(['serve', ...words], at)
  return { peer, code, errors: () => errors, send: (signal) => listeners.get(signal)?.(), exits }
}

describe('over standard input and output', () => {
  it('keeps sessions, hides secrets, and exits 0 after shutdown', async () => {
    const { peer, code, errors } = serve(['--stdio'], { OPENAI_API_KEY: 'sk-very-secret-key' })
    peer.write('garbage\n')
    expect(await peer.initialize({ provider: 'nope' })).toMatchObject({
      error: { code: -32602, data: { code: 'UNKNOWN_PROVIDER' } },
    })
    expect(await peer.initialize({ provider: 'offline', cwd: 'missing' })).toMatchObject({
      error: { code: -32602, data: { code: 'INVALID_OPTION' } },
    })
    expect(await peer.initialize({ provider: 'openai', model: '' })).toHaveProperty('result')
    await peer.prompt('s1', 'my key is sk-very-secret-key')
    await peer.status('s1', 'idle')
    expect(JSON.stringify(peer.said)).not.toContain('sk-very')
    expect(JSON.stringify(peer.events('s1')[0])).toContain('my key is [hidden]')
    await peer.ask('shutdown')
    expect(await code).toBe(0)
    expect(logFiles()).toEqual(['s1.jsonl'])
    expect(errors()).toContain('malformed line')
  })

  it('suspends when its input ends: what waited still waits', async () => {
    const first = serve(['--stdio'])
    await first.peer.initialize({ provider: 'offline' })
    await first.peer.prompt('s1', 'A')
    await first.peer.status('s1', 'idle')
    await first.peer.prompt('s1', 'B')
    await first.peer.saw('s1', 'turn/start', 2)
    await first.peer.prompt('s1', 'C', { messageId: 'C' })
    first.peer.input.end()
    expect(await first.code).toBe(0)
    expect(logFiles()).toEqual(['s1.jsonl'])
    const second = serve(['--stdio'])
    await second.peer.initialize({ provider: 'offline' })
    expect(await second.peer.ask('session/resume', { sessionId: 's1' })).toMatchObject({
      result: { pending: [{ messageId: 'C' }], parked: { reason: 'resume' } },
    })
    second.send('SIGTERM')
    expect(await second.code).toBe(143)
    expect(second.exits).toEqual([])
  })
})

describe('over sockets', () => {
  it('says where it listens, and ends when it is asked to', async () => {
    const { peer: out, code } = serve(['--socket', 's'])
    const { listening } = (await out.until(() => true)) as never as { listening: object }
    expect(listening).toEqual({ socket: 's' })
    expect(statSync(join(cwd, 's')).mode & 0o777).toBe(0o600)
    const peer = (await dial(join(cwd, 's'))).peer
    await peer.initialize({ provider: 'offline' })
    expect(await peer.ask('shutdown')).toMatchObject({ result: {} })
    expect(await code).toBe(0)
  })

  it.each([[undefined], ['a-token-of-my-own-choice']])('a port with its token: %s', async (own) => {
    const {
      peer: out,
      code,
      send,
    } = serve(['--tcp', '0'], own === undefined ? {} : { TURNWISE_TOKEN: own })
    const said = (await out.until(() => true)) as never as {
      listening: { host: string; port: number; token?: string }
    }
    const { host, port, token = own } = said.listening
    expect([host, said.listening.token === undefined]).toEqual(['127.0.0.1', own !== undefined])
    const peer = (await dial(port)).peer
    expect(await peer.initialize({ provider: 'offline', token })).toHaveProperty('result')
    send('SIGINT')
    expect(await code).toBe(130)
  })

  it('exits 1 where it cannot listen', async () => {
    const { code, errors } = serve(['--socket', 'README.md'])
    expect(await code).toBe(1)
    expect(errors()).toContain('no socket')
  })
})
