/**
 * What is decided about turns: when one opens, when the agent rests, when it is gone.
 *
 * A1 `deciding` is one gate: after `turn/end` the next turn opens or idle is announced, without an await.
 * A2 A turn opens only if its boundary would claim something.
 * A3 The turn actor is made when the agent starts to run and is reused until it rests.
 * A4 A turn is left open only by `agent.suspend`, while it does nothing but wait for an approval.
 *
 * @module
 */
import { sendTo, setup } from 'xstate'
import type { AgentHost } from './ports.ts'
import { turnMachine } from './turn.machine.ts'

/** What comes next for the agent: a turn, rest, the end, or first a wait for the log. */
export type AgentNext = 'turn' | 'rest' | 'leave' | 'secure'

export type AgentMachineEvents =
  | { type: 'agent.wake' }
  | { type: 'agent.cancel' }
  | { type: 'agent.dispose' }
  | { type: 'agent.maintain' }
  | { type: 'agent.injectTurn' }
  | { type: 'agent.adopt' }
  | { type: 'agent.suspend' }
  | { type: 'turn.ended' }
  | { type: 'maintenance.ended' }
  | { type: 'log.secured' }
  | { type: 'log.flushed' }
  | { type: 'gate.wake'; next: AgentNext }
  | { type: 'gate.start'; next: AgentNext }
  | { type: 'gate.decide'; next: AgentNext }
  | { type: 'gate.dispose'; next: 'flush' | 'leave' }
  | { type: 'gate.leave' }

/** The machine carries nothing but its host: every fact travels in a gate. */
export interface AgentMachineContext {
  host: AgentHost
}

const is = (event: AgentMachineEvents, next: string): boolean =>
  'next' in event && event.next === next

export const agentMachine = setup({
  types: {} as {
    context: AgentMachineContext
    input: { host: AgentHost }
    events: AgentMachineEvents
    children: { turn: 'turn' }
    tags: 'cancel-window'
  },
  actors: { turn: turnMachine },
  guards: {
    'opens a turn': ({ event }) => is(event, 'turn'),
    leaves: ({ event }) => is(event, 'leave'),
    'waits for the log': ({ event }) => is(event, 'secure'),
    'must flush': ({ event }) => is(event, 'flush'),
  },
  actions: {
    'post gate.wake': ({ context: { host }, self }) => {
      host.post(self, () => ({ type: 'gate.wake', next: host.wakeNext() }))
    },
    'post gate.start': ({ context: { host }, self }) => {
      host.post(self, () => ({ type: 'gate.start', next: host.wakeNext() }))
    },
    'post gate.decide': ({ context: { host }, self }) => {
      host.post(self, () => ({ type: 'gate.decide', next: host.decideNext() }))
    },
    'post gate.dispose': ({ context: { host }, self }) => {
      host.post(self, () => ({ type: 'gate.dispose', next: host.disposeNext() }))
    },
    'post gate.leave': ({ context: { host }, self }) => {
      host.post(self, () => ({ type: 'gate.leave' }))
    },
    'open activity': ({ context: { host } }) => {
      host.openActivity()
    },
    'send turn.open': sendTo('turn', { type: 'turn.open' }),
    'send turn.adopt': sendTo('turn', { type: 'turn.adopt' }),
    'send turn.abort': sendTo('turn', { type: 'turn.abort' }),
    'notify running': ({ context: { host } }) => {
      host.notifyStatus('running')
    },
    'notify idle': ({ context: { host } }) => {
      host.notifyStatus('idle')
    },
    'notify disposed': ({ context: { host } }) => {
      host.notifyStatus('disposed')
    },
    'start maintenance': ({ context: { host }, self }) => {
      host.startMaintenance(self)
    },
    'start wait for the log': ({ context: { host }, self }) => {
      host.awaitTurnEnd(self)
    },
    'start flush': ({ context: { host }, self }) => {
      host.startFlush(self)
    },
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({ host: input.host }),
  initial: 'idle',
  states: {
    idle: {
      description: 'Nothing runs and nothing will start by itself.',
      on: {
        'agent.wake': 'waking',
        'agent.injectTurn': 'starting',
        'agent.adopt': 'running.adopting',
        'agent.maintain': 'maintenance',
        'agent.dispose': 'disposing',
      },
    },
    waking: {
      description: 'Waking input may be pending; nothing is announced yet.',
      entry: 'post gate.wake',
      on: {
        'gate.wake': [
          { guard: 'opens a turn', target: 'starting' },
          { guard: 'leaves', target: 'disposing' },
          { target: 'idle' },
        ],
      },
    },
    starting: {
      description: 'Running is announced and no turn exists yet.',
      entry: ['notify running', 'post gate.start'],
      on: {
        'gate.start': [
          { guard: 'opens a turn', target: 'running', actions: 'open activity' },
          { guard: 'leaves', target: 'disposing' },
          { target: 'idle', actions: 'notify idle' },
        ],
      },
    },
    running: {
      description: 'One turn after another; the turn actor is made here and reused.',
      invoke: {
        id: 'turn',
        src: 'turn',
        input: ({ context }) => ({ host: context.host.turnHost }),
      },
      initial: 'turning',
      states: {
        turning: {
          description: 'A turn is open.',
          entry: 'send turn.open',
          on: {
            'turn.ended': 'deciding',
            'agent.cancel': { actions: 'send turn.abort' },
            'agent.suspend': '#agent.disposing',
          },
        },
        adopting: {
          description: 'A turn that was left waiting for an approval is taken over.',
          entry: 'send turn.adopt',
          on: {
            'turn.ended': 'deciding',
            'agent.cancel': { actions: 'send turn.abort' },
            'agent.suspend': '#agent.disposing',
          },
        },
        deciding: {
          description: 'The turn is over; the next one or rest is decided at once.',
          entry: 'post gate.decide',
          on: {
            'gate.decide': [
              { guard: 'opens a turn', target: 'turning', actions: 'open activity' },
              { guard: 'waits for the log', target: 'securing' },
              { guard: 'leaves', target: '#agent.disposing' },
              { target: '#agent.idle', actions: 'notify idle' },
            ],
          },
        },
        securing: {
          description: 'Waits until turn/end is durable, at most the drain grace.',
          entry: 'start wait for the log',
          on: { 'log.secured': 'deciding' },
        },
      },
    },
    maintenance: {
      description: 'A task runs while the status stays idle; wakes wait.',
      entry: 'start maintenance',
      on: { 'maintenance.ended': 'waking' },
    },
    disposing: {
      description: 'Nothing is accepted any more.',
      entry: 'post gate.dispose',
      on: { 'gate.dispose': [{ guard: 'must flush', target: 'flushing' }, { target: 'leaving' }] },
    },
    flushing: {
      description: 'Waits until the log has written or has failed.',
      entry: 'start flush',
      on: { 'log.flushed': 'leaving' },
    },
    leaving: {
      description: 'Announces idle if it was running, then ends.',
      entry: ['notify idle', 'post gate.leave'],
      on: { 'gate.leave': 'disposed' },
    },
    disposed: {
      description: 'Over; only the log is left.',
      type: 'final',
      entry: 'notify disposed',
    },
  },
})
