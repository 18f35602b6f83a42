/**
 * One call of a step, from the message that named it to its outcome.
 *
 * @module
 */
import type { NewEvent, StepAt } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import type { Message, Outcome } from '../events/message.ts'
import type { ParsedToolPre } from '../events/parse-decision.ts'
import { unknownOutcome } from './open-brackets.ts'
import type { StreamedCall } from './streamed-blocks.ts'
import { parseArguments, validateInput, type ValidatedInput } from './tool-arguments.ts'
import { findTool } from './tool-headers.ts'
import type { AnyTool, ToolSet } from './tool.port.ts'

/** What is known of one call. */
export class ToolCall {
  readonly streamed: StreamedCall
  /** Parsed arguments, or the raw text. */
  readonly input: Json
  tool: AnyTool | undefined
  /** Seq of its `tool/call`. */
  seq: number | undefined
  started = false
  outcome: Outcome | undefined
  /** `toolPost` is not asked about it. */
  skipPost = false
  /** `toolPost` has answered, or is not waited for any more. */
  posted = false
  /** Its outcome is durable as `tool/settled`. */
  noted = false
  pre: ParsedToolPre | undefined
  /** What `toolPre` threw. */
  preFailure: { readonly error: unknown } | undefined
  /** The repeat guard wants a person to look at it. */
  mustAsk = false
  asked = false
  answer: { readonly allow: boolean; readonly by: string; readonly reason: string } | undefined
  /** Context of the tool and of `toolPost`, accepted with the result. */
  contexts: Message[] = []
  concludes = false
  dropTimeout: (() => void) | undefined
  private validated:
    | { readonly by: AnyTool; readonly input: ValidatedInput | Promise<ValidatedInput> }
    | undefined

  constructor(streamed: StreamedCall) {
    this.streamed = streamed
    this.input = parseArguments(streamed.arguments)
  }

  /** Its tool says that calling it again is safe. */
  get isRepeatable(): boolean {
    return this.tool?.repeatable === true
  }

  /** A person or a policy must allow it. What `toolPre` has refused, also by a throw, nobody is asked about. */
  get needsApproval(): boolean {
    const { pre, preFailure } = this
    return pre?.kind === 'ask' || (this.mustAsk && pre?.kind !== 'deny' && preFailure === undefined)
  }

  /** No question where a call of its tool was allowed before. The repeat guard asks all the same. */
  get asksOnce(): boolean {
    return this.pre?.kind === 'ask' && this.pre.once === true && !this.mustAsk
  }

  /** Nobody waits for its body or for `toolPost` any more. */
  abandon(): void {
    this.posted = true
    if (!this.started || this.outcome !== undefined) return
    this.dropTimeout?.()
    this.outcome = unknownOutcome(this.isRepeatable)
  }

  /** Validates once for each tool that answers to the name. */
  validate(tool: AnyTool): ValidatedInput | Promise<ValidatedInput> {
    if (this.validated?.by !== tool)
      this.validated = { by: tool, input: validateInput(tool, this.input) }
    return this.validated.input
  }

  /**
   * May it run beside others? Only a classifier that answers exactly `true` says so: an unknown tool, bad arguments and a
   * throwing classifier are exclusive, and so are arguments whose validation takes time.
   */
  isParallel(tool: AnyTool | undefined): boolean {
    const classifier = tool?.parallel
    if (tool === undefined || (classifier !== true && typeof classifier !== 'function'))
      return false
    const checked = this.validate(tool)
    if (checked instanceof Promise || !checked.ok) return false
    return classifier === true || saysParallel(classifier, checked.value)
  }
}

/** The event that says that `call` is about to run, or is answered without running. */
export function callEvent(at: StepAt, { streamed }: ToolCall, tools: ToolSet): NewEvent {
  const { call, name, arguments: raw } = streamed
  const repeats = findTool(tools, name)?.repeatable === true
  const repeatable = repeats ? { repeatable: true as const } : {}
  return { type: 'tool/call', data: { ...at, call, name, arguments: raw, ...repeatable } }
}

function saysParallel(classifier: (input: never) => unknown, input: unknown): boolean {
  try {
    return classifier(input as never) === true
  } catch {
    return false
  }
}
