/**
 * The built-in model: what an agent may do, seen from outside.
 *
 * It knows nothing of charts, gates of machines or a mailbox; only where an agent can stand, what pends, and what each
 * command, answer and outcome leads to. Where it and an agent disagree, one of them is wrong.
 *
 * @module
 */
import { createAgent } from '../../actors/agent.ts'
import { closedQuestions } from './closed-questions.ts'
import { endingStates } from './ending.states.ts'
import { keptPrefix } from './kept-prefix.ts'
import type { LifecycleModel } from './model.ts'
import { moves } from './moves.ts'
import { AT_FIRST } from './remembered.ts'
import { turnStates } from './turn.states.ts'
import { COMMANDS, type LifecycleEvent, type LifecycleState } from './words.ts'

/** What an agent may do, seen from outside. Extend it with `extendModel`, walk it with `pathsOf` and `runPath`. */
export const lifecycleModel: LifecycleModel<LifecycleState, LifecycleEvent> = {
  name: 'lifecycle',
  initial: 'idle',
  remembers: AT_FIRST,
  states: { ...turnStates, ...endingStates },
  moves,
  commands: COMMANDS,
  agent: ({ options }) => createAgent(options),
  checks: [keptPrefix, closedQuestions],
}
