/**
 * What a tool's body gave back, as the outcome that is recorded.
 *
 * O1 Making an outcome never throws: whatever a body returned or threw, its call gets an answer.
 * O2 Only codes of this library and of classified failures are kept. A plain throw has no code, and so has a value
 *    that JSON cannot keep.
 *
 * @module
 */
import { causeChain, GateDecisionError, TurnwiseError } from '../errors.ts'
import { frozenJson } from './json.ts'
import type { Json } from './json.ts'
import type { ContentBlock, Outcome } from './message.ts'
import { checkContent, textContent } from './parse-content.ts'
import { ShapeError } from './shape.ts'

/** Codes that a body may throw and that are kept: what it knows about its own failure. */
const KEPT_CODES: ReadonlySet<unknown> = new Set([
  'ABORTED',
  'AUTH',
  'CONTEXT_OVERFLOW',
  'EMPTY_RESPONSE',
  'INVALID_ARGS',
  'OUTCOME_UNKNOWN',
  'RATE_LIMIT',
  'SERVER',
  'TIMEOUT',
  'TRANSPORT',
  'UNKNOWN_TOOL',
])

/** The outcome of a body that returned: a text, content blocks, nothing (`ok`), or JSON, shown to the model as its text. */
export function outcomeOf(returned: unknown): Outcome {
  if (typeof returned === 'string') return ok(textContent(returned))
  if (returned === undefined) return ok(textContent('ok'))
  try {
    const value = frozenJson(returned)
    const blocks = blocksOf(value)
    if (blocks !== undefined) return ok(blocks)
    return Object.freeze({
      kind: 'ok' as const,
      content: textContent(JSON.stringify(value)),
      value,
    })
  } catch (error) {
    return errorOutcome(new Error('the tool returned no lossless JSON', { cause: error }))
  }
}

/** The outcome of a body that threw. */
export function errorOutcome(thrown: unknown): Outcome {
  const content = textContent(`Error: ${causeChain(thrown)}`)
  const code = keptCode(thrown)
  return Object.freeze(
    code === undefined
      ? { kind: 'error' as const, content }
      : { kind: 'error' as const, code, content },
  )
}

/** What the model reads of an outcome; a file is named, not shown. */
export function textOfOutcome(outcome: Outcome): string {
  return outcome.content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type} ${block.mediaType}]`))
    .join('\n')
}

function ok(content: readonly ContentBlock[]): Outcome {
  return Object.freeze({ kind: 'ok' as const, content })
}

/** A list is content only if each of its parts is a whole block; any other list is plain JSON. */
function blocksOf(value: Json): readonly ContentBlock[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  try {
    return checkContent(value, '')
  } catch (error) {
    if (error instanceof ShapeError) return undefined
    throw error
  }
}

function keptCode(thrown: unknown): string | undefined {
  if (thrown instanceof GateDecisionError) return thrown.code
  if (thrown instanceof TurnwiseError) return thrown.code === 'UNKNOWN' ? undefined : thrown.code
  const code = codeOf(thrown)
  return KEPT_CODES.has(code) ? (code as string) : undefined
}

/** Anything can be thrown: also nothing, and objects whose getters throw. */
function codeOf(thrown: unknown): unknown {
  try {
    return (thrown as { readonly code?: unknown }).code
  } catch {
    return undefined
  }
}
