/**
 * Prompts of the draft of version 2: answered when they are accepted, any number of them; what the session is doing is told
 * apart from them.
 *
 * D1 A prompt is accepted by its durable insertion, and shown at that moment; prompts are sent in the order in which they
 *    came, however long their admission takes.
 * D2 `running`, `requires_action` and `idle` are told when they change, in one order with everything else that is told.
 * D3 A cancel reaches what runs and what is not accepted yet; an idle session is left alone.
 *
 * @module
 */
import type { AgentStatus } from '../../actors/agent-handle.ts'
import { causeChain } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { TurnReason } from '../../events/message.ts'
import { admit } from './admission.ts'
import type { Desk, DeskParts } from './desk.ts'
import { AcpFault, RPC } from './fault.ts'
import type { SessionState, Told } from './told.ts'

/** Who sends such prompts. They were accepted, so they wait as long as it takes. */
const ACCEPTED_ACTOR = 'acp-v2'

const ignore = (): void => {}

/** What counts when work comes to rest; a new one with each running interval. */
interface Interval {
  cancelled: boolean
  failure: string | undefined
  last: TurnReason | undefined
}

/** The desk of one session. */
export class StateDesk implements Desk {
  private readonly parts: DeskParts
  private readonly admissions = new Set<AbortController>()
  /** Resolves when the prompt before has been sent or given up. */
  private lane = Promise.resolve()
  private state: SessionState['state'] = 'idle'
  /** Calls that were begun and have no outcome, and calls that wait for an answer. */
  private readonly begun = new Set<string>()
  private readonly asked = new Set<string>()
  private interval: Interval = { cancelled: false, failure: undefined, last: undefined }

  constructor(parts: DeskParts) {
    this.parts = parts
    for (const { call } of parts.agent.approvals.open) this.asked.add(call.key)
    this.state = this.present()
  }

  async prompt(blocks: readonly unknown[], request: AbortSignal): Promise<object> {
    const admission = new AbortController()
    this.admissions.add(admission)
    const giveUp = (): void => admission.abort()
    if (request.aborted) giveUp()
    request.addEventListener('abort', giveUp)
    const sent = this.send(blocks, admission.signal, this.lane)
    this.lane = sent.then(ignore, ignore)
    try {
      return { messageId: await sent }
    } finally {
      this.admissions.delete(admission)
      request.removeEventListener('abort', giveUp)
    }
  }

  private async send(
    blocks: readonly unknown[],
    signal: AbortSignal,
    before: Promise<void>,
  ): Promise<string> {
    const { agent, options } = this.parts
    try {
      const content = await admit(agent.id, blocks, options, signal)
      await before
      if (!signal.aborted) return agent.followup({ content }, { actor: ACCEPTED_ACTOR })
    } catch (error) {
      if (!signal.aborted) throw error
    }
    throw new AcpFault(RPC.cancelled, 'the prompt was cancelled before it was accepted')
  }

  cancel(): void {
    for (const admission of this.admissions) admission.abort()
    const { agent } = this.parts
    if (agent.status !== 'running') return
    this.interval.cancelled = true
    agent.cancel('user', { actor: ACCEPTED_ACTOR })
  }

  see(event: StoredEvent): void {
    const { queue, teller } = this.parts
    const { type, data } = event
    if (type === 'inbox/inserted' && data.actor === ACCEPTED_ACTOR && data.mark === undefined) {
      const { id, content } = data.message
      queue.put(() => teller.parts('user', id, content))
    }
    if (type === 'turn/end') this.interval.last = data.reason
    this.count(event)
    if (this.state !== 'idle') this.become(this.present())
  }

  private count({ type, data }: StoredEvent): void {
    if (type === 'tool/call') this.begun.add(data.call.key)
    if (type === 'tool/settled' || type === 'tool/result') this.begun.delete(data.call.key)
    if (type === 'approval/asked') this.asked.add(data.call.key)
    if (type === 'approval/decided') this.asked.delete(data.call.key)
  }

  /** Nothing but an answer lets the work go on where every call that was begun waits for one. */
  private present(): 'idle' | 'running' | 'requires_action' {
    if (this.parts.agent.status !== 'running') return 'idle'
    const blocked = this.asked.size > 0 && [...this.begun].every((call) => this.asked.has(call))
    return blocked ? 'requires_action' : 'running'
  }

  private become(state: 'running' | 'requires_action' | 'idle'): void {
    if (state === this.state) return
    this.state = state
    const { interval } = this
    // Whether the output failed is known when its turn has come.
    this.parts.queue.put(() => [
      { kind: 'state', state: state === 'idle' ? over(interval) : { state } },
    ])
  }

  status(status: AgentStatus): void {
    if (status !== 'running') {
      this.become('idle')
      return
    }
    this.interval = { cancelled: false, failure: undefined, last: undefined }
    this.begun.clear()
    this.become(this.present())
  }

  outputFailed(error: unknown): void {
    this.interval.failure ??= `output failed: ${causeChain(error)}`
  }

  ending(): void {
    for (const admission of this.admissions) admission.abort()
  }

  snapshot(): readonly Told[] {
    return [{ kind: 'state', state: { state: this.present() } }]
  }
}

/** Why work came to rest. */
function over({ cancelled, failure, last }: Interval): SessionState {
  const disposed = last?.kind === 'aborted' && last.cause.kind === 'disposed'
  if (cancelled || disposed || last === undefined) return { state: 'idle', stopReason: 'cancelled' }
  const message = last.kind === 'error' ? `turn failed: ${last.message}` : failure
  if (message === undefined) return { state: 'idle', stopReason: 'end_turn' }
  return { state: 'idle', stopReason: 'error', error: { code: RPC.internal, message } }
}
