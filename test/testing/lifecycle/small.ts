/**
 * A model of two states, small enough to write down what follows from it.
 */
import { createAgent } from '../../../src/actors/agent.ts'
import { lifecycleModel } from '../../../src/testing/lifecycle/lifecycle-model.ts'
import type { LifecycleModel } from '../../../src/testing/lifecycle/model.ts'

const { followup, hop, clear } = lifecycleModel.moves

/** An agent that takes a prompt, and whose gate lets nothing pass. */
export const small: LifecycleModel<'idle' | 'opening', 'followup' | 'hop' | 'clear'> = {
  name: 'small',
  initial: 'idle',
  remembers: lifecycleModel.remembers,
  states: {
    opening: {
      phase: 'turn',
      unsettled: 'hop',
      seen: () => true,
      on: { hop: 'idle' },
    },
    idle: {
      phase: 'idle',
      seen: () => true,
      on: { followup: 'opening', clear: { says: 'false' } },
    },
  },
  moves: { followup, hop, clear },
  commands: ['followup', 'clear'],
  agent: ({ options }) =>
    createAgent({
      ...options,
      gates: { preStep: () => ({ kind: 'reject', reason: 'not this' }) },
    }),
  checks: [],
}
