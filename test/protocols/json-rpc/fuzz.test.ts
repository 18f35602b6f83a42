/**
 * Hostile input: whatever bytes come, the server answers or passes over as the protocol says, never dies, and loses no
 * session. Seeded, so that a failure can be played again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { checkLog } from '../../../src/events/enclosure.ts'
import { Peer, type Said, wire } from './peer.ts'
import { Stranger } from './stranger.ts'

const CASES = 10_000
const OF_PROCESS = 400

/** Every request that was whole got one answer, and nothing else was answered twice. */
function judge(said: readonly Said[], asked: ReadonlySet<string | number>): void {
  const answers = said.flatMap(({ id }) =>
    id !== undefined && id !== null && asked.has(id) ? [id] : [],
  )
  const unique = new Set(answers)
  expect(answers.length).toBe(unique.size)
  expect([...asked].filter((id) => !unique.has(id))).toEqual([])
  const wrong = said.filter(
    ({ id, error, result }) => id !== undefined && (error === undefined) !== (result !== undefined),
  )
  expect(wrong).toEqual([])
  const codes = new Set(said.flatMap(({ error }) => (error === undefined ? [] : [error.code])))
  expect([...codes].toSorted((a, b) => b - a)).toEqual([-32000, -32600, -32601, -32602])
  const named = said.filter(
    ({ error }) => error !== undefined && !/^[A-Z_]+$/.test(error.data.code),
  )
  expect(named).toEqual([])
}

const rejections: unknown[] = []
const onRejection = (reason: unknown): void => void rejections.push(reason)
beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', onRejection)
})
afterEach(() => {
  process.off('unhandledRejection', onRejection)
  if (rejections.length > 0)
    throw new Error('something was rejected and nobody looked', { cause: rejections[0] })
})

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261)

it(`answers or passes over ${CASES} lines, malformed, huge, split and interleaved (seed ${seed})`, async () => {
  const store = memoryStore()
  const script = Array.from({ length: 4000 }, (_, i) => (i % 9 === 4 ? 'hang "x"' : 'text "y"'))
  const peer = wire(script, { store, limits: { maxLineBytes: 200_000 } })
  await peer.initialize()
  peer.said.length = 0
  const stranger = new Stranger(seed)
  for (const piece of stranger.pieces(CASES)) {
    if (!peer.input.write(piece)) await once(peer.input, 'drain')
    if (stranger.chance(0.2)) await new Promise(setImmediate)
  }
  // It is still there, and what hangs can be ended by who knows how.
  const last = await peer.ask('session/list', {})
  expect(last.error?.data.code ?? 'OVERLOADED').toBe('OVERLOADED')
  expect(await peer.ask('shutdown', {})).toMatchObject({ result: {} })
  await peer.server.ended
  await peer.gone
  judge(peer.said, stranger.asked)
  // No session is left live, and each log is sound.
  expect(peer.server.registry.list()).toEqual([])
  const ids = await store.list()
  expect(ids.length).toBeGreaterThan(2)
  for (const id of ids) {
    const { events } = await store.read(id)
    expect(() => checkLog(events)).not.toThrow()
    // Nobody has it open any more.
    await (await store.open(id)).close()
  }
}, 60_000)

it(`a process survives ${OF_PROCESS} of them, and exits 0 when its input ends`, async () => {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '../../fixtures/wire/scripted-server.ts'),
  ])
  child.stderr.resume()
  const peer = new Peer()
  peer.input.pipe(child.stdin)
  child.stdout.pipe(peer.output)
  const exit = once(child, 'close')
  await peer.initialize({ model: JSON.stringify(Array.from({ length: 500 }, () => 'text "y"')) })
  peer.said.length = 0
  const stranger = new Stranger(seed + 1)
  for (const piece of stranger.pieces(OF_PROCESS)) peer.input.write(piece)
  await peer.ask('session/list', {})
  peer.input.end()
  expect((await exit)[0]).toBe(0)
  judge(peer.said, stranger.asked)
}, 60_000)
