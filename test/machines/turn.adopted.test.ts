/**
 * The turn chart, played purely: a turn that was left waiting for an approval is taken over.
 */
import { expect, it } from 'vitest'
import { turnMachine } from '../../src/machines/turn.machine.ts'
import { Play } from './play.ts'

const ADOPTING = 'open.adopting: invoke step, send step.adopt'

it('goes on behind the step that it was left waiting in', () => {
  const turn = new Play(turnMachine, { continueNext: 'close', closedNext: 'done' })
  expect(turn.send('turn.adopt').send('step.ended').trace).toEqual([
    ADOPTING,
    'open.continuing: post gate.continue',
    'open.closing: append turn/end, post gate.closed',
    'open.resting: report turn.ended',
  ])
})

it('passes a cancel on to the step, which ends first', () => {
  const turn = new Play(turnMachine, {})
  expect(turn.send('turn.adopt').send('turn.abort').trace).toEqual([
    ADOPTING,
    'open.adopting: send step.abort',
  ])
})
