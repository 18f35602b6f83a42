/**
 * The conversations of test/fixtures/wire, with a real server process over standard input and output.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { Peer, type Said } from './peer.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/wire')
const SERVER = join(FOLDER, 'scripted-server.ts')

interface Step {
  readonly send?: object
  readonly raw?: string
  readonly hear?: unknown
  readonly quiet?: string
}

/** A text, `*` for anything, or a pattern between slashes. */
function textFits(expected: string, found: unknown): boolean {
  if (expected === '*') return found !== undefined
  if (!/^\/.+\/$/.test(expected)) return expected === found
  return typeof found === 'string' && new RegExp(expected.slice(1, -1)).test(found)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Is everything that `expected` names there? */
function fits(expected: unknown, found: unknown): boolean {
  if (typeof expected === 'string') return textFits(expected, found)
  if (!isObject(expected)) return expected === found
  if (!isObject(found)) return false
  const sameLength = !Array.isArray(expected) || expected.length === (found as unknown[]).length
  return (
    sameLength && Object.entries(expected).every(([key, item]) => fits(item, found[key as never]))
  )
}

/** A server process, and a peer that speaks with it. */
function serverProcess(): {
  peer: Peer
  child: ChildProcessWithoutNullStreams
  exit: Promise<unknown>
} {
  const child = spawn(process.execPath, [SERVER])
  const peer = new Peer()
  peer.input.pipe(child.stdin)
  child.stdout.pipe(peer.output)
  return { peer, child, exit: once(child, 'close').then(([code]) => code as unknown) }
}

async function playStep(step: Step, peer: Peer, from: number): Promise<number> {
  if (step.send !== undefined) peer.write(`${JSON.stringify(step.send)}\n`)
  if (step.raw !== undefined) peer.write(step.raw)
  expect(peer.said.map(({ method }) => method)).not.toContain(step.quiet ?? 'nothing')
  if (step.hear === undefined) return from
  const next = (said: Said): boolean =>
    fits(step.hear, said) && peer.said.indexOf(said, from) === peer.said.lastIndexOf(said)
  const answer = (step.hear as { readonly id?: unknown }).id
  // An answer that is not the expected one is shown instead of being waited for.
  const said = await peer.until(
    (line) =>
      peer.said.indexOf(line) >= from &&
      (next(line) || (answer !== undefined && line.id === answer)),
  )
  expect(fits(step.hear, said), `${JSON.stringify(step.hear)}\n${JSON.stringify(said)}`).toBe(true)
  return peer.said.indexOf(said) + 1
}

const conversations = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'))

describe('a conversation', () => {
  it.each(conversations)('%s', async (file) => {
    const { peer, exit } = serverProcess()
    let from = 0
    const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')
    for (const line of lines) from = await playStep(JSON.parse(line) as Step, peer, from)
    peer.input.end()
    expect(await exit).toBe(0)
  })
})

test('JR-07 as a process: both shutdowns are answered, the answers are flushed, and it exits 0', async () => {
  const { peer, exit } = serverProcess()
  await peer.initialize({ model: '["hang \\"x\\""]' })
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  const answers = peer.batch(['shutdown', {}], ['shutdown', {}])
  expect(await exit).toBe(0)
  for (const answer of answers) expect((await answer).result).toEqual({})
  expect(peer.events('s1').at(-1)).toMatchObject({
    type: 'turn/end',
    data: { reason: { kind: 'aborted', cause: { kind: 'disposed' } } },
  })
})

test('JR-10 as a process: characters survive being split, and the end of the input rejects what is pending', async () => {
  const { peer, exit } = serverProcess()
  await peer.initialize({ model: '["hang \\"x\\""]' })
  const line = Buffer.from(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 'ü',
      method: 'session/prompt',
      params: { sessionId: 's1', contentBlocks: [{ type: 'text', text: 'Grüße 🐑' }] },
    })}\r\n`,
  )
  for (const byte of line) peer.input.write(Buffer.of(byte))
  await peer.until(({ id }) => id === 'ü')
  await peer.saw('s1', 'assistant/chunk', 2)
  const waiting = peer.ask('session/whenIdle', { sessionId: 's1' })
  peer.input.end('{"jsonrpc":"2.0","id":"last","method":"session/list"}')
  expect(await waiting).toMatchObject({
    error: { code: -32000, data: { code: 'TRANSPORT_CLOSED' } },
  })
  // A last line without its break is a line.
  expect(peer.said.some(({ id }) => id === 'last')).toBe(true)
  expect(await exit).toBe(0)
  expect(JSON.stringify(peer.events('s1')[0])).toContain('Grüße 🐑')
  // What was under way was suspended, and its end still told.
  expect(peer.statuses('s1')).toEqual(['running', 'idle', 'disposed'])
})
