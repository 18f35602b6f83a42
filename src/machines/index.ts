/**
 * The three charts, for tools that read them: graph generators, diagrams, Stately Studio.
 *
 * @module
 */
export { machineMermaid, type MermaidOptions } from '../inspect/mermaid.ts'
export { agentMachine } from './agent.machine.ts'
export type { AgentMachineContext, AgentMachineEvents, AgentNext } from './agent.machine.ts'
export { stepMachine } from './step.machine.ts'
export type { StepEvents } from './step.events.ts'
export type { StepMachineContext } from './step.machine.ts'
export { turnMachine } from './turn.machine.ts'
export type { TurnEvents, TurnMachineContext } from './turn.machine.ts'
export type { AgentHost, Posting, Receiver, StepHost, TurnHost } from './ports.ts'
