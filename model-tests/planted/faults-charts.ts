/**
 * Faults in the mailbox and in the charts: what is decided when, and in which order.
 *
 * @module
 */
import { type Fault, swapped } from './fault.ts'

export const MAILBOX: readonly Fault[] = [
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

export const MACHINES: readonly Fault[] = [
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
    'error-unannounced',
    'a turn that fails is closed without its error being sealed and announced',
    'machines/turn.machine.ts',
    "entry: ['seal and announce error', 'post gate.close'],",
    "entry: 'post gate.close',",
  ),
]
