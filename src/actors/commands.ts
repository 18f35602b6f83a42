/**
 * How a call of the handle becomes a command: its message checked, its actor named, its place in the mailbox.
 *
 * N1 Faulty arguments and disposal throw at the call, in every position.
 * N2 Outside a move a command is applied before the call returns, and what it throws is thrown there.
 * N3 Inside a move it is queued and never throws at the call; what turns out wrong then goes to diagnostics.
 *
 * @module
 */
import { AgentDisposedError, TurnwiseError } from '../errors.ts'
import type { ActorName } from '../events/event.ts'
import type { Message, MessageInput, Source } from '../events/message.ts'
import { parseMessage } from '../events/parse-message.ts'
import type { Core } from './core.ts'
import { currentInitiator } from './initiator.ts'

/** Source of messages that a caller sends without naming one. */
export const USER: Source = Object.freeze({ kind: 'user' })

/** The commands of one agent. */
export class Commands {
  private readonly core: Core

  constructor(core: Core) {
    this.core = core
  }

  /** @throws TurnwiseError INVALID_MESSAGE, AgentDisposedError */
  parse(message: MessageInput, source: Source): Message {
    if (this.core.disposing) throw new AgentDisposedError(this.core.id)
    return parseMessage(message, this.core.settings.ids, source)
  }

  /** The given actor; by default the agent in whose gate or tool this is called, else `caller`. */
  actor(options: { readonly actor?: ActorName } | undefined): ActorName {
    if (options?.actor !== undefined) return options.actor
    const initiator = currentInitiator()
    return initiator === undefined ? 'caller' : `agent:${initiator.agent}`
  }

  /** @throws AgentDisposedError, and outside a move whatever `command` throws. */
  apply<T>(command: () => T): T | 'queued' {
    const { core } = this
    if (core.disposing) throw new AgentDisposedError(core.id)
    if (core.mailbox.busy) {
      core.mailbox.command(command)
      return 'queued'
    }
    const done: { answer?: { readonly value: T }; failure?: { readonly error: unknown } } = {}
    core.mailbox.command(() => {
      try {
        done.answer = { value: command() }
      } catch (error) {
        done.failure = { error }
      }
    })
    if (done.failure !== undefined) throw done.failure.error
    // A mailbox that was cut short goes on in a macrotask: the command waits there.
    return done.answer === undefined ? 'queued' : done.answer.value
  }

  /**
   * The refusal of a wait for oneself, which would never end; undefined where the wait is allowed. The rejection is
   * handled already, so that nobody needs to look at it.
   */
  selfWait(verb: string): Promise<never> | undefined {
    const { core } = this
    const initiator = currentInitiator()
    if (initiator?.agent !== core.id || !initiator.open || core.status === 'disposed')
      return undefined
    const refusal = Promise.reject(
      new TurnwiseError(
        'SELF_WAIT',
        `${verb}() of agent ${core.id} was awaited inside its own ${initiator.what}, which would wait for itself; only this promise rejects. Send instead, or do not await.`,
      ),
    )
    refusal.catch(() => {})
    return refusal
  }
}
