/**
 * Faults in what a step does: its attempts, its calls, its message.
 *
 * @module
 */
import { type Fault, swapped } from './fault.ts'

export const STEPS: readonly Fault[] = [
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
    'time-limit-waits',
    'a body that does not heed its time limit is waited for all the same',
    'actors/call-body.ts',
    '      settle(timeoutOutcome(limit))\n',
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
