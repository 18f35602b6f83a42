/**
 * The planted faults: what has gone wrong in agent runtimes, made here on purpose, so that it is known which way of
 * exploring would notice it.
 *
 * @module
 */
import { type Fault, swapped } from './fault.ts'
import { FORGOTTEN_WINDOWS } from './windows.ts'

const MAILBOX: readonly Fault[] = [
  swapped(
    'gate-self-send',
    'a gate is sent by the machine to itself, not posted to the mailbox',
    'actors/core.ts',
    `    this.mailbox.post(() => {
      to.send(make())
    })`,
    '    to.send(make())',
  ),
  swapped(
    'one-lane',
    'commands wait behind the gates that were posted before them',
    'actors/mailbox.ts',
    'this.commands.shift() ?? this.moves.shift()',
    'this.moves.shift() ?? this.commands.shift()',
  ),
  swapped(
    'nested-entries',
    'a command of a callback is applied inside the append it was told of',
    'actors/mailbox.ts',
    `    this.commands.push(apply)
    this.drain()`,
    '    apply()\n    this.drain()',
  ),
  swapped(
    'late-answers',
    'an answer is taken although the activity that asked is over',
    'actors/core.ts',
    'if (this.activity === activity) move()',
    'move()',
  ),
  swapped(
    'convergence-at-once',
    'after an abort the turn closes in the tick of the cancel',
    'actors/core.ts',
    `    void SETTLED.then(() => {
      this.signal(() => {
        to.send(make())
      }, activity)
    })`,
    `    this.signal(() => {
      to.send(make())
    }, activity)`,
  ),
]

const MACHINES: readonly Fault[] = [
  swapped(
    'effect-in-append',
    'the transition that records a call also starts its body',
    'machines/step.calls.ts',
    "entry: ['append tool/call', 'post gate.admit'],",
    "entry: ['append tool/call', 'start body', 'post gate.admit'],",
  ),
  swapped(
    'stream-in-append',
    'the transition that opens a step also starts the model',
    'machines/step.machine.ts',
    "entry: ['append step/start and batch', 'post gate.compose'],",
    "entry: ['append step/start and batch', 'start attempt', 'post gate.compose'],",
  ),
  swapped(
    'idle-before-the-look',
    'idle is announced before anybody has looked at the queue',
    'machines/agent.machine.ts',
    "entry: 'post gate.decide',",
    "entry: ['notify idle', 'post gate.decide'],",
  ),
  swapped(
    'no-grace',
    'nobody limits how long a deaf body is waited for',
    'machines/step.calls.ts',
    "  entry: 'start grace',\n",
    '',
  ),
  swapped(
    'no-stream-grace',
    'nobody limits how long a deaf stream is waited for',
    'machines/step.machine.ts',
    "      entry: 'start grace',\n",
    '',
  ),
  swapped(
    'prefix-lost',
    'what was seen before an abort is thrown away',
    'machines/step.machine.ts',
    "entry: ['append interrupted assistant/message', 'post gate.close'],",
    "entry: ['post gate.close'],",
  ),
  swapped(
    'failure-unrecorded',
    'a failed attempt is forgotten when its recovery is cut',
    'machines/step.machine.ts',
    "on: { 'gate.note': 'noting' },",
    "on: { 'gate.note': 'closing' },",
  ),
  swapped(
    'questions-left-open',
    'an abort leaves the questions of approvals open',
    'machines/step.calls.ts',
    "entry: ['append withdrawn approval', 'post gate.drain'],",
    "entry: ['append synthetic outcome', 'post gate.drain'],",
  ),
  swapped(
    'seal-open-to-cancel',
    'a cancel changes the outcome of a turn whose error was announced',
    'machines/turn.machine.ts',
    "on: { 'gate.close': 'closing', 'turn.abort': {} },",
    "on: { 'gate.close': 'closing', 'turn.abort': 'converging' },",
  ),
]

const CANCELS: readonly Fault[] = [
  swapped(
    'record-before-abort',
    'the facts of a cancel are recorded, and only then is the signal aborted',
    'actors/cancel-desk.ts',
    '  activity.cancel.abort(request.reason)\n',
    '  queueMicrotask(() => activity.cancel.abort(request.reason))\n',
  ),
  swapped(
    'second-cause-wins',
    'a later cancel replaces the cause of the first',
    'actors/cancel-desk.ts',
    'if (activity.cause !== undefined || activity.sealed) return undefined',
    'if (activity.sealed) return undefined',
  ),
  swapped(
    'cancel-after-seal',
    'a cancel hits a turn whose outcome is sealed',
    'actors/cancel-desk.ts',
    'if (activity.cause !== undefined || activity.sealed) return undefined',
    'if (activity.cause !== undefined) return undefined',
  ),
  swapped(
    'cancel-keeps-queue',
    'a plain cancel leaves what is pending',
    'actors/cancel-desk.ts',
    'request.keepInbox ? [] : pendingEntries(core.state.inbox)',
    '[]',
  ),
  swapped(
    'keep-inbox-unrecorded',
    'a cancel that keeps the queue does not say that it parks',
    'actors/cancel-desk.ts',
    'const data = { cause, actor, keepInbox, resume,',
    'const data = { cause, actor, keepInbox, resume: true,',
  ),
  swapped(
    'stale-cancel',
    'a cancel aimed at a finished turn hits the next one',
    'actors/cancel-desk.ts',
    "if (isFinished(core, request.turn)) return noEffect('TURN_FINISHED')",
    '',
  ),
  swapped(
    'leaked-signal',
    'a body with a time limit does not hear of the abort of its turn',
    'actors/call-body.ts',
    'limit === Infinity ? core.cancel : new CancelSignal(core.cancel)',
    'limit === Infinity ? core.cancel : new CancelSignal()',
  ),
  swapped(
    'deaf-stream',
    'an attempt does not hear of the abort of its turn',
    'actors/attempt.ts',
    'this.cancel = new CancelSignal(core.cancel)',
    'this.cancel = new CancelSignal()',
  ),
]

const TURNS: readonly Fault[] = [
  swapped(
    'lost-latch',
    'a wake that came while an aborted turn closed is forgotten',
    'actors/agent-desk.ts',
    "    return this.goesOn ? 'turn' : 'rest'",
    "    return this.goesOn && core.state.lastTurn?.reason !== 'aborted' ? 'turn' : 'rest'",
  ),
  swapped(
    'never-goes-on',
    'after a turn the agent rests, whatever is pending',
    'actors/agent-desk.ts',
    "    return this.goesOn ? 'turn' : 'rest'",
    "    return 'rest'",
  ),
  swapped(
    'empty-turns',
    'a wake opens a turn although nothing is there to be claimed',
    'actors/agent-desk.ts',
    "    return this.hasWork ? 'turn' : 'rest'",
    "    return 'turn'",
  ),
  swapped(
    'claim-in-two',
    'a claim is recorded as two events, one for each list',
    'actors/admission.ts',
    `  const recorded = core.record({
    type: 'inbox/claimed',
    data: {
      turn: turn.turn,
      nextStep: idsIn(entries, 'next-step'),
      nextTurn: idsIn(entries, 'next-turn'),
    },
  })`,
    `  const first = idsIn(entries, 'next-step')
  if (first.length > 0)
    core.record({ type: 'inbox/claimed', data: { turn: turn.turn, nextStep: first, nextTurn: [] } })
  const recorded = core.record({
    type: 'inbox/claimed',
    data: { turn: turn.turn, nextStep: [], nextTurn: idsIn(entries, 'next-turn') },
  })`,
  ),
  swapped(
    'claims-without-preStep',
    'a gate that throws admits the batch',
    'actors/admission.ts',
    `const fail = (turn: TurnRecord, error: unknown): AdmissionNext => {
  turn.failure = turnFailure(error)
  return (turn.boundary.verdict = 'fail')
}`,
    `const fail = (turn: TurnRecord, _error: unknown): AdmissionNext => enter(turn, turn.boundary.batch)`,
  ),
  swapped(
    'outcome-not-sticky',
    'a truncated step is forgotten when a later step completes',
    'actors/continuation-desk.ts',
    "if (end.kind === 'done' && end.truncated) turn.truncated = true",
    "if (end.kind === 'done') turn.truncated = end.truncated",
  ),
  swapped(
    'uncommitted-unnamed',
    'the end of a turn does not name what it claimed and did not commit',
    'actors/closing-desk.ts',
    'const uncommitted = [...(core.log.ledger.turn?.claimed ?? [])]',
    'const uncommitted: never[] = []',
  ),
  swapped(
    'end-not-retried',
    'a refused end of a turn is given up at once',
    'actors/closing-desk.ts',
    'if (turn.refusals > 1) {',
    'if (turn.refusals > 0) {',
  ),
  swapped(
    'restored-wakes-lost',
    'what a cancel puts back comes back without asking for work',
    'actors/restoring.ts',
    '      wake: entry.wake,\n',
    '      wake: false,\n',
  ),
]

const STEPS: readonly Fault[] = [
  swapped(
    'no-synthetic-outcomes',
    'after an abort, calls that never ran are left without an outcome',
    'actors/calls-desk.ts',
    "return this.approvals.open.length > 0 ? 'withdraw' : 'answer'",
    "return this.approvals.open.length > 0 ? 'withdraw' : 'done'",
  ),
  swapped(
    'early-drain',
    'after an abort nobody waits for the bodies that run',
    'actors/calls-desk.ts',
    "    if (this.batch.running > 0) return 'wait'\n",
    '',
  ),
  swapped(
    'starts-after-abort',
    'after an abort the next call is started all the same',
    'actors/calls-desk.ts',
    'if (core.aborted || batch.stopped) return this.endNext()',
    'if (batch.stopped) return this.endNext()',
  ),
  swapped(
    'success-after-abort',
    'a body that succeeds after the abort counts as ok',
    'actors/call-body.ts',
    'return cancel.aborted ? ABORTED : concluded(call, outcomeOf(returned))',
    'return concluded(call, outcomeOf(returned))',
  ),
  swapped(
    'settled-unnoted',
    'an outcome that is known early becomes durable only in its turn',
    'actors/calls-desk.ts',
    'if (batch.isHeldUp || batch.hasUnknownBefore(call)) this.accounts.note(batch, call)',
    '',
  ),
  swapped(
    'late-settlement',
    'a body that settles after its outcome was given replaces it',
    'actors/calls-desk.ts',
    '      if (call.outcome !== undefined) return\n',
    '',
  ),
  swapped(
    'chunks-after-abort',
    'chunks that come after the abort are still recorded',
    'actors/attempt.ts',
    'if (this.over || this.cancel.aborted) {',
    'if (this.over) {',
  ),
  swapped(
    'failed-prefix-cited',
    'a message cites the chunks of the attempts before it too',
    'actors/commit-desk.ts',
    '      cites,\n',
    '      cites: cites.length > 0 ? [Math.max(0, (cites[0] ?? 0) - 1), ...cites] : cites,\n',
  ),
  swapped(
    'endless-retries',
    'nothing caps the attempts of a step',
    'actors/recovery-desk.ts',
    'const retry = wants && record.attempts < this.core.settings.maxAttempts',
    'const retry = wants',
  ),
  swapped(
    'retry-after-abort',
    'an attempt whose recovery was cut by an abort is repeated',
    'actors/recovery-desk.ts',
    'const wants = verdict.retry && !this.core.aborted',
    'const wants = verdict.retry',
  ),
]

const LIVES: readonly Fault[] = [
  swapped(
    'dispose-without-cancel',
    'dispose waits for the turn without aborting it',
    'actors/life.ts',
    '      this.cancel(requestOf(DISPOSED, options, actor))\n',
    '',
  ),
  swapped(
    'one-look',
    'waiters are let go without a second look',
    'actors/quiescence.ts',
    '      if (!this.isQuiet()) return\n      const',
    '      const',
  ),
  swapped(
    'deaf-to-steering',
    'what is steered into a turn waits for the next one',
    'machines/turn.gates.ts',
    "  return facts.pending ? 'claim' : 'admit'",
    "  return 'admit'",
  ),
  swapped(
    'silent-continuation',
    'a decision of the continuation gate is not recorded',
    'machines/turn.gates.ts',
    "  decision === 'continue' ? !owes : decision === 'stop' && owes",
    '  false && owes && decision',
  ),
]

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [
  ...MAILBOX,
  ...MACHINES,
  ...FORGOTTEN_WINDOWS,
  ...CANCELS,
  ...TURNS,
  ...STEPS,
  ...LIVES,
]
