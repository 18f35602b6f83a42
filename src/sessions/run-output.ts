/**
 * The data that a run is to answer with: how the model is asked for it, and what its answer is worth.
 *
 * U1 There is output only if the last turn of the interval completed and its final response, as a whole, is JSON that fits.
 * U2 The model is told of what does not fit once; a broken schema is not its fault, and is not told.
 *
 * @module
 */
import type { OutputFault, RunOutput, RunResult } from '../actors/run.port.ts'
import { exportsJsonSchema, issueTexts, jsonSchemaOf } from '../actors/schema-issues.ts'
import type { StandardSchema } from '../actors/tool.port.ts'
import { causeChain } from '../errors.ts'
import type { Json } from '../events/json.ts'
import type { ContentBlock, MessageInput } from '../events/message.ts'

/** What an answer came to. */
export interface Judged {
  readonly output: RunOutput<unknown>
  /** What the model is told, where it may do better. */
  readonly repair: MessageInput | undefined
}

/** A model may put its JSON into one fenced block, and nothing else around it. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/

const ASKED =
  'Give your final answer as one JSON value and nothing else, without any text around it.'

const fault = (code: OutputFault['code'], message: string, issues: readonly string[] = []) => ({
  outputFault: Object.freeze({ code, message, issues }),
})

/** What somebody wants to be answered with. */
export class OutputWish {
  private readonly schema: StandardSchema
  private readonly shown: Json | undefined

  /** @param json - JSON Schema for the model; default: what `schema` exports, if it can. */
  constructor(schema: StandardSchema, json: Json | undefined) {
    this.schema = schema
    this.shown = json ?? exported(schema)
  }

  /** What the model is asked for. */
  get instruction(): string {
    const { shown } = this
    return shown === undefined
      ? ASKED
      : `${ASKED} It must be valid against this JSON Schema:\n${JSON.stringify(shown)}`
  }

  /** The message with what is asked for behind it. What is no message stays as it is, to be refused. */
  within(message: MessageInput): MessageInput {
    if (typeof message === 'string' || isBlocks(message)) return this.behind(message)
    // Anything else that is no message is refused where it is sent.
    const whole: unknown = message
    if (typeof whole !== 'object' || whole === null) return message
    return { ...message, content: this.behind(message.content) }
  }

  private behind(content: string | readonly ContentBlock[]): string | readonly ContentBlock[] {
    const instruction = { type: 'text', text: this.instruction } as const
    if (typeof content === 'string') return [{ type: 'text', text: content }, instruction]
    return isBlocks(content) ? [...content, instruction] : content
  }

  /** Judges the interval so far. */
  async judge({ finalResponse, turns }: RunResult): Promise<Judged> {
    const last = turns.at(-1)?.reason.kind
    if (last !== 'completed') {
      const found = last === undefined ? 'no turn ran' : `it ended as ${last}`
      const message = `expected the last turn to complete, but ${found}`
      return { output: fault('NOT_COMPLETED', message), repair: undefined }
    }
    const parsed = parse(finalResponse)
    if (parsed !== undefined) return this.validated(parsed.value)
    const message = 'the final response is no JSON'
    return { output: fault('NO_JSON', message), repair: this.again([message]) }
  }

  private async validated(value: Json): Promise<Judged> {
    try {
      const result = await this.schema['~standard'].validate(value)
      if (result.issues === undefined)
        return { output: { output: result.value }, repair: undefined }
      const issues = issueTexts(result.issues)
      const message = `the final response does not fit: ${issues.join('; ')}`
      return { output: fault('INVALID_OUTPUT', message, issues), repair: this.again(issues) }
    } catch (error) {
      const message = `the schema failed: ${causeChain(error)}`
      return { output: fault('INVALID_OUTPUT', message), repair: undefined }
    }
  }

  private again(issues: readonly string[]): MessageInput {
    const found = issues.map((issue) => `- ${issue}`).join('\n')
    return {
      content: `Your final answer could not be used:\n${found}\n${this.instruction}`,
      source: { kind: 'plugin', plugin: 'output' },
    }
  }
}

const isBlocks = (value: unknown): value is readonly ContentBlock[] => Array.isArray(value)

/** A schema that cannot be written is not shown: it still judges. */
function exported(schema: StandardSchema): Json | undefined {
  if (!exportsJsonSchema(schema)) return undefined
  try {
    return jsonSchemaOf(schema)
  } catch {
    return undefined
  }
}

function parse(text: string): { readonly value: Json } | undefined {
  const whole = text.trim()
  for (const json of [whole, FENCED.exec(whole)?.[1]]) {
    try {
      if (json !== undefined) return { value: JSON.parse(json) as Json }
    } catch {
      // It is no JSON in this way.
    }
  }
  return undefined
}
