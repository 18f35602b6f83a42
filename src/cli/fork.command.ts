/**
 * `turnwise fork`: a new session that begins with a copy of another one.
 *
 * @module
 */
import { resolve } from 'node:path'
import { fileStore } from '../sessions/file-store.ts'
import { createRegistry } from '../sessions/registry.ts'
import type { ForkAsked } from './session-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Forks and prints the id of the child, or its header as JSON. @throws TurnwiseError as the registry does. */
export async function forkCommand(asked: ForkAsked, at: Surroundings): Promise<ExitCode> {
  const { session, at: seq, id, inheritInbox, closeOpen } = asked
  const registry = createRegistry({ store: fileStore(resolve(at.cwd, asked.log)) })
  const header = await registry.fork(session, {
    ...(seq !== undefined && { at: seq }),
    ...(id !== undefined && { id }),
    inheritInbox,
    closeOpen,
  })
  at.stdout.write(`${asked.json ? JSON.stringify(header) : header.id}\n`)
  return EXIT.ok
}
