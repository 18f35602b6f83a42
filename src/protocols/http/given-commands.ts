/**
 * The fields of a cancel and of answers to approvals.
 *
 * @module
 */
import type { CancelOptions, CauseInput } from '../../actors/agent-handle.ts'
import type { CallAnswer } from '../../actors/approval.port.ts'
import { asInteger, asList, asName, asText, asWord } from '../../events/shape.ts'
import { parseCause } from '../../events/parse-message.ts'
import { asFlag, Given } from '../json-rpc/given.ts'

/** @throws ShapeError; TurnwiseError INVALID_OPTION for a cause that no caller may give. */
export function cancelOf(given: Given): CancelOptions & { readonly cause: CauseInput } {
  const { cause = 'user' } = given.maybe('cause', (value) => parseCause(value as CauseInput))
  const options = {
    ...given.maybe('keepInbox', asFlag),
    ...given.maybe('resume', asFlag),
    ...given.maybe('restoreClaimed', asFlag),
    ...given.maybe('turn', (value, path) => asInteger(value, path, 1)),
  }
  given.none()
  return { cause, ...options }
}

const ANSWERS = ['allow', 'deny'] as const

function answerOf(value: unknown, by: string): CallAnswer {
  const given = new Given(value)
  const call = given.need('call', asName)
  const answer = given.need('answer', (word, path) => asWord(word, path, ANSWERS))
  const reason = given.maybe('reason', asText)
  given.none()
  return { call, answer, by, ...reason }
}

/** @throws ShapeError */
export function answersOf(given: Given, by: string): readonly CallAnswer[] {
  const answers = given.need('answers', asList).map((value) => answerOf(value, by))
  given.none()
  return answers
}
