/**
 * The gates of a stage: `preStep` and `turnStopping` always wait for a move, the others when they are armed.
 *
 * After an abort they answer, and let pass, when it is too late: nobody may wait for them, or listen.
 *
 * @module
 */
import type { SystemPrompt } from '../../actors/agent-options.ts'
import type { Gate, Gates } from '../../actors/gates.port.ts'
import type { Holds } from './holds.ts'

/**
 * A gate that waits as `name`. Settled with a function, it answers what that says of the question; otherwise it passes
 * the question on.
 */
const waiting =
  <Question, Answer>(holds: Holds, name: string, always = false): Gate<Question, Answer> =>
  async (question, next) => {
    if (!always && !holds.takesArmed(name)) return next()
    const answer = await holds.waitLate(name, question.signal)
    return typeof answer === 'function'
      ? (answer as Gate<Question, Answer>)(question, next)
      : next()
  }

/** Makes them. */
export const stageGates = (holds: Holds): Gates => ({
  preStep: waiting(holds, 'preStep', true),
  request: waiting(holds, 'request'),
  requestError: waiting(holds, 'requestError'),
  stepResult: waiting(holds, 'stepResult'),
  toolPre: waiting(holds, 'toolPre'),
  toolPost: waiting(holds, 'toolPost'),
  continuation: waiting(holds, 'continuation'),
  turnStopping: waiting(holds, 'turnStopping', true),
})

/** A system prompt whose assembly waits as `assembly` when that is armed. */
export const stageSystem =
  (holds: Holds): SystemPrompt =>
  async ({ signal }) => {
    if (holds.takesArmed('assembly')) await holds.waitLate('assembly', signal)
    return 'Stage.'
  }
