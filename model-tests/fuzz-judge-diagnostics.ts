/**
 * Which contained faults may be reported at all: those that the world itself made.
 *
 * @module
 */
import type { Diagnostic } from '../src/actors/agent-options.ts'
import { TurnwiseError } from '../src/errors.ts'
import type { World } from './fuzz-world.ts'

const EXPECTED: ReadonlySet<unknown> = new Set([
  'FuzzRefusal',
  'DUPLICATE_ID',
  'APPROVAL_CLOSED',
  'AGENT_DISPOSED',
])

const codeOf = (error: unknown): string =>
  error instanceof TurnwiseError ? error.code : error instanceof Error ? error.name : ''

/** What a log that cannot write is reported with. */
const isSlowDisk = (message: string): boolean =>
  message.startsWith('disk full') || message.startsWith('the log was not durable')

/** An append that the agent itself got wrong is a fault of the agent. */
export function judgeDiagnostic(world: World, { kind, error, message }: Diagnostic): void {
  const code = codeOf(error)
  world.count(`diagnostic ${kind} ${code}`)
  // What follows from a refusal may not fit the log either.
  const follows = code === 'ENCLOSURE' && !world.faithful
  if (follows || EXPECTED.has(code) || isSlowDisk(message)) return
  world.problem(`diagnostic ${kind}: ${message.slice(0, 120)}`)
}
