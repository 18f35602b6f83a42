/**
 * ACP over real standard input and output: `turnwise acp` and the example as processes, the official package's client at
 * the other end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type ActiveSession,
  type ActiveSessionMessage,
  client,
  type ClientApp,
  ndJsonStream,
} from '@agentclientprotocol/sdk'
import { client as draftClient } from '@agentclientprotocol/sdk/experimental/v2'
import { transformWithEsbuild } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { fileStore } from '../../src/sessions/file-store.ts'
import { build, type Built } from './built.ts'

const root = join(import.meta.dirname, '../..')
let built: Built
let example: string
let cwd: string

beforeAll(async () => {
  built = build()
  // Inside the compiled package, where `turnwise` is found by its own name; Node strips no types there.
  const scripts = join(dirname(built.main), '../../scripts')
  mkdirSync(scripts)
  example = join(scripts, 'acp-agent.js')
  const source = readFileSync(join(root, 'examples/acp-agent.ts'), 'utf8')
  writeFileSync(example, (await transformWithEsbuild(source, 'acp-agent.ts')).code)
}, 60_000)
afterAll(() => {
  built.remove()
})
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'turnwise-acp-'))
  writeFileSync(join(cwd, 'README.md'), '# sheep\n\nCounts sheep.\n')
})
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(cwd, { recursive: true, force: true })
})

/** Starts a program without the keys of whoever runs the tests. */
function start(...args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['--no-warnings', ...args], { cwd, env: { PATH, HOME } })
  started.push(child)
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (err += piece))
  return {
    child,
    err: () => err,
    stream: () => ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)),
    ended: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string),
  }
}

const acp = (...args: readonly string[]) => start(built.main, 'acp', '--model', 'offline', ...args)

/** What the client of the package's own examples does: it prints what it is told until the prompt is over. */
async function play(session: ActiveSession, text: string): Promise<string[]> {
  const lines: string[] = []
  void session.prompt(text).catch((error: Error) => lines.push(`error ${error.message}`))
  for (;;) {
    const message: ActiveSessionMessage = await session.nextUpdate()
    if (message.kind === 'stop') return [...lines, `stop ${message.stopReason}`]
    const { update } = message
    if (update.sessionUpdate === 'agent_message_chunk')
      lines.push(update.content.type === 'text' ? update.content.text : `[${update.content.type}]`)
    else if (update.sessionUpdate === 'tool_call') lines.push(`${update.title} ${update.status}`)
    else if (update.sessionUpdate === 'tool_call_update') lines.push(`update ${update.status}`)
    else lines.push(`[${update.sessionUpdate}]`)
  }
}

const initialize = { protocolVersion: 1, clientCapabilities: {} }

describe('turnwise acp', () => {
  it('serves a client: it connects, opens a session, prompts, reads to the stop and hangs up', async () => {
    const agent = acp()
    const lines = await client({ name: 'example-client' }).connectWith(
      agent.stream(),
      async (context) => {
        const { agentInfo, protocolVersion } = await context.request('initialize', {
          protocolVersion: 1,
        })
        expect([agentInfo?.name, protocolVersion]).toEqual(['turnwise', 1])
        return context
          .buildSession(cwd)
          .withSession((session) => play(session, 'What does this project do?'))
      },
    )
    expect(lines.at(-1)).toBe('stop end_turn')
    expect(lines.join('\n')).toContain('sheep')
    agent.child.stdin.end()
    expect([await agent.ended, agent.err()]).toEqual([0, ''])
  })

  it('finds sessions again in another process', async () => {
    const one = acp()
    const live: string[] = []
    const first = client()
      .onNotification('session/update', ({ params }) => {
        live.push(params.update.sessionUpdate)
      })
      .connect(one.stream())
    await first.agent.request('initialize', initialize)
    const { sessionId } = await first.agent.request('session/new', { cwd, mcpServers: [] })
    const prompt = (words: string) => ({
      sessionId,
      prompt: [{ type: 'text', text: words }] as const,
    })
    await first.agent.request('session/prompt', { ...prompt('What is here?') } as never)
    first.close()
    one.child.stdin.end()
    expect(await one.ended).toBe(0)

    const two = acp()
    const told: string[] = []
    const second = client()
      .onNotification('session/update', ({ params }) => {
        told.push(params.update.sessionUpdate)
      })
      .connect(two.stream())
    await second.agent.request('initialize', initialize)
    const { sessions } = await second.agent.request('session/list', { cwd })
    expect(sessions).toMatchObject([{ sessionId, cwd, title: 'What is here?' }])
    await second.agent.request('session/load', { sessionId, cwd, mcpServers: [] })
    expect(told).toEqual(['user_message_chunk', ...live])
    two.child.kill('SIGTERM')
    expect(await two.ended).toBe(143)
    const { events } = await fileStore(join(cwd, '.turnwise')).read(sessionId)
    checkLog(events)
  })

  it('says what is missing, and goes on', async () => {
    const agent = acp()
    const { agent: context } = client().connect(agent.stream())
    await context.request('initialize', initialize)
    await expect(
      context.request('session/new', { cwd: join(cwd, 'missing'), mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602, data: { code: 'INVALID_OPTION' } })
    agent.child.stdin.write('garbage\n')
    expect(await context.request('session/new', { cwd, mcpServers: [] })).toHaveProperty(
      'sessionId',
    )
    agent.child.stdin.end()
    expect(await agent.ended).toBe(0)
    expect(agent.err()).toContain('a line was passed over')
  })

  it('speaks the draft to a client that asks for it', async () => {
    const agent = acp('--v2')
    const states: string[] = []
    const idle = new Promise<void>((resolve) => {
      connect().catch(() => {})
      async function connect(): Promise<void> {
        const { agent: context } = draftClient()
          .onNotification('session/update', ({ params: { update } }) => {
            if (update.sessionUpdate === 'state_update') states.push(update['state'] as string)
            if (states.at(-1) === 'idle') resolve()
          })
          .connect(agent.stream())
        await context.request('initialize', {
          protocolVersion: 2,
          info: { name: 'editor', version: '1' },
        })
        const { sessionId } = await context.request('session/new', { cwd })
        const prompt = [{ type: 'text', text: 'What is here?' }] as const
        await context.request('session/prompt', { sessionId, prompt: [...prompt] })
      }
    })
    await idle
    expect(states).toEqual(['running', 'idle'])
    agent.child.stdin.end()
    expect(await agent.ended).toBe(0)
  })
})

/** Lets a client play with the example. */
const playing = (app: ClientApp) => {
  const agent = start(example)
  const lines = app.connectWith(agent.stream(), async (context) => {
    await context.request('initialize', initialize)
    return context.buildSession(cwd).withSession((session) => play(session, 'Deploy 2.0'))
  })
  return { agent, lines }
}

describe('examples/acp-agent.ts', () => {
  it.each([
    ['allow_once', 'completed'],
    ['reject_once', 'failed'],
  ])('asks the user: %s', async (kind, status) => {
    const asked: (string | null | undefined)[] = []
    const app = client().onRequest('session/request_permission', ({ params }) => {
      asked.push(params.toolCall.title)
      const optionId = params.options.find((option) => option.kind === kind)?.optionId ?? ''
      return { outcome: { outcome: 'selected', optionId } }
    })
    const { agent, lines } = playing(app)
    expect(await lines).toEqual([
      'deploy in_progress',
      `update ${status}`,
      'That was version 2.0.',
      'stop end_turn',
    ])
    expect(asked).toEqual(['Deploy to production?'])
    agent.child.stdin.end()
    expect([await agent.ended, agent.err()]).toEqual([0, ''])
    expect(readdirSync(join(cwd, '.turnwise'))).toHaveLength(1)
  })

  it('cancels and keeps what was said when its editor is killed', async () => {
    const waits = new Promise<void>((resolve) => {
      const app = client().onRequest('session/request_permission', () => {
        resolve()
        return new Promise(() => {})
      })
      const { agent, lines } = playing(app)
      lines.catch(() => {})
      void agent
    })
    await waits
    const [child] = started
    // The pipe of a killed editor is closed by the system.
    child?.stdin?.destroy()
    child?.stdout?.destroy()
    const [code] = (await once(child as ChildProcess, 'close')) as [number]
    expect(code).toBe(0)
    const [name = ''] = readdirSync(join(cwd, '.turnwise'))
    const { events } = await fileStore(join(cwd, '.turnwise')).read(name.replace('.jsonl', ''))
    checkLog(events)
    expect(
      events.flatMap(({ type, data }) => (type === 'turn/end' ? [data.reason.kind] : [])),
    ).toEqual(['aborted'])
  })
})
