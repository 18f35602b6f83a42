/**
 * Prompts of version 1: one at a time, each answered when its work is over.
 *
 * S1 The slot is taken before anything is waited for, and let go only when the session is quiescent and the client was
 *    told everything.
 * S2 Between the last look at a cancel and the sending nothing is waited for: a prompt that was cancelled is never sent.
 * S3 A cancel reaches other work only while the prompt is sent and unanswered.
 * S4 A message that still waits when its slot lets go is withdrawn, so that it never runs.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../actors/agent-handle.ts'
import { doorOf } from '../../actors/service-door.ts'
import { causeChain, TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { MessageId } from '../../events/message.ts'
import { admit } from './admission.ts'
import type { Desk, DeskParts } from './desk.ts'
import { AcpFault, invalidParams, RPC } from './fault.ts'
import { CANCELLED, PromptSlot, type Verdict } from './prompt-slot.ts'

/** Who sends such prompts. What it left behind in a log was promised to be taken back. */
export const SLOT_ACTOR = 'acp'

/** The desk of one session. */
export class SlotDesk implements Desk {
  private readonly parts: DeskParts
  private slot: PromptSlot | undefined
  private answer: ((verdict: Verdict) => void) | undefined

  constructor(parts: DeskParts) {
    this.parts = parts
  }

  prompt(blocks: readonly unknown[], request: AbortSignal): Promise<object> {
    if (this.slot !== undefined)
      throw invalidParams('a prompt of this session is still under way: one at a time')
    const slot = new PromptSlot(randomUUID())
    this.slot = slot
    const giveUp = (): void => {
      if (this.slot === slot) this.cancel()
    }
    if (request.aborted) slot.cancel()
    request.addEventListener('abort', giveUp)
    const answered = new Promise<object>((resolve, reject) => {
      this.answer = (verdict) => {
        slot.answered = true
        if (verdict.kind === 'stopped') resolve({ stopReason: verdict.stopReason })
        else reject(new AcpFault(RPC.internal, verdict.message, { code: verdict.code }))
      }
      this.carry(slot, blocks)
        .then(this.answer, reject)
        .finally(() => {
          this.slot = undefined
          request.removeEventListener('abort', giveUp)
        })
    })
    return answered
  }

  cancel(): void {
    const { slot } = this
    if (slot === undefined || slot.answered) return
    slot.cancel()
    if (slot.sent) this.parts.agent.cancel('user', { actor: SLOT_ACTOR })
  }

  see(event: StoredEvent): void {
    const { slot, answer } = this
    const rejection = slot?.see(event)
    if (rejection === undefined) return
    // The client hears of nothing that a crash could undo.
    const tell = (): void => {
      if (slot?.answered === false && !slot.isCancelled) answer?.(rejection)
    }
    void Promise.resolve(this.parts.agent.log.flush()).then(tell, tell)
  }

  status(): void {}

  outputFailed(error: unknown): void {
    this.slot?.outputFailed(`output failed: ${causeChain(error)}`)
  }

  ending(): void {
    if (this.slot?.sent === true) withdraw(this.parts.agent, this.slot.id)
  }

  snapshot(): readonly [] {
    return []
  }

  private async carry(slot: PromptSlot, blocks: readonly unknown[]): Promise<Verdict> {
    const { agent, queue, options } = this.parts
    const content = await admit(agent.id, blocks, options, slot.admission.signal).catch(
      (error: unknown) => {
        if (slot.isCancelled) return []
        throw error
      },
    )
    if (slot.isCancelled) return CANCELLED
    slot.sent = true
    try {
      agent.followup({ id: slot.id, content }, { actor: SLOT_ACTOR })
    } catch (error) {
      throw notQueued(error)
    }
    await agent.whenIdle()
    withdraw(agent, slot.id)
    await queue.drained()
    if (agent.status === 'disposed') slot.agentDisposed()
    return slot.verdict
  }
}

/** Takes a message back that still waits. */
function withdraw(agent: Agent, id: MessageId): void {
  const { nextTurn, nextStep } = agent.inbox
  const waits = [...nextTurn, ...nextStep].some(({ message }) => message.id === id)
  if (waits && agent.status !== 'disposed') doorOf(agent).withdraw(id, SLOT_ACTOR)
}

/**
 * Takes back what a process that died had promised to take back: its client was never told that these prompts ran, and
 * nobody waits for them.
 */
export function withdrawAbandoned(agent: Agent): void {
  const { nextTurn, nextStep } = agent.inbox
  const waiting = new Set([...nextTurn, ...nextStep].map(({ message }) => message.id))
  if (waiting.size === 0) return
  const abandoned = agent.log
    .read()
    .flatMap(({ type, data }) =>
      type === 'inbox/inserted' && data.actor === SLOT_ACTOR && waiting.has(data.message.id)
        ? [data.message.id]
        : [],
    )
  for (const id of abandoned) withdraw(agent, id)
}

const notQueued = (error: unknown): AcpFault =>
  new AcpFault(RPC.internal, 'prompt was not queued', {
    code: error instanceof TurnwiseError ? error.code : 'UNKNOWN',
    details: error instanceof TurnwiseError ? error.summary : causeChain(error),
  })
