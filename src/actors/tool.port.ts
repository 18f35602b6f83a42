/**
 * The port of a tool: what the model may call.
 *
 * @module
 */
import type { Json } from '../events/json.ts'
import type { CallRef, ContentBlock, MessageInput } from '../events/message.ts'
import type { Approval } from './approval.port.ts'

/** The part of Standard Schema 1.1 that is used here (https://standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** The JSON Schema companion, where the vendor has it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** Answer of a validation. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly unknown[] | undefined
      }[]
    }

/** What a body may use while it runs. */
export interface ToolContext {
  readonly agent: string
  readonly turn: number
  readonly step: number
  /** `call.key` is unique in the session: use it as the idempotency key of a side effect. */
  readonly call: CallRef
  /** Follows the signal of the turn; it alone may also abort with a `TIMEOUT` reason. */
  readonly signal: AbortSignal
  /** Asks to end the turn after this step. Ignored if the call does not succeed. */
  readonly concludeTurn: () => void
  /** Adds context for the next step, behind all results of this one. Dropped if the result is blocked. */
  readonly addContext: (message: MessageInput) => void
}

/** What a body may return: a text, content blocks, or any lossless JSON (shown to the model as its JSON text). */
export type ToolReturn = string | readonly ContentBlock[] | Json | undefined | void

/** A tool. Make one with `defineTool`, which types `run` from `input`. */
export interface Tool<Input = never> {
  readonly name: string
  readonly description?: string
  /** Validates the arguments; without it any JSON object is accepted. */
  readonly input?: StandardSchema<Input>
  /** JSON Schema of the arguments; needed where `input` cannot export its own. */
  readonly parameters?: Json
  /**
   * May this call run beside others of its kind? Only exactly `true` counts; asked immediately before the start.
   * Default: no.
   */
  readonly parallel?: boolean | ((input: Input) => unknown)
  /** Calling it again after an unknown outcome is safe. Default: false. */
  readonly repeatable?: boolean
  /** Ms until the outcome is `TIMEOUT`; default: the agent's `toolTimeoutMs`. */
  readonly timeoutMs?: number
  /** Must somebody allow its calls? Default: what the agent's `approval` says. */
  readonly approval?: Approval
  /** Throwing makes an error outcome; a thrown string `code` is kept. */
  run(input: Input, context: ToolContext): ToolReturn | Promise<ToolReturn>
}

/** A tool of any input, as an agent holds it. */
export interface AnyTool extends Omit<Tool<never>, 'input'> {
  readonly input?: StandardSchema
}

/** Tools by name: a list, or a live registry that is read at every step and before every start. */
export type ToolSet = readonly AnyTool[] | { list(): Iterable<AnyTool> }
