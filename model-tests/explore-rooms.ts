/**
 * What the explorer searches here: one room for each part of the lifecycle, each with a bound that can be exhausted.
 *
 * @module
 */
import type { AgentOptions } from '../src/index.ts'
import type { ExploreOptions } from '../src/testing/explore/options.ts'
import { body, BROKEN, deep, GRACE, ids, onItsWay } from './explore-parts.ts'
import { cuts, waits } from './explore-small-rooms.ts'

/** Everything that may be commanded while a turn with a tool runs. */
const commands: ExploreOptions = {
  agent: (hands): AgentOptions => ({ tools: [body(hands, 'work')], ...GRACE }),
  model: ['text "a" + gate g + text "b"', 'call c1 work'],
  budgets: { followup: 2, steer: 1, cancel: 1, 'cancel, keep': 1, dispose: 1, inside: 1 },
}

/** Every option of a cancel, and what goes back. */
const cancels: ExploreOptions = {
  agent: ({ decide }): AgentOptions => ({
    gates: {
      preStep: async ({ signal, batch }) => {
        const answer = await decide(
          'preStep',
          { enters: 'enters', rejects: 'rejects', restores: 'restores' },
          { signal, times: { restores: 1 } },
        )
        if (answer === 'enters') return { kind: 'enter', messages: batch }
        const restore = answer === 'restores' ? batch.map(({ id }) => id) : []
        return { kind: 'reject', reason: answer, restore }
      },
    },
    ...GRACE,
  }),
  model: ['text "done"'],
  budgets: {
    followup: 2,
    steer: 1,
    inject: 1,
    'cancel, restore': 1,
    'abort, restore': 1,
    abort: 1,
    dispose: 1,
    inside: 1,
  },
}

/** Gates at both ends of a step. */
const gates: ExploreOptions = {
  agent: ({ decide }): AgentOptions => ({
    gates: {
      preStep: async ({ signal }, next) => {
        const answer = await decide(
          'preStep',
          { asks: true, throws: BROKEN, empty: false },
          { signal },
        )
        return answer ? next() : { kind: 'enter', messages: [] }
      },
      continuation: ({ signal }) =>
        decide(
          'continuation',
          { default: 'default', continue: 'continue', stop: 'stop', throws: BROKEN } as const,
          { signal, times: { continue: 1 } },
        ),
      turnStopping: ({ signal }) =>
        decide('turnStopping', { accepts: undefined, throws: BROKEN }, { signal, deaf: true }),
    },
    ...GRACE,
  }),
  model: ['text "done"'],
  budgets: { followup: 2, steer: 1, cancel: 1, dispose: 1, inside: 1 },
}

/** Two calls side by side, one behind them, one of them deaf; approvals, and what is made of results. */
const tools: ExploreOptions = {
  agent: (hands): AgentOptions => ({
    tools: [body(hands, 'one'), body(hands, 'deaf', true), body(hands, 'alone')],
    gates: {
      toolPre: ({ tool }) => (tool === 'one' ? { kind: 'ask' } : { kind: 'allow' }),
      toolPost: async ({ tool, signal }, next) =>
        tool !== 'deaf' ||
        (await hands.decide('toolPost', { accepts: true, blocks: false }, { signal, deaf: true }))
          ? next()
          : { kind: 'block', feedback: 'no', contexts: [{ content: 'why' }] },
    },
    ids: ids(),
    ...GRACE,
  }),
  model: ['text "done"', 'call c1 one + call c2 deaf + call c3 alone'],
  budgets: { followup: 1, steer: 1, cancel: 1, dispose: 1, inside: 1 },
}

/** Failing, silent and cut streams, retries and back-off. */
const attempts: ExploreOptions = {
  agent: ({ decide, visit }): AgentOptions => ({
    drainGraceMs: 100,
    streamIdleMs: 1000,
    maxAttempts: 3,
    retry: { retries: 1, baseMs: 50, jitter: 0, codes: ['SERVER', 'TIMEOUT'] },
    gates: {
      requestError: async ({ signal }, next) => {
        await decide('requestError', { asks: true, throws: BROKEN }, { signal })
        const answer = await next()
        onItsWay(visit, 'retry')
        return answer
      },
      stepResult: ({ signal, message }) =>
        decide('stepResult', { keeps: message, throws: BROKEN }, { signal }),
    },
  }),
  model: [
    'text "done"',
    { say: 'stream "half" then error SERVER', name: 'breaks', times: 2 },
    { say: 'error AUTH', times: 1 },
    { say: 'hang-deaf "half"', name: 'deaf', times: 1 },
    { say: 'text "long", finish length', name: 'cut', times: 1 },
  ],
  budgets: { followup: 1, steer: 1, cancel: 1, dispose: 1, inside: 1, timer: 3 },
}

/** A log that is durable when the disk says so. */
const writes: ExploreOptions = {
  agent: (hands): AgentOptions => ({ tools: [body(hands, 'work')], ...GRACE }),
  model: ['text "done"', 'call c1 work'],
  log: { acknowledged: true, failures: 1 },
  budgets: { followup: 2, cancel: 1, 'cancel, keep': 1, dispose: 1, inside: 1, timer: 1 },
  places: ['durable', 'told', 'body', 'model', 'same'],
}

/** A log that refuses one append, whichever. */
const refusals: ExploreOptions = {
  agent: (hands): AgentOptions => ({ tools: [body(hands, 'work')], ...GRACE }),
  model: ['text "a" + gate g + text "b"', 'call c1 work', 'error AUTH'],
  budgets: {
    followup: 2,
    steer: 1,
    cancel: 1,
    'cancel, keep': 1,
    dispose: 1,
    refuse: 1,
    inside: 0,
  },
}

/** Throws of everything that is not the agent. */
const throwing: ExploreOptions = {
  ...gates,
  model: ['text "done"', 'call c1 work', 'error AUTH'],
  agent: (hands): AgentOptions => ({
    ...gates.agent?.(hands),
    tools: [body(hands, 'work')],
  }),
  budgets: { followup: 1, cancel: 1, dispose: 1, throw: 1, inside: 0 },
}

/** Tasks between turns, and turns without a request. */
const maintenance: ExploreOptions = {
  agent: (): AgentOptions => ({ ...GRACE }),
  model: ['text "done"'],
  budgets: {
    followup: 1,
    steer: 1,
    inject: 1,
    'inject a turn': 1,
    maintain: 1,
    cancel: 1,
    'cancel, keep': 1,
    dispose: 1,
    inside: 1,
  },
}

/** Edits of what pends. */
const edits: ExploreOptions = {
  agent: (hands): AgentOptions => ({ tools: [body(hands, 'work')], ...GRACE }),
  model: ['text "done"', 'call c1 work'],
  budgets: {
    followup: 2,
    inject: 1,
    'send without wake': 1,
    clear: 1,
    remove: 1,
    replace: 1,
    move: 1,
    'cancel, keep': 1,
    inside: 1,
  },
  inside: ['clear', 'remove', 'replace', 'move', 'cancel, keep'],
}

/** Commands inside the callbacks of commands inside callbacks. */
const nested: ExploreOptions = {
  agent: (): AgentOptions => ({ ...GRACE }),
  model: ['text "done"'],
  budgets: { followup: 2, steer: 1, cancel: 1, dispose: 1, inside: 2 },
  places: ['durable', 'told', 'abort', 'model'],
}

/** Answers that come when the turn that asked is over: everything is deaf. */
const late: ExploreOptions = {
  agent: (hands): AgentOptions => ({
    tools: [{ ...body(hands, 'deaf', true), timeoutMs: 500 }],
    gates: {
      preStep: async ({ signal }, next) => {
        const deaf = { signal, deaf: true }
        const enters = await hands.decide('preStep', { asks: true, rejects: false }, deaf)
        return enters ? next() : { kind: 'reject', reason: 'not this' }
      },
    },
    ...GRACE,
  }),
  model: ['text "done"', 'call c1 deaf', { say: 'hang-deaf "half"', name: 'deaf', times: 1 }],
  budgets: { followup: 2, cancel: 1, dispose: 1, inside: 0 },
}

/** Every room by its name, those first whose bound is soon exhausted. */
export const ROOMS = {
  late,
  waits,
  cuts: deep(cuts, { steer: 1 }),
  'deep gates': deep(gates, { steer: 1 }),
  'deep tools': deep({ ...tools, inside: ['cancel'] }, { inside: 1 }),
  'deep attempts': deep({ ...attempts, inside: ['cancel'] }, { inside: 1 }),
  'deep writes': deep(writes, { followup: 2 }),
  'deep commands': deep(commands, { followup: 2, steer: 1, abort: 1, 'cancel, keep': 1 }),
  'deep cancels': deep(cancels, { inject: 1, 'cancel, restore': 1, 'abort, restore': 1 }),
  nested,
  throwing,
  commands,
  cancels,
  gates,
  tools,
  attempts,
  writes,
  refusals,
  maintenance,
  edits,
} satisfies Record<string, ExploreOptions>

export type RoomName = keyof typeof ROOMS
