/**
 * Faults in what a cancel, a turn and an agent do.
 *
 * @module
 */
import { type Fault, swapped } from './fault.ts'

export const CANCELS: readonly Fault[] = [
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

export const TURNS: readonly Fault[] = [
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

export const LIVES: readonly Fault[] = [
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
