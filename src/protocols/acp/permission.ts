/**
 * Questions about calls, put to a client as one choice, once.
 *
 * A1 Only the choice "allow once" allows. Another choice, an answer that is none, a cancel and a failure deny.
 * A2 A question that is closed here is taken back there; an answer that comes all the same changes nothing.
 * A3 What names no call cannot be shown to a client and is left to whoever else decides.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { ToolPreDecision } from '../../actors/gates.port.ts'
import { TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { PermissionRequest } from './acp-port.ts'

/** The choices of a client. */
export const CHOICES = [
  { optionId: 'allow-once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject-once', name: 'Reject once', kind: 'reject_once' },
] as const

/** A request that can be put to a client. */
export interface ClientQuestion {
  readonly call: string
  readonly tool: string
  readonly arguments: PermissionRequest['arguments']
  readonly prompt: string | undefined
}

/** Puts a question to a client. @returns its answer as it came. */
export type AskClient = (question: ClientQuestion, signal: AbortSignal) => Promise<unknown>

type Answer = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string }

/** Asks; never rejects. */
async function answerTo(
  ask: AskClient,
  question: ClientQuestion,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return readAnswer(await ask(question, signal))
  } catch {
    return { kind: 'deny', reason: 'the client failed to answer' }
  }
}

/** Anybody may have written this. */
function readAnswer(answer: unknown): Answer {
  const { outcome } = (answer ?? {}) as { readonly outcome?: unknown }
  const { outcome: kind, optionId } = (outcome ?? {}) as {
    readonly outcome?: unknown
    readonly optionId?: unknown
  }
  if (kind === 'selected' && optionId === 'allow-once') return { kind: 'allow' }
  if (kind === 'selected' && optionId === 'reject-once')
    return { kind: 'deny', reason: 'rejected by the user' }
  if (kind === 'cancelled') return { kind: 'deny', reason: 'the question was cancelled' }
  return { kind: 'deny', reason: 'the client gave an answer that is no choice' }
}

/** Asks for a gate. */
export async function askForGate(
  ask: AskClient | undefined,
  { call, tool, arguments: given, prompt, signal }: PermissionRequest,
  next: () => Promise<ToolPreDecision>,
): Promise<ToolPreDecision> {
  if (ask === undefined || call === undefined || call === '') return next()
  const question = { call, tool, arguments: given, prompt }
  const answer = await answerTo(ask, question, signal ?? new AbortController().signal)
  return answer.kind === 'allow' ? answer : { ...answer, by: 'acp' }
}

/** The open questions of one session. */
export class Permissions {
  private readonly agent: Agent
  private readonly ask: AskClient
  private readonly onFault: (error: unknown) => void
  private readonly open = new Map<string, AbortController>()

  constructor(agent: Agent, ask: AskClient, onFault: (error: unknown) => void) {
    this.agent = agent
    this.ask = ask
    this.onFault = onFault
  }

  /** Asks what was open before anybody listened. */
  begin(): void {
    for (const { call, question } of this.agent.approvals.open) this.put(call.key, question)
  }

  see(event: StoredEvent): void {
    if (event.type === 'approval/asked') this.put(event.data.call.key, event.data.question)
    if (event.type === 'approval/decided') this.takeBack(event.data.call.key)
  }

  /** Takes all of them back. */
  end(): void {
    for (const call of this.open.keys()) this.takeBack(call)
  }

  private put(call: string, question: StoredEvent<'approval/asked'>['data']['question']): void {
    const asking = new AbortController()
    this.open.set(call, asking)
    const { tool, arguments: given, prompt } = question
    void answerTo(this.ask, { call, tool, arguments: given, prompt }, asking.signal).then(
      (answer) => this.decide(call, asking, answer),
    )
  }

  private takeBack(call: string): void {
    const asking = this.open.get(call)
    this.open.delete(call)
    asking?.abort()
  }

  private decide(call: string, asking: AbortController, answer: Answer): void {
    if (asking.signal.aborted) return
    const reason = answer.kind === 'deny' ? { reason: answer.reason } : {}
    try {
      this.agent.approve(call, answer.kind, { by: 'acp', ...reason })
    } catch (error) {
      // Somebody else has closed it.
      if (error instanceof TurnwiseError && error.code === 'APPROVAL_CLOSED') return
      this.onFault(error)
    }
  }
}
