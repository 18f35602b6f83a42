/**
 * Where the events of tool calls and approvals may stand.
 *
 * A call exists once its message is recorded. Calls of a truncated step are the exception: the message leaves them out,
 * and their `tool/call` is the first that is heard of them.
 *
 * @module
 */
import type { StepAt } from '../event.ts'
import type { CallRef, Outcome } from '../message.ts'
import type { Books, CallBook, StepBook } from './books.ts'
import { openOrStrayStep, openStep, refuse } from './rule.ts'
import type { RulesOf } from './rule.ts'

export const callRules: RulesOf<
  'tool/call' | 'tool/settled' | 'tool/result' | 'approval/asked' | 'approval/decided'
> = {
  'tool/call': {
    check(books, data) {
      const step = openStep(books, data)
      const { index, key } = data.call
      if (index < step.nextCall) {
        refuse(
          'call-order',
          `expected a call from index ${step.nextCall} on, found ${key} at ${index}`,
        )
      }
      if (index < step.calls.length) unanswered(step, data.call)
      else cutCall(step, data.call)
    },
    apply(books, data) {
      const step = openStep(books, data)
      step.nextCall = data.call.index + 1
      const known = step.calls[data.call.index]
      if (known !== undefined) known.called = true
      else {
        step.calls = [
          ...step.calls,
          { call: data.call, name: data.name, called: true, answered: false },
        ]
        step.unanswered++
      }
    },
  },
  'tool/settled': {
    check(books, data) {
      const call = unanswered(openStep(books, data), data.call)
      if (!call.called)
        refuse('called-first', `tool/settled of ${data.call.key} needs its tool/call`)
      if (call.settled !== undefined)
        refuse('settled-once', `call ${data.call.key} has settled already`)
    },
    apply(books, data) {
      callOf(books, data, data.call).settled = data.outcome
    },
  },
  'tool/result': {
    check(books, data) {
      const step = openOrStrayStep(books, data)
      const call = unanswered(step, data.call)
      if (!call.called && !neverCalled(step, data.call, data.outcome)) {
        refuse(
          'called-first',
          `tool/result of ${data.call.key} needs its tool/call, unless it never started`,
        )
      }
    },
    apply(books, data) {
      const step = openOrStrayStep(books, data)
      callOf(books, data, data.call).answered = true
      step.unanswered--
      if (!step.open && step.unanswered === 0) {
        books.straySteps = books.straySteps.filter((stray) => stray !== step)
      }
    },
  },
  'approval/asked': {
    check(books, data) {
      const step = openStep(books, data)
      unanswered(step, data.call)
      if (step.questions?.get(data.call.key) === 'open') {
        refuse('question-pairs', `call ${data.call.key} has an open question already`)
      }
    },
    apply(books, data) {
      const step = openStep(books, data)
      step.questions ??= new Map()
      step.questions.set(data.call.key, 'open')
    },
  },
  'approval/decided': {
    check(books, data) {
      const step = openOrStrayStep(books, data)
      if (step.questions?.get(data.call.key) !== 'open') {
        refuse('question-pairs', `call ${data.call.key} has no open question`)
      }
    },
    apply(books, data) {
      openOrStrayStep(books, data).questions?.set(data.call.key, data.answer)
    },
  },
}

function find(step: StepBook, call: CallRef): CallBook | undefined {
  const found = step.calls[call.index]
  return found?.call.key === call.key ? found : undefined
}

function callOf(books: Books, at: StepAt, call: CallRef): CallBook {
  return unanswered(openOrStrayStep(books, at), call)
}

/** A call of this step that has no result. */
function unanswered(step: StepBook, call: CallRef): CallBook {
  const found = find(step, call)
  if (found === undefined || found.answered) {
    refuse(
      'call-known',
      `step ${step.turn}.${step.step} has ${found === undefined ? 'no such call' : 'answered it already'}: ${call.key} at index ${call.index}`,
    )
  }
  return found
}

/** A call that the message leaves out: only a truncated one does, and it follows those that are known. */
function cutCall(step: StepBook, call: CallRef): void {
  const fresh = step.calls.every((known) => known.call.key !== call.key)
  if (!step.cut || call.index !== step.calls.length || !fresh) {
    refuse(
      'call-known',
      `step ${step.turn}.${step.step} has no call ${call.key} at index ${call.index}`,
    )
  }
}

/** A repair answers calls that never got as far as their `tool/call`. */
function neverCalled(step: StepBook, call: CallRef, outcome: Outcome): boolean {
  if (outcome.kind === 'error') return outcome.code === 'NOT_STARTED'
  const answer = step.questions?.get(call.key)
  return (
    outcome.kind === 'denied' && answer !== undefined && answer !== 'open' && answer !== 'allow'
  )
}
