/** What is seen of a run beside its log: after a cancel, at rest, and in the handle. */
import { describe, expect, it } from 'vitest'
import { checkInvariants, type RunRecord } from '../../src/testing/check-invariants.ts'
import { parseLog } from '../../src/testing/parse-log.ts'

const LINES = [
  'inbox next-turn @0 +["A"]',
  'turn/start 1',
  'inbox next-turn @0 -1 claimed',
  'step/start 1.1',
  'user/message "A"',
  'assistant/message 1.1 call c1=t',
  'tool/call 1.1 c1 t',
]
const CANCELLED = parseLog([
  ...LINES,
  'cancel/requested user 1',
  'tool/result 1.1 c1 aborted',
  'step/end 1.1',
  'turn/end 1 aborted:user',
])
const cancel = CANCELLED.findIndex(({ type }) => type === 'cancel/requested')
const end = CANCELLED.length - 1
const call = CANCELLED.find((event) => event.type === 'tool/call')
const key = call?.type === 'tool/call' ? call.data.call.key : ''

const rules = (record: RunRecord, log = CANCELLED): string[] =>
  checkInvariants(log, record).map(({ invariant, rule, seq }) => `${invariant} ${rule} ${seq}`)

describe('after a cancel', () => {
  it('no request is made for its turn', () => {
    expect(rules({ requests: [{ turn: 1, length: cancel }] })).toEqual([])
    expect(rules({ requests: [{ turn: 1, length: cancel + 1 }] })).toEqual([
      `I-AUTH request-after-cancel ${cancel}`,
    ])
    expect(rules({ requests: [{ turn: 2, length: end + 3 }] })).toEqual([])
  })

  it('no body starts in it', () => {
    expect(rules({ bodies: [{ key, length: cancel }] })).toEqual([])
    expect(rules({ bodies: [{ key, length: end }] })).toEqual([
      `I-AUTH body-after-cancel ${cancel}`,
    ])
  })

  it('a body that returns in it is no success', () => {
    const ok = parseLog([...LINES, 'cancel/requested user 1', 'tool/result 1.1 c1 ok "1"'])
    const seen = (returned: number) => ({ bodies: [{ key, length: cancel, returned }] })
    expect(rules(seen(cancel), ok)).toEqual([])
    expect(rules(seen(cancel + 1), ok)).toEqual([`I-AUTH late-success ${cancel + 1}`])
  })

  it('its outcomes do not say of a body that ran that it never did', () => {
    const untrue = [
      ...CANCELLED.slice(0, cancel),
      ...parseLog([...LINES, 'tool/result 1.1 c1 error:ABORTED_BEFORE_DISPATCH']).slice(-1),
    ]
    expect(rules({ bodies: [key] }, untrue)).toEqual(['I-EFFECT outcome-true 7'])
    expect(rules({ bodies: [] }, untrue)).toEqual([])
  })

  it('an error that was announced seals its turn', () => {
    expect(rules({ errors: [{ turn: 1, length: cancel + 1 }] })).toEqual([])
    expect(rules({ errors: [{ turn: 1, length: cancel }] })).toEqual([`I-AUTH sealed ${cancel}`])
    expect(rules({ errors: [{ turn: 2, length: 0 }] })).toEqual([])
  })

  it('its signals have aborted, and none aborts behind its end', () => {
    expect(rules({ signals: [{ turn: 1, abortedAt: cancel }] })).toEqual([])
    expect(rules({ signals: [{ turn: null, abortedAt: null }] })).toEqual([])
    expect(rules({ signals: [{ turn: 1, abortedAt: null }] })).toEqual([
      `I-AUTH signal-follows ${cancel}`,
    ])
    expect(rules({ signals: [{ turn: 1, abortedAt: end + 1 }] })).toEqual([
      `I-AUTH signal-ends ${end}`,
    ])
  })

  it('no turn claims unless somebody has asked since', () => {
    const lines = [
      'inbox next-turn @0 +["A"]',
      'inbox next-turn @1 +["B"]',
      'turn/start 1',
      'inbox next-turn @0 -1 claimed',
      'cancel/requested user 1',
      'turn/end 1 aborted:user uncommitted ["A"]',
    ]
    const behind = ['turn/start 2', 'inbox next-turn @0 -1 claimed']
    const statuses: RunRecord['statuses'] = []
    expect(rules({ statuses }, parseLog([...lines, ...behind]))).toEqual(['I-AUTH asked-anew 7'])
    const asked = [...lines, 'inbox next-turn @1 +["C"]', ...behind]
    expect(rules({ statuses }, parseLog(asked))).toEqual([])
  })
})

const at = (record: RunRecord, log = CANCELLED): string[] => rules({ atRest: true, ...record }, log)

describe('at rest', () => {
  const idle = { status: 'idle', length: end + 1 }

  it('every disposal has ended', () => {
    const gone = [idle, { status: 'disposed', length: end + 1 }]
    expect(at({ disposals: [{ settled: true }], statuses: gone })).toEqual([])
    expect(at({ disposals: [{ settled: false }], statuses: gone })).toEqual([
      `I-IDLE dispose-converges ${end}`,
    ])
    expect(at({ disposals: [{ settled: true }], statuses: [idle] })).toEqual([
      `I-IDLE dispose-converges ${end}`,
    ])
  })

  it('the last status is no running one, and no timer waits', () => {
    expect(at({ statuses: [{ status: 'running', length: 1 }] })).toEqual([
      `I-IDLE rest-status ${end}`,
    ])
    expect(at({ timers: 1 })).toEqual([`I-TERMINAL timer-left ${end}`])
    expect(rules({ timers: 1 })).toEqual([])
  })

  it('no waking work is left that is not parked, unless a log that refused could not say so', () => {
    const log = parseLog(['inbox next-turn @0 +["A"]'])
    expect(at({ statuses: [] }, log)).toEqual(['I-IDLE rest-work 0'])
    expect(at({ statuses: [], refusals: [{ type: 'turn/start', length: 1 }] }, log)).toEqual([])
    expect(at({}, log)).toEqual([])
  })
})

it('idle with waking work is not judged once something was refused', () => {
  const log = parseLog(['inbox next-turn @0 +["A"]'])
  const statuses = [{ status: 'idle', length: 1 }]
  expect(rules({ statuses }, log)).toEqual(['I-IDLE idle-work 0'])
  expect(rules({ statuses, refusals: [{ type: 'turn/start', length: 1 }] }, log)).toEqual([])
  expect(rules({ statuses, refusals: [{ type: 'turn/start', length: 2 }] }, log)).toEqual([
    'I-IDLE idle-work 0',
  ])
})

it('a cancelled turn waits for what does not listen only as long as a timer says', () => {
  const log = CANCELLED.slice(0, end)
  const waits = [{ aborted: true }]
  expect(rules({ waits }, log)).toEqual([`I-AUTH abort-converges ${cancel}`])
  expect(rules({ waits, timers: 1 }, log)).toEqual([])
  expect(rules({ waits: [...waits, { aborted: false }] }, log)).toEqual([])
  expect(rules({ waits }, CANCELLED)).toEqual([])
  expect(rules({ waits }, CANCELLED.slice(0, cancel))).toEqual([])
})

it('the handle says what the log says is pending', () => {
  const log = parseLog(['inbox next-turn @0 +["A"]'])
  expect(rules({ inbox: { nextTurn: ['A'], nextStep: [] } }, log)).toEqual([])
  expect(rules({ inbox: { nextTurn: [], nextStep: ['A'] } }, log)).toEqual([
    'I-DERIVE inbox-view null',
  ])
})
