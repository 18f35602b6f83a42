/**
 * Where sessions, turns and steps may open and close.
 *
 * A step closes in one of two ways: in its turn, or much later by the repair of a log whose process died. The second
 * way is open only for steps and turns that are known to be left open.
 *
 * @module
 */
import type { CoreEvents, StepAt } from '../event.ts'
import type { MessageId } from '../message.ts'
import { StepBook, TurnBook } from './books.ts'
import type { Books } from './books.ts'
import { noOpenStep, noOpenTurn, openOrStrayStep, openTurn, refuse } from './rule.ts'
import type { RulesOf } from './rule.ts'

export const turnRules: RulesOf<
  'session/opened' | 'turn/start' | 'turn/end' | 'step/start' | 'step/end' | 'gate/decided'
> = {
  'session/opened': {
    check(books, data) {
      if (data.how === 'resume' && books.standsStill) return
      noOpenTurn(books, 'session/opened')
    },
    apply(books, data) {
      if (data.how === 'fork' && data.inheritInbox !== true) forgetPending(books)
    },
  },
  'turn/start': {
    check(books, data, loading) {
      if (!loading) noOpenTurn(books, 'turn/start')
      if (data.turn !== books.lastTurn + 1) {
        refuse('next-turn-number', `expected turn ${books.lastTurn + 1}, found turn ${data.turn}`)
      }
    },
    apply(books, data) {
      leaveStep(books)
      if (books.turn !== null) books.strayTurns = [...books.strayTurns, books.turn]
      books.turn = new TurnBook(data.turn)
      books.openTurn = data.turn
      books.lastTurn = data.turn
      books.lastStep = 0
    },
  },
  'turn/end': {
    check(books, data, loading) {
      const stray = books.strayTurns.find((turn) => turn.turn === data.turn)
      const turn = stray ?? openTurn(books, data.turn)
      if (!loading) closedSteps(books, data.turn)
      mayEnd(turn, data)
      sameIds(turn.claimed, data.uncommitted)
    },
    apply(books, data) {
      for (const id of data.uncommitted) books.setFate(id, undefined)
      if (books.turn?.turn !== data.turn) {
        books.strayTurns = books.strayTurns.filter((turn) => turn.turn !== data.turn)
        return
      }
      leaveStep(books)
      books.turn = null
      books.openTurn = null
    },
  },
  'step/start': {
    check(books, data, loading) {
      const turn = openTurn(books, data.turn)
      if (!loading) noOpenStep(books, 'step/start')
      if (data.step !== books.lastStep + 1) {
        refuse('next-step-number', `expected step ${books.lastStep + 1}, found step ${data.step}`)
      }
      if (turn.injection)
        refuse('injection-turn', `turn ${data.turn} holds a context/message, so it takes no step`)
      if (turn.unfinished && !loading) {
        refuse(
          'open-attempt',
          `the last step of turn ${data.turn} left its attempt open, so the turn takes no other step`,
        )
      }
    },
    apply(books, data) {
      leaveStep(books)
      books.step = new StepBook(data.turn, data.step)
      books.openStep = data.step
      books.lastStep = data.step
    },
  },
  'step/end': {
    check(books, data, loading) {
      const step = openOrStrayStep(books, data)
      if (!step.open) refuse('open-step', `step ${data.turn}.${data.step} is closed already`)
      if (!loading) allAnswered(step)
    },
    apply(books, data) {
      closeStep(books, data)
    },
  },
  'gate/decided': {
    check(books, data) {
      openTurn(books, data.turn)
      noOpenStep(books, 'gate/decided')
      if (data.step !== books.lastStep) {
        refuse('open-step', `expected the last step (${books.lastStep}), found step ${data.step}`)
      }
    },
    apply() {},
  },
}

/** Takes the open step out of the way; it stays known as left open. */
function leaveStep(books: Books): void {
  if (books.step === null) return
  books.straySteps = [...books.straySteps, books.step]
  books.step = null
  books.openStep = null
}

function closeStep(books: Books, at: StepAt): void {
  const step = openOrStrayStep(books, at)
  step.open = false
  if (books.turn !== null && books.turn.turn === at.turn)
    books.turn.unfinished = step.streamed && !step.answered
  if (step !== books.step) {
    if (step.unanswered === 0) books.straySteps = books.straySteps.filter((stray) => stray !== step)
    return
  }
  if (step.unanswered > 0) books.straySteps = [...books.straySteps, step]
  books.step = null
  books.openStep = null
}

function allAnswered(step: StepBook): void {
  if (step.unanswered === 0) return
  const names = step.calls.filter((call) => !call.answered).map((call) => call.call.key)
  refuse(
    'unanswered-call',
    `step ${step.turn}.${step.step} may not close over calls without a result: ${names.join(', ')}`,
  )
}

/** Nothing of the turn is open any more. */
function closedSteps(books: Books, turn: number): void {
  if (books.step?.turn === turn) noOpenStep(books, 'turn/end')
  for (const step of books.straySteps) {
    if (step.turn !== turn) continue
    if (step.open)
      refuse(
        'no-open-step',
        `turn/end needs no open step, but step ${turn}.${step.step} was left open`,
      )
    allAnswered(step)
  }
}

function mayEnd(turn: TurnBook, data: CoreEvents['turn/end']): void {
  const kind = data.reason.kind
  if (!turn.unfinished || kind === 'aborted' || kind === 'error' || kind === 'interrupted') return
  refuse(
    'open-attempt',
    `the last step of turn ${data.turn} left its attempt open, so the turn may not end ${kind}`,
  )
}

function sameIds(claimed: readonly MessageId[], named: readonly MessageId[]): void {
  if (claimed.length === named.length && claimed.every((id, i) => id === named[i])) return
  refuse(
    'uncommitted-ids',
    `expected every claimed id that was not committed, in claim order (${JSON.stringify(claimed)}), found ${JSON.stringify(named)}`,
  )
}

function forgetPending(books: Books): void {
  for (const [id, fate] of books.fates ?? []) {
    if (fate === 'next-turn' || fate === 'next-step') books.setFate(id, undefined)
  }
}
