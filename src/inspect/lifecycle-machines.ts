/**
 * The three charts of an agent, outermost first.
 *
 * @module
 */
import type { AnyStateMachine } from 'xstate'
import { agentMachine } from '../machines/agent.machine.ts'
import { stepMachine } from '../machines/step.machine.ts'
import { turnMachine } from '../machines/turn.machine.ts'

/** Agent, turn and step. */
export const lifecycleMachines: readonly AnyStateMachine[] = [
  agentMachine,
  turnMachine,
  stepMachine,
]
