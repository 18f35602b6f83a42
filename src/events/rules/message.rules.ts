/**
 * Where messages, requests and attempts may stand.
 *
 * @module
 */
import type { CoreEvents } from '../event.ts'
import type { ToolCallBlock } from '../message.ts'
import type { Books, StepBook } from './books.ts'
import {
  duplicate,
  freshId,
  noOpenStep,
  openOrStrayStep,
  openStep,
  openTurn,
  refuse,
} from './rule.ts'
import type { RulesOf } from './rule.ts'

export const messageRules: RulesOf<
  | 'user/message'
  | 'context/message'
  | 'request/header'
  | 'request/context'
  | 'assistant/chunk'
  | 'request/failed'
  | 'assistant/message'
> = {
  'user/message': {
    check(books, data) {
      openStep(books, data)
      if (books.lastType !== 'step/start' && books.lastType !== 'user/message') {
        refuse(
          'batch-first',
          `user/message must stand directly behind step/start or another one, found it behind ${books.lastType}`,
        )
      }
      if (books.fate(data.message.id) !== 'claimed') freshId(books, data.message.id)
    },
    apply(books, data) {
      commit(books, data.message.id)
    },
  },
  'context/message': {
    check(books, data) {
      openTurn(books, data.turn)
      noOpenStep(books, 'context/message')
      if (books.lastStep !== 0) {
        refuse(
          'injection-turn',
          `context/message needs a turn without steps, but turn ${data.turn} has ${books.lastStep}`,
        )
      }
      freshId(books, data.message.id)
    },
    apply(books, data) {
      if (books.turn !== null) books.turn.injection = true
      books.setFate(data.message.id, 'committed')
    },
  },
  'request/header': { check: inStep, apply() {} },
  'request/context': { check: inStep, apply() {} },
  'assistant/chunk': {
    check(books, data) {
      inAttempt(openStep(books, data), data.attempt)
    },
    apply(books) {
      if (books.step !== null) books.step.streamed = true
    },
  },
  'request/failed': {
    check(books, data) {
      inAttempt(openStep(books, data), data.attempt)
    },
    apply(books, data) {
      const step = books.step
      if (step === null) return
      step.streamed = false
      if (data.action === 'retry') step.attempt++
      else step.failed = true
    },
  },
  'assistant/message': {
    check: checkMessage,
    apply: applyMessage,
  },
}

function inStep(
  books: Books,
  data: CoreEvents['request/header'] | CoreEvents['request/context'],
): void {
  openStep(books, data)
}

function inAttempt(step: StepBook, attempt: number): void {
  if (attempt === step.attempt && !step.answered && !step.failed) return
  const state = step.answered
    ? 'has its message'
    : step.failed
      ? 'failed for good'
      : `is at attempt ${step.attempt}`
  refuse(
    'attempt-order',
    `step ${step.turn}.${step.step} takes nothing of attempt ${attempt}: it ${state}`,
  )
}

function commit(books: Books, id: string): void {
  const turn = books.turn
  if (turn !== null && books.fate(id) === 'claimed')
    turn.claimed.splice(turn.claimed.indexOf(id), 1)
  books.setFate(id, 'committed')
}

function checkMessage(books: Books, data: CoreEvents['assistant/message']): void {
  const step = data.interrupted === true ? openOrStrayStep(books, data) : openStep(books, data)
  const at = `step ${data.turn}.${data.step}`
  if (step.answered || !step.open) refuse('one-message', `${at} takes no other assistant/message`)
  if (step.failed) refuse('attempt-order', `${at} failed for good, so it takes no message`)
  const calls = callsOf(data)
  if (data.interrupted === true && calls.length > 0) {
    refuse(
      'interrupted-calls',
      `an interrupted message drops its calls, found ${calls.length} in ${at}`,
    )
  }
  checkCalls(calls)
}

function checkCalls(calls: readonly ToolCallBlock[]): void {
  if (calls.length === 0) return
  const keys = new Set<string>()
  for (const [i, block] of calls.entries()) {
    const { index, key } = block.call
    if (index !== i)
      refuse('call-order', `expected call ${i} of the message to have index ${i}, found ${index}`)
    if (keys.has(key)) duplicate(key, 'named twice by the message')
    keys.add(key)
  }
}

function applyMessage(books: Books, data: CoreEvents['assistant/message']): void {
  const step = openOrStrayStep(books, data)
  step.answered = true
  step.cut = data.finish === 'max-tokens'
  const calls = callsOf(data)
  if (calls.length === 0) return
  step.calls = calls.map((block) => ({
    call: block.call,
    name: block.name,
    called: false,
    answered: false,
  }))
  step.unanswered = calls.length
}

const NONE: readonly ToolCallBlock[] = []

function callsOf(data: CoreEvents['assistant/message']): readonly ToolCallBlock[] {
  const content = data.message.content
  const calls = content.filter((block): block is ToolCallBlock => block.type === 'tool-call')
  return calls.length === 0 ? NONE : calls
}
