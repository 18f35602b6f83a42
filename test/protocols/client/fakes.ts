/**
 * Clients against servers that misbehave, each a process of its own.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { TurnwiseClient, type ClientOptions } from '../../../src/protocols/client/client.ts'

export const FAKE = join(import.meta.dirname, '../../fixtures/wire/fake-server.mjs')
/** Of this test. */
export let folder: string
const clients: TurnwiseClient[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnwise-client-'))
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  rmSync(folder, { recursive: true, force: true })
})

/** A client of a fake server of this kind. */
export function against(kind: string, options: Partial<ClientOptions> = {}): TurnwiseClient {
  const client = new TurnwiseClient({
    server: { command: process.execPath, args: [FAKE, kind, join(folder, 'notes')] },
    provider: 'mock',
    model: 'm',
    ...options,
  })
  clients.push(client)
  return client
}

/** What the fakes of this test have noted. */
export const notes = (): string[] =>
  readFileSync(join(folder, 'notes'), 'utf8').trimEnd().split('\n')
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Processes that were started. */
export const pids = (): number[] =>
  notes()
    .filter((line) => line.startsWith('start'))
    .map((line) => Number(line.split(' ')[1]))

/** Short ones. */
export const graces = { shutdownMs: 100, inputMs: 100, termMs: 100 }
