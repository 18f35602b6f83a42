/**
 * Drives the offline planner with the real tools in a plain loop, as an agent would.
 */
import type { AnyTool } from '../../../src/actors/tool.port.ts'
import type { HistoryEntry, ModelRequest } from '../../../src/actors/model.port.ts'
import { offlineModel } from '../../../src/cli/offline/offline-model.ts'
import type { Chunk } from '../../../src/events/chunk.ts'
import type { AssistantMessage, ToolCallBlock } from '../../../src/events/message.ts'
import { callTool } from '../tools/call-tool.ts'

/** What one question led to. */
export interface Asked {
  readonly answer: string
  /** Calls by step, as `name {arguments}`. */
  readonly steps: readonly (readonly string[])[]
  readonly chunks: readonly Chunk[]
}

/** A message of a person. */
export const user = (text: string): HistoryEntry => ({
  id: text,
  role: 'user',
  content: [{ type: 'text', text }],
  source: { kind: 'user' },
})

/** Asks until the planner calls no more tools. */
export async function askOffline(tools: readonly AnyTool[], question: string): Promise<Asked> {
  const messages: HistoryEntry[] = [user(question)]
  const steps: string[][] = []
  for (;;) {
    const chunks = await chunksOf(tools, messages, steps.length + 1)
    const message = messageOf(chunks)
    const calls = message.content.filter((block) => block.type === 'tool-call')
    if (calls.length === 0) return { answer: textIn(chunks), steps, chunks }
    steps.push(calls.map((call) => `${call.name} ${call.arguments}`))
    messages.push(message, ...(await Promise.all(calls.map((call) => answerTo(tools, call)))))
  }
}

export async function chunksOf(
  tools: readonly AnyTool[],
  messages: readonly HistoryEntry[],
  step: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<Chunk[]> {
  const request: ModelRequest = {
    provider: 'offline',
    model: 'planner',
    tools: tools.map(({ name }) => ({ name, parameters: {} })),
    messages,
  }
  const context = { agent: 'test', turn: 1, step, attempt: 1, signal }
  const chunks: Chunk[] = []
  for await (const chunk of offlineModel().stream(request, context)) chunks.push(chunk)
  return chunks
}

const textIn = (chunks: readonly Chunk[]): string =>
  chunks.map((chunk) => (chunk.kind === 'text-delta' ? chunk.text : '')).join('')

function messageOf(chunks: readonly Chunk[]): AssistantMessage {
  const calls = chunks.flatMap((chunk) =>
    chunk.kind === 'block-start' && chunk.type === 'tool-call' ? [chunk] : [],
  )
  const argumentsOf = (block: number): string =>
    chunks
      .map((chunk) => (chunk.kind === 'tool-call-delta' && chunk.block === block ? chunk.text : ''))
      .join('')
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: textIn(chunks) },
      ...calls.map(({ block, id = '', name = '' }, index): ToolCallBlock => ({
        type: 'tool-call',
        call: { key: id, index, providerId: id },
        name,
        arguments: argumentsOf(block),
      })),
    ],
  }
}

async function answerTo(tools: readonly AnyTool[], call: ToolCallBlock): Promise<HistoryEntry> {
  const base = { role: 'tool', call: call.call, name: call.name } as const
  try {
    const value = await callTool<object>(tools, call.name, JSON.parse(call.arguments))
    const content = [{ type: 'text', text: JSON.stringify(value) }] as const
    return { ...base, outcome: { kind: 'ok', content } }
  } catch (error) {
    const content = [{ type: 'text', text: (error as Error).message }] as const
    return { ...base, outcome: { kind: 'error', content } }
  }
}
