/**
 * `turnwise inspect`: what it serves, what it refuses, and how it ends.
 */
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EndSignal } from '../../src/cli/surroundings.ts'
import type { AgentList } from '../../src/inspect/viewer/wire.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { type Around, call, type Called, cwd, put, useCommand } from './command-rig.ts'
import { FakeOut } from './fake-out.ts'
import { CRASHED, putLog, TURN } from './stored-logs.ts'

useCommand()

/** A viewer that runs until it is ended. */
interface Served {
  readonly url: string
  readonly text: string
  list(): Promise<AgentList>
  end(signal?: EndSignal): Promise<Called>
}

async function serve(words: readonly string[], around: Around = {}): Promise<Served> {
  const out = new FakeOut()
  const signals: ((signal: EndSignal) => void)[] = []
  const ended = call(['inspect', ...words], {
    ...around,
    out,
    signals: (send) => signals.push(send),
  })
  await expect.poll(() => out.text).toContain('\n')
  const { text } = out
  const url = /http:\S+?(?=["\s])/.exec(text)?.[0] ?? ''
  return {
    url,
    text,
    list: async () => (await (await fetch(new URL('/api/agents', url))).json()) as AgentList,
    end: (signal = 'SIGINT') => {
      signals[0]?.(signal)
      return ended
    },
  }
}

describe('turnwise inspect', () => {
  it('shows the sessions of the current folder, prints its address, and ends by Ctrl-C with 0', async () => {
    putLog('a', TURN)
    putLog('b', CRASHED)
    const served = await serve([])
    expect(served.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\nCtrl-C ends it\.\n$/)
    const { agents, control } = await served.list()
    expect(control).toBe(false)
    expect(agents.map(({ title, status }) => [title, status])).toEqual([
      ['a', 'idle'],
      ['b', 'unknown'],
    ])
    const { code, err } = await served.end()
    expect([code, err]).toEqual([0, ''])
    await expect(served.list()).rejects.toThrow('fetch failed')
  })

  it('shows the log that a run wrote', async () => {
    expect((await call(['run', 'Which files are there?'])).code).toBe(0)
    const served = await serve([])
    const { agents } = await served.list()
    expect(agents).toMatchObject([{ kind: 'file', status: 'idle', owner: 'none' }])
    expect(agents[0]?.events).toBeGreaterThan(10)
    await served.end()
  })

  it('shows one log, and gives its address as JSON', async () => {
    putLog('a', TURN)
    const served = await serve(['.turnwise/a.jsonl', '--json'])
    expect(JSON.parse(served.text)).toEqual({ url: served.url, port: expect.any(Number) as number })
    expect((await served.list()).agents).toMatchObject([{ title: 'a', events: TURN.length }])
    expect((await served.end('SIGTERM')).code).toBe(143)
  })

  it('changes nothing without --control', async () => {
    putLog('a', CRASHED)
    const path = join(cwd, '.turnwise/a.jsonl')
    const before = readFileSync(path, 'utf8')
    const served = await serve([])
    await served.list()
    await served.end()
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('with --control repairs and opens a session that is commanded, and suspends it at the end', async () => {
    putLog('a', CRASHED)
    const served = await serve(['--control', '--json'], { model: scriptedModel(['text "two"']) })
    const { token, url } = JSON.parse(served.text) as { token: string; url: string }
    expect(url).toContain(`#token=${token}`)
    const { agents } = await served.list()
    expect(agents).toMatchObject([{ kind: 'file', control: true }])
    const answer = await fetch(new URL(`/api/agents/${agents[0]?.id}/commands`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ do: 'followup', text: 'B' }),
    })
    expect(answer.status).toBe(200)
    expect((await served.list()).agents).toMatchObject([{ kind: 'live', id: agents[0]?.id }])
    const { code, err } = await served.end()
    expect(code).toBe(0)
    expect(err).toContain('session a had ended in the middle of a turn')
    const text = readFileSync(join(cwd, '.turnwise/a.jsonl'), 'utf8')
    expect(text).toContain('"interrupted"')
    expect(text).toContain('"text":"B"')
    expect(existsSync(join(cwd, '.turnwise/a.jsonl.lock'))).toBe(false)
  })

  it('opens a browser when asked to, and says so when it cannot', async () => {
    putLog('a', TURN)
    put(
      'browser',
      `#!/bin/sh\necho "$1" > ${join(cwd, 'opened.tmp')}; mv ${join(cwd, 'opened.tmp')} ${join(cwd, 'opened')}\n`,
    )
    chmodSync(join(cwd, 'browser'), 0o755)
    const served = await serve(['--open'], { env: { BROWSER: join(cwd, 'browser') } })
    await expect.poll(() => existsSync(join(cwd, 'opened'))).toBe(true)
    expect(readFileSync(join(cwd, 'opened'), 'utf8')).toBe(`${served.url}\n`)
    await served.end()
    const other = await serve(['--open'], { env: { BROWSER: join(cwd, 'none') } })
    await other.list()
    expect((await other.end()).err).toContain('open the address yourself')
  })

  it.each([
    [['nowhere'], 1, 'NO_LOG: there is no log and no folder of logs at nowhere'],
    [[], 1, 'NO_LOG: there is no log and no folder of logs at .turnwise'],
    [['a', 'b'], 2, 'one log or one folder was expected, found 2'],
    [['--port', 'x'], 2, '--port must be a port'],
    [['--port', '70000'], 2, '--port must be a port'],
    [['--model', 'offline'], 2, '--dir and --model need --control'],
    [['.', '--control', '--model', 'nobody:x'], 2, 'nobody'],
    [['--speed', '2'], 2, '--speed'],
  ])('refuses %j', async (words, expected, text) => {
    const { code, err } = await call(['inspect', ...words])
    expect([code, err]).toEqual([expected, expect.stringContaining(text)])
  })

  it('says when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, err } = await call(['inspect', '.', '--port', `${port}`])
    expect([code, err]).toEqual([1, expect.stringContaining(`NO_PORT: port ${port} cannot be had`)])
    taken.close()
  })

  it('has its help', async () => {
    const { code, out } = await call(['help', 'inspect'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^turnwise inspect: /)])
  })
})
