/**
 * Planted faults of what stands where: one of each enclosure rule at least.
 *
 * @module
 */
import { parseLog } from '../../src/testing/parse-log.ts'
import { fault, Patient, type Planted } from './patient.ts'

const LINES = [
  'inbox next-turn @0 +["A"]',
  'inbox next-step @0 +["X" <plugin>]',
  'turn/start 1',
  'inbox next-step @0 -1 claimed',
  'inbox next-turn @0 -1 claimed',
  'step/start 1.1',
  'user/message "X" <plugin>',
  'user/message "A"',
  'request/failed 1.1 #1 SERVER retry +10ms',
  'assistant/message 1.1 call c1=t + call c2=t',
  'tool/call 1.1 c1 t',
  'tool/call 1.1 c2 t',
  'tool/settled 1.1 c2 ok "2"',
  'tool/result 1.1 c1 ok "1"',
  'tool/result 1.1 c2 ok "2"',
  'step/end 1.1',
  'step/start 1.2',
  'assistant/message 1.2 "done"',
  'step/end 1.2',
  'turn/end 1 completed',
  'inbox next-turn @0 +["B"]',
  'inbox next-turn @1 +["C"]',
]

/** A log of one turn with everything that stands in a step, and two pending prompts. */
export const patient = (): Patient => new Patient(parseLog(LINES))

const AT = { turn: 1, step: 1 }
const step = (n: number) => ({ turn: 1, step: n })
const say = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })
const message = (id: string) => ({
  id,
  role: 'user',
  content: [{ type: 'text', text: id }],
  source: { kind: 'user' },
})
const inserted = (id: string, more: object = {}) => ({
  type: 'inbox/inserted',
  data: {
    target: 'next-turn',
    index: 0,
    message: message(id),
    wake: true,
    actor: 'caller',
    ...more,
  },
})
const turnEnd = (turn: number, more: object = {}) => ({
  type: 'turn/end',
  data: { turn, reason: { kind: 'completed' }, uncommitted: [], ...more },
})
const cancel = (more: object) => ({
  type: 'cancel/requested',
  data: {
    cause: { kind: 'user' },
    actor: 'u',
    keepInbox: true,
    resume: false,
    turn: null,
    discarded: [],
    ...more,
  },
})
const question = { tool: 't', arguments: {} }

/** Faults of what stands where. */
export const ENCLOSURE: readonly Planted[] = [
  fault('a turn opens while one is open', 'no-open-turn', 18, (log) => {
    log.put(log.find('step/end', 1), { type: 'turn/start', data: { turn: 2 } }, turnEnd(2))
    log.drop(log.find('turn/end', 1))
  }),
  fault('a turn number is left out', 'next-turn-number', 21, (log) =>
    log.put(undefined, { type: 'turn/start', data: { turn: 3 } }),
  ),
  fault('a turn ends twice', 'open-turn', 21, (log) => log.put(undefined, turnEnd(1))),
  fault('a step opens inside a step', 'no-open-step', 14, (log) => {
    log.drop(log.find('step/end'))
  }),
  fault('a claim stands inside a step', 'no-open-step', 7, (log) =>
    log.put(log.find('user/message', 1), {
      type: 'inbox/claimed',
      data: { turn: 1, nextStep: [], nextTurn: [] },
    }),
  ),
  fault('a step number is used twice', 'next-step-number', 15, (log) => {
    log.find('step/start', 1).data['step'] = 1
  }),
  fault('a message stands in a step that is closed', 'open-step', 15, (log) =>
    log.put(log.find('step/end'), {
      type: 'assistant/message',
      data: { ...AT, message: say('late') },
    }),
  ),
  fault('a user message comes behind the request', 'batch-first', 8, (log) =>
    log.put(log.find('request/failed'), {
      type: 'user/message',
      data: { ...AT, message: message('Z') },
    }),
  ),
  fault('a step has two messages', 'one-message', 9, (log) =>
    log.put(log.find('assistant/message'), {
      type: 'assistant/message',
      data: { ...AT, message: say('two') },
    }),
  ),
  fault('a chunk belongs to an attempt that is over', 'attempt-order', 8, (log) =>
    log.put(log.find('request/failed'), {
      type: 'assistant/chunk',
      data: { ...AT, attempt: 1, chunk: { kind: 'text-delta', block: 0, text: 'x' } },
    }),
  ),
  fault(
    'a step closes over a streamed attempt and the turn completes',
    'open-attempt',
    18,
    (log) => {
      const said = log.find('assistant/message', 1)
      log.put(said, {
        type: 'assistant/chunk',
        data: { ...step(2), attempt: 1, chunk: { kind: 'text-delta', block: 0, text: 'x' } },
      })
      log.drop(said)
    },
  ),
  fault('calls are recorded in another order', 'call-order', 10, (log) => {
    const first = log.find('tool/call')
    log.drop(first)
    log.put(log.find('tool/call'), first as never)
  }),
  fault('a result answers a call that nobody made', 'call-known', 12, (log) => {
    log.find('tool/result').data['call'] = { key: 'nobody', index: 7, providerId: 'c9' }
  }),
  fault('a call is answered twice', 'call-known', 13, (log) => {
    log.put(log.find('tool/result'), log.find('tool/result') as never)
  }),
  fault('a call without tool/call succeeds', 'called-first', 10, (log) => {
    log.drop(log.find('tool/call', 1))
    log.drop(log.find('tool/settled'))
    log.drop(log.find('tool/result'))
  }),
  fault('a call settles twice', 'settled-once', 12, (log) =>
    log.put(log.find('tool/settled'), log.find('tool/settled') as never),
  ),
  fault('a step closes over an unanswered call', 'unanswered-call', 13, (log) =>
    log.drop(log.find('tool/result', 1)),
  ),
  fault('a context message stands in a turn with steps', 'injection-turn', 18, (log) =>
    log.put(log.find('step/end', 1), {
      type: 'context/message',
      data: { turn: 1, message: message('Z') },
    }),
  ),
  fault('a message is claimed that is not pending', 'pending-id', 3, (log) => {
    log.find('inbox/claimed').data['nextTurn'] = ['nobody']
  }),
  fault('a message is claimed twice', 'pending-id', 4, (log) =>
    log.put(log.find('inbox/claimed'), log.find('inbox/claimed') as never),
  ),
  fault('a pending id is inserted again', 'duplicate-id', 21, (log) =>
    log.put(undefined, inserted('B')),
  ),
  fault('a committed id is inserted again', 'duplicate-id', 21, (log) =>
    log.put(undefined, inserted('A')),
  ),
  fault('an insertion stands behind the end of its list', 'index-range', 19, (log) => {
    log.find('inbox/inserted', 2).data['index'] = 4
  }),
  fault('a turn end hides an uncommitted message', 'uncommitted-ids', 17, (log) =>
    log.drop(log.find('user/message', 1)),
  ),
  fault('a turn end names a message that was committed', 'uncommitted-ids', 18, (log) => {
    log.find('turn/end').data['uncommitted'] = ['A']
  }),
  fault('an approval is decided that nobody asked for', 'question-pairs', 10, (log) =>
    log.put(log.find('tool/call'), {
      type: 'approval/decided',
      data: { ...AT, call: log.find('tool/call').data['call'], answer: 'allow', by: 'u' },
    }),
  ),
  fault('an approval is asked twice', 'question-pairs', 11, (log) => {
    const asked = {
      type: 'approval/asked',
      data: { ...AT, call: log.find('tool/call').data['call'], question },
    }
    log.put(log.find('tool/call'), asked, asked)
  }),
  fault('a cancel names a pending message as discarded', 'cancel-names', 21, (log) =>
    log.put(undefined, cancel({ discarded: ['B'] })),
  ),
  fault('a compaction ends that never began', 'compaction-pairs', 21, (log) =>
    log.put(undefined, {
      type: 'compaction/end',
      data: { turn: null, range: { from: 0, to: 1 }, outcome: 'completed' },
    }),
  ),
  fault('a compaction covers events to come', 'index-range', 21, (log) =>
    log.put(undefined, {
      type: 'compaction/start',
      data: { turn: null, range: { from: 0, to: 99 } },
    }),
  ),
  fault('an event cites a later one', 'earlier-cites', 12, (log) => {
    log.find('tool/result').cites = [99]
  }),
  fault('an interrupted message holds calls', 'interrupted-calls', 8, (log) => {
    log.find('assistant/message').data['interrupted'] = true
  }),
  fault('a gate decides inside a step', 'no-open-step', 17, (log) =>
    log.put(log.find('assistant/message', 1), {
      type: 'gate/decided',
      data: { ...step(2), gate: 'continuation', decision: 'stop', by: 'g' },
    }),
  ),
]
