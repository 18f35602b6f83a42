/**
 * One run of an explored agent: everything that waits, everything that was seen, and the places inside a move.
 *
 * W1 A run is a function of its moves: nothing here looks at real time or chance.
 * W2 A place is named by what happens there and by how often that happened in this move. At one place of a move one
 *    command is issued, on the stack of the callback.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../../actors/agent-handle.ts'
import type { Diagnostic } from '../../actors/agent-options.ts'
import { TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { MessageInput } from '../../events/message.ts'
import { type Commanded, COMMANDS, isCommand } from './commands.ts'
import { Decisions, type DecisionOwner } from './decisions.ts'
import { ExplorerClock } from './explorer-clock.ts'
import { ExplorerLog, ExplorerRefusal } from './explorer-log.ts'
import type { Hands } from './options.ts'
import { Places } from './places.ts'
import type { Plan } from './plan.ts'
import { type RanBody, Sightings } from './sightings.ts'
import type { Traced } from './traced.ts'
import { type Watcher, watched } from './watched.ts'
import { wordModel } from './words.ts'

/** What an injected throw throws. */
class ExplorerThrow extends Error {
  override readonly name = 'ExplorerThrow'
}

/** Codes with which an agent may refuse a command that comes at a bad time. */
const TIMING: ReadonlySet<string> = new Set(['AGENT_DISPOSED', 'AGENT_BUSY', 'APPROVAL_CLOSED'])

const WRITING = 'write'
const TASK = Object.freeze({ ends: undefined, fails: new Error('the task failed') })
const WRITE = Object.freeze({ acknowledged: undefined, fails: new Error('disk full') })

/** A run. */
export class World implements Commanded, DecisionOwner, Watcher {
  readonly agent: Agent
  readonly log: ExplorerLog
  readonly clock = new ExplorerClock(() => {
    this.changed()
  })
  readonly decisions = new Decisions(this)
  readonly seen = new Sightings()
  readonly notes: string[] = []
  readonly plan: Plan
  /** How often each budget was used on this path. */
  readonly used = new Map<string, number>()
  /** Places of the present move. */
  places = new Places({})
  /** Counts whatever happens: a run is quiet when it stands still. */
  changes = 0
  trace: ((traced: Traced) => void) | undefined
  private readonly hands: Hands
  private sent = 0

  constructor(plan: Plan) {
    this.plan = plan
    const write = (): Promise<void> =>
      this.decisions.decide(WRITING, WRITE, { times: { fails: plan.failures ?? 0 } })
    this.log = new ExplorerLog(
      ({ type }) => this.refuses(type),
      plan.failures === undefined ? undefined : write,
    )
    this.hands = {
      decide: (name, answers, options) => {
        this.trace?.({ what: 'asked', name })
        return this.decisions.decide(name, answers, options)
      },
      clock: this.clock.view(false),
      note: (word) => void this.notes.push(word),
      visit: (place) => {
        this.visit(place)
      },
    }
    this.log.observe((event) => {
      this.observed(event)
    })
    this.agent = this.makeAgent()
    this.agent.listen((notice) => {
      this.told(notice)
    })
    this.agent.onDispose(() => {
      this.visit('undo of dispose')
    })
  }

  private makeAgent(): Agent {
    const { plan, hands } = this
    const own = plan.agentOf(hands)
    const clock = this.clock.view(true)
    const model = own.model ?? wordModel(plan.words, hands, clock)
    return plan.create({
      ...watched({ ...own, model }, this),
      clock,
      log: this.log,
      onDiagnostic: (diagnostic) => {
        this.diagnosed(diagnostic)
      },
    })
  }

  get message(): MessageInput {
    this.sent += 1
    return { id: `m${this.sent}`, content: `m${this.sent}` }
  }

  get openTurn(): number | null {
    return this.log.ledger.openTurn
  }

  changed(): void {
    this.changes += 1
  }

  /** A place inside a move has come. */
  visit(place: string): void {
    this.changes += 1
    const command = this.places.come(place)
    if (command === undefined) return
    this.trace?.({ what: 'issue', place, command })
    if (command === 'throw') {
      this.spend('throw')
      throw new ExplorerThrow(`thrown inside ${place}`)
    }
    this.issueInside(command)
  }

  requested(turn: number): void {
    this.seen.requests.push({ turn, length: this.log.length })
  }

  ran(key: string): () => void {
    const body: RanBody = { key, length: this.log.length }
    this.seen.bodies.push(body)
    return () => {
      body.returned = this.log.length
    }
  }

  watchSignal(): () => void {
    const signal = { turn: this.openTurn, abortedAt: null as number | null }
    this.seen.signals.push(signal)
    return () => {
      signal.abortedAt = this.log.length
    }
  }

  task(signal: AbortSignal): Promise<void> {
    return this.decisions.decide('task', TASK, { signal })
  }

  promised(what: 'dispose' | 'maintain', promise: Promise<unknown>): void {
    if (what === 'dispose') this.seen.follow(this.seen.disposals, promise)
    else promise.catch(() => {})
  }

  spend(budget: string): void {
    this.used.set(budget, (this.used.get(budget) ?? 0) + 1)
  }

  /** How often it may still be done on this path. */
  left(budget: string, bound = this.plan.budgets.get(budget) ?? 0): number {
    return bound - (this.used.get(budget) ?? 0)
  }

  /** Issues a command inside a callback. */
  private issueInside(command: string): void {
    this.spend('inside')
    this.issue(command)
  }

  /** Issues a command; what it may throw because of its time is no fault. */
  issue(command: string): void {
    this.spend(command)
    try {
      if (isCommand(command)) COMMANDS[command](this)
      else this.plan.own[command]?.issue(this.agent, this.hands)
    } catch (error) {
      if (error instanceof ExplorerRefusal) return
      if (error instanceof TurnwiseError && TIMING.has(error.code)) return
      this.seen.faults.push(`${command} threw ${String(error)}`)
    }
  }

  /** Gives an answer. */
  settle(label: string, answer: string): void {
    const name = label.replace(/ #\d+$/, '')
    this.spend(`${name}=${answer}`)
    if (name === WRITING && answer === 'fails')
      this.seen.refusals.push({ type: 'write', length: this.log.length })
    this.decisions.settle(label, answer)
  }

  /** Time passes over a write: whoever waits for it may give up, and the log does not say so. */
  lateWrites(): void {
    const { log, seen, plan } = this
    if (plan.failures === undefined || log.acknowledged >= log.length) return
    seen.refusals.push({ type: 'write', length: log.length })
  }

  /** Waits for quiescence, as somebody does who has sent something, and who may go on right then. */
  wait(): void {
    if (Sightings.open(this.seen.waiters) > 1) return
    const idle = this.agent.whenIdle()
    this.seen.follow(this.seen.waiters, idle)
    void idle.then(() => {
      this.visit('waited')
    })
  }

  private refuses(type: string): boolean {
    const refused = this.places.append(type)
    if (!refused) return false
    this.spend('refuse')
    this.seen.refusals.push({ type, length: this.log.length })
    this.trace?.({ what: 'refused', type })
    return true
  }

  private observed(event: StoredEvent): void {
    this.trace?.({ what: 'event', event })
    this.visit(`durable ${event.type}`)
  }

  private told(notice: LiveNotice): void {
    if (notice.type === 'status') {
      const { status } = notice
      this.seen.statuses.push({ status, length: this.log.length })
      this.trace?.({ what: 'status', status })
      this.visit(`told ${status}`)
    } else {
      if (notice.type === 'error')
        this.seen.errors.push({ turn: notice.turn, length: this.log.length })
      this.visit(`told ${notice.type}`)
    }
  }

  /** An error that is neither a refusal nor thrown by the explorer is a fault of the agent. */
  private diagnosed({ kind, error, message }: Diagnostic): void {
    const known = error instanceof ExplorerRefusal || error instanceof ExplorerThrow
    if (kind !== 'command' || known || error instanceof TurnwiseError) return
    this.seen.faults.push(`the agent broke: ${message}`)
  }
}
