/**
 * Agents at the moments at which a cancel finds them, and what it recorded.
 *
 * @module
 */
import type { CancelReceipt } from '../../src/actors/agent-handle.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { ofType, type Rig, type RigOptions, rig, say } from './rig.ts'

export const forever = (): Promise<never> => new Promise(() => {})

/** In the gate in front of the first step: a turn without one. */
export async function before(options: RigOptions = {}): Promise<Rig> {
  const made = rig({ gates: { preStep: forever }, ...options })
  made.agent.followup(say('A'))
  await settle()
  return made
}

/** A tool runs: the turn has a step. */
export async function inside(options: RigOptions = {}): Promise<Rig> {
  const made = rig({ model: ['call c1 t'], tools: [{ name: 't', run: forever }], ...options })
  made.agent.followup(say('A'))
  await settle()
  return made
}

/** What the cancels of the log say. */
export const requests = ({ agent }: Rig) =>
  ofType(agent, 'cancel/requested').map(({ data }) => data)

/** The receipt of a cancel that did nothing. */
export const none: CancelReceipt = { effect: 'none', discarded: [] }
