/**
 * Every error this library throws, and the closed set of their codes.
 *
 * Failures of models and tools are not here: they are events (`request/failed`, `tool/result`), because a run goes
 * on with them. What is thrown is what a caller of this library can act on.
 *
 * @module
 */

/** Codes of thrown errors; each has its heading in `docs/errors.md`. Switch on these, never on messages. */
export type ErrorCode =
  | 'AGENT_BUSY'
  | 'AGENT_DISPOSED'
  | 'APPROVAL_CLOSED'
  | 'CHILD_LIMIT'
  | 'CURSOR_TOO_OLD'
  | 'DUPLICATE_ID'
  | 'ENCLOSURE'
  | 'FACTORY_ALREADY_SET'
  | 'FACTORY_INACTIVE'
  | 'GATE_DECISION_INVALID'
  | 'GOAL_CONFLICT'
  | 'HOST_CLOSING'
  | 'INVALID_BOUNDARY'
  | 'INVALID_MESSAGE'
  | 'INVALID_OPTION'
  | 'INVALID_REQUEST'
  | 'LEASE_LOST'
  | 'LOG_CONFLICT'
  | 'LOG_CORRUPT'
  | 'LOG_WRITE_FAILED'
  | 'NOT_INITIALIZED'
  | 'NO_FACTORY'
  | 'NO_PERSISTENCE'
  | 'OPEN_TURN'
  | 'OVERLOADED'
  | 'PROTOCOL_ERROR'
  | 'REQUEST_TIMEOUT'
  | 'RUN_IN_PROGRESS'
  | 'RUN_TIMEOUT'
  | 'SELF_WAIT'
  | 'SESSION_ALREADY_EXISTS'
  | 'SESSION_LIVE'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_NOT_LIVE'
  | 'TRANSPORT_CLOSED'
  | 'UNAUTHORIZED'
  | 'UNKNOWN'
  | 'UNKNOWN_EVENT'
  | 'UNKNOWN_METHOD'
  | 'UNKNOWN_PROVIDER'
  | 'UNSUPPORTED_PROTOCOL'

const DOCS = 'docs/errors.md'

/** Base of every error thrown here: `instanceof TurnwiseError` tells it from your own. */
export class TurnwiseError extends Error {
  override readonly name: string = 'TurnwiseError'
  /** Stable and documented; the message is for people and may change. */
  readonly code: ErrorCode
  /** The message without the link to its page. */
  readonly summary: string

  /**
   * @param code - what went wrong, from the closed set.
   * @param message - what was expected, what was found, what was done, what to do; a link to its page is added.
   */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(`${message} (${DOCS}#${code.toLowerCase()})`, options)
    this.code = code
    this.summary = message
  }
}

/** A command reached an agent that is disposing or disposed. Nothing was written. */
export class AgentDisposedError extends TurnwiseError {
  override readonly name = 'AgentDisposedError'

  constructor(agent: string) {
    super(
      'AGENT_DISPOSED',
      `agent ${agent} is disposing or disposed, so it takes no more commands; nothing was written. Resume the session or drop the work.`,
    )
  }
}

/** A stored log is damaged: `position` is the seq or line at which reading stopped. Nothing was changed. */
export class LogCorruptError extends TurnwiseError {
  override readonly name = 'LogCorruptError'
  readonly position: number

  constructor(position: number, message: string, options?: ErrorOptions) {
    super('LOG_CORRUPT', message, options)
    this.position = position
  }
}

/** An event may not follow the log it was appended to; `rule` names the broken rule. Nothing was recorded. */
export class EnclosureError extends TurnwiseError {
  override readonly name = 'EnclosureError'
  readonly rule: string

  constructor(rule: string, message: string) {
    super('ENCLOSURE', message)
    this.rule = rule
  }
}

/**
 * An answer of a gate that cannot be carried out; nothing of it was. The turn ends as an error with this code and text.
 */
export class GateDecisionError extends Error {
  override readonly name = 'GateDecisionError'
  readonly code = 'GATE_DECISION_INVALID'
}

/** The text of a thrown value with the whole chain of its causes, outermost first. Never throws. */
export function causeChain(thrown: unknown): string {
  const texts: string[] = []
  const seen = new Set<unknown>()
  for (
    let at = thrown;
    at !== undefined && at !== null && !seen.has(at);
    at = partOf(at, 'cause')
  ) {
    seen.add(at)
    texts.push(textOf(at))
  }
  return texts.filter((text) => text !== '').join(': ') || 'unknown failure'
}

/** Anything can be thrown: an object without a prototype, or one whose getters throw. */
function textOf(thrown: unknown): string {
  const message = partOf(thrown, 'message')
  if (typeof message === 'string') return message
  try {
    return String(thrown)
  } catch {
    return 'an object'
  }
}

function partOf(thrown: unknown, key: 'cause' | 'message'): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  try {
    return (thrown as { readonly [key: string]: unknown })[key]
  } catch {
    return undefined
  }
}
