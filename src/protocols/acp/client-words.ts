/**
 * What is told to a client, in the words that both versions share.
 *
 * @module
 */
import type { ClientQuestion } from './permission.ts'
import type { Told } from './told.ts'

type Part = Extract<Told, { kind: 'agent' | 'user' }>
type Call = Extract<Told, { kind: 'call' }>
type Result = Extract<Told, { kind: 'outcome' }>

/** Where the versions differ: the name of a new call, and what a state is. */
type Apart = Extract<Told, { kind: 'call' | 'state' }>

/** What both versions are told in the same words. */
export function commonUpdateOf(told: Exclude<Told, Apart>) {
  if (told.kind === 'outcome') return resultOf(told)
  return told.kind === 'usage' ? usageOf(told) : partOf(told)
}

const partOf = ({ kind, messageId, content }: Part) =>
  kind === 'agent'
    ? ({ sessionUpdate: 'agent_message_chunk', messageId, content } as const)
    : ({ sessionUpdate: 'user_message_chunk', messageId, content } as const)

const usageOf = ({ used, size }: Extract<Told, { kind: 'usage' }>) =>
  ({ sessionUpdate: 'usage_update', used, size }) as const

const resultOf = ({ call, ok, texts }: Result) => ({
  sessionUpdate: 'tool_call_update' as const,
  toolCallId: call,
  status: ok ? ('completed' as const) : ('failed' as const),
  content: texts.map((text) => ({
    type: 'content' as const,
    content: { type: 'text' as const, text },
  })),
})

/** A call, begun or only asked about. */
export const callOf = (
  { call, tool, arguments: rawInput }: Call | ClientQuestion,
  status: 'pending' | 'in_progress',
) => ({ toolCallId: call, title: tool, kind: 'other' as const, status, rawInput })
