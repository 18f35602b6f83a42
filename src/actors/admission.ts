/**
 * The way of a batch from the inbox into a step: claim, assembly, the checkpoint before the gates, `preStep`, judgement.
 *
 * D1 One claim event names the ids of both lists, so a refused claim loses nothing.
 * D2 A decision is judged as a whole before the step opens: a bad one commits nothing.
 *
 * @module
 */
import type { InboxList } from '../events/event.ts'
import type { Message, MessageId, Source } from '../events/message.ts'
import { parsePreStepDecision } from '../events/parse-decision.ts'
import type { AdmissionHost, Receiver } from '../machines/ports.ts'
import type { AdmissionNext } from '../machines/turn.gates.ts'
import type { TurnEvents } from '../machines/turn.machine.ts'
import { entriesOf, type InboxEntry, unparked } from '../projections/inbox.ts'
import { assembleContext, assembleSystem, mustAssemble } from './assembly.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import type { Gate, GateAt, PreStepDecision } from './gates.port.ts'
import type { GateLists } from './read-options.ts'
import { type ClaimedEntry, newBoundary, type TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

const taken = (list: InboxList, entries: readonly InboxEntry[]): ClaimedEntry[] =>
  entries.map((entry) => ({ entry, list }))

/** What a boundary takes: all of next-step, at a turn boundary then the next-turn message (or all of them). */
export function claimable(core: Core, turnBoundary: boolean): ClaimedEntry[] {
  const { inbox } = core.state
  const nextStep = taken('next-step', entriesOf(inbox, 'next-step'))
  if (!turnBoundary) return nextStep
  const free = unparked(inbox, entriesOf(inbox, 'next-turn'))
  return [
    ...nextStep,
    ...taken('next-turn', core.settings.claim === 'all' ? free : free.slice(0, 1)),
  ]
}

const idsIn = (entries: readonly ClaimedEntry[], list: InboxList): MessageId[] =>
  entries.filter((claimed) => claimed.list === list).map(({ entry }) => entry.message.id)

/** Appends the claim of this boundary. @returns whether the log took it. */
function appendClaim(core: Core, turn: TurnRecord): boolean {
  const entries = claimable(core, turn.step === 0 && turn.claimed.length === 0)
  turn.boundary = newBoundary()
  const recorded = core.record({
    type: 'inbox/claimed',
    data: {
      turn: turn.turn,
      nextStep: idsIn(entries, 'next-step'),
      nextTurn: idsIn(entries, 'next-turn'),
    },
  })
  if (recorded === undefined) {
    turn.failure = turnFailure(core.refusal)
    turn.boundary.verdict = 'fail'
    return false
  }
  turn.claimed.push(...entries)
  turn.boundary.batch = entries.map(({ entry }) => entry.message)
  for (const { entry } of entries)
    core.notify({ type: 'claimed', message: entry.message, turn: turn.turn })
  return true
}

/** Those of services stand in front of the agent's own. */
const gatesOf = ({ services, settings }: Core): GateLists['preStep'] =>
  services.preStep.length === 0
    ? settings.gates.preStep
    : [...services.preStep, ...settings.gates.preStep]

/** The next word on the way into a step. */
export function admissionNext(core: Core, turn: TurnRecord): AdmissionNext {
  const { boundary } = turn
  if (boundary.verdict !== undefined) return boundary.verdict
  if (!boundary.assembled && mustAssemble(core)) return 'assemble'
  if (gatesOf(core).length === 0) return enter(turn, boundary.batch)
  if (!boundary.secured && core.outstanding() !== undefined) return 'secure'
  return boundary.asked ? 'fail' : 'ask'
}

/** Admits `messages`; a batch of nothing but context counts as empty, and an empty one needs an owed step. */
function enter(turn: TurnRecord, messages: readonly Message[]): AdmissionNext {
  const { context } = turn.boundary
  const empty = messages.every((message) => message === context)
  const batch = empty ? [] : messages
  if (empty && !owesStep(turn)) return (turn.boundary.verdict = 'empty')
  turn.batch = batch
  return (turn.boundary.verdict = 'enter')
}

/** Must another step follow although nothing was admitted? */
const owesStep = ({ step, end, decision }: TurnRecord): boolean =>
  step > 0 && ((end.kind === 'done' && end.owes) || decision === 'continue')

const fail = (turn: TurnRecord, error: unknown): AdmissionNext => {
  turn.failure = turnFailure(error)
  return (turn.boundary.verdict = 'fail')
}

/** Where the proposed step stands. */
export const gateAt = (core: Core, turn: TurnRecord, step: number): GateAt => ({
  agent: core.id,
  turn: turn.turn,
  step,
  signal: core.cancel.signal,
})

/** Assembles prompt and context; answers with the next word. */
function askAssembly(core: Core, turn: TurnRecord, to: Receiver<TurnEvents>): void {
  const at = gateAt(core, turn, turn.step + 1)
  const { cancel } = core
  const assemble = async (): Promise<void> => {
    turn.system = await assembleSystem(core.settings.system, at)
    if (cancel.aborted || turn.boundary.batch.length === 0) return
    const context = await assembleContext(core, at)
    if (context === undefined) return
    turn.boundary.context = context
    turn.boundary.batch = [context, ...turn.boundary.batch]
  }
  const answer = (next: AdmissionNext): void => {
    to.send({ type: 'assembly.ended', next })
  }
  core.ask(
    'gate',
    assemble,
    () => {
      turn.boundary.assembled = true
      answer(admissionNext(core, turn))
    },
    (error) => {
      answer(fail(turn, error))
    },
  )
}

/** Waits for the claim to be durable before foreign code sees the batch. */
function awaitClaim(core: Core, turn: TurnRecord, to: Receiver<TurnEvents>): void {
  const answer = (next: AdmissionNext): void => {
    to.send({ type: 'claim.secured', next })
  }
  core.await(
    core.outstanding() ?? Promise.resolve(),
    () => {
      turn.boundary.secured = true
      answer(admissionNext(core, turn))
    },
    (error) => {
      answer(fail(turn, error))
    },
  )
}

/** Asks the `preStep` gates about the batch. */
function askPreStep(core: Core, turn: TurnRecord, to: Receiver<TurnEvents>): void {
  const { batch } = turn.boundary
  Object.freeze(batch)
  const question = { ...gateAt(core, turn, turn.step + 1), batch }
  const answer = (next: AdmissionNext): void => {
    to.send({ type: 'preStep.answered', next })
  }
  turn.boundary.asked = true
  core.ask(
    'gate',
    () => waterfall(gatesOf(core), question, () => enterAll(batch), named),
    (decision) => {
      try {
        answer(judge(core, turn, decision))
      } catch (error) {
        answer(fail(turn, error))
      }
    },
    (error) => {
      answer(fail(turn, error))
    },
  )
}

const enterAll = (messages: readonly Message[]): PreStepDecision => ({ kind: 'enter', messages })

/** A rejection names the gate it came from. */
const named = (decision: PreStepDecision, gate: Gate<never, PreStepDecision>): PreStepDecision =>
  decision?.kind === 'reject' && decision.by === undefined
    ? { ...decision, by: gate.name === '' ? 'preStep' : gate.name }
    : decision

function judge(core: Core, turn: TurnRecord, answer: unknown): AdmissionNext {
  const { batch } = turn.boundary
  const { ledger } = core.log
  const decision = parsePreStepDecision(answer, {
    ids: core.settings.ids,
    source: GATE_SOURCE,
    batch,
    taken: (id) => ledger.isCommitted(id) || ledger.pendingIn(id) !== undefined,
  })
  if (decision.kind === 'enter') return enter(turn, decision.messages)
  turn.reason = { kind: 'blocked', by: decision.by ?? 'preStep', reason: decision.reason }
  turn.restore = decision.restore
  return (turn.boundary.verdict = 'reject')
}

/** Source of messages that a gate adds without naming one. */
const GATE_SOURCE: Source = Object.freeze({ kind: 'plugin', plugin: 'preStep' })

/** The host of the admission part of a turn. */
export class AdmissionDesk implements AdmissionHost {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord

  /** @param turnOf - the open turn. */
  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
  }

  appendClaim(): void {
    appendClaim(this.core, this.turnOf())
  }

  /** The first boundary of a turn lets the waking send return before anything else happens. */
  claimedNext(): AdmissionNext | 'yield' {
    const { boundary, step } = this.turnOf()
    return boundary.verdict === undefined && step === 0 ? 'yield' : this.admissionNext()
  }

  admissionNext(): AdmissionNext {
    return admissionNext(this.core, this.turnOf())
  }

  askAssembly(to: Receiver<TurnEvents>): void {
    askAssembly(this.core, this.turnOf(), to)
  }

  awaitClaim(to: Receiver<TurnEvents>): void {
    awaitClaim(this.core, this.turnOf(), to)
  }

  askPreStep(to: Receiver<TurnEvents>): void {
    askPreStep(this.core, this.turnOf(), to)
  }

  prepareStep(): void {
    this.turnOf().decision = undefined
  }
}
