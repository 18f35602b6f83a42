/**
 * What the tools have answered since the last question, read from the history of a request.
 *
 * @module
 */
import type { HistoryEntry, ModelRequest } from '../../actors/model.port.ts'
import type { Json } from '../../events/json.ts'
import type { ContentBlock, Outcome } from '../../events/message.ts'
import type { Count } from '../tools/count.ts'
import type { Listing } from '../tools/list-files.ts'
import type { FileText } from '../tools/read-file.ts'
import type { SearchResult } from '../tools/search-text.ts'

/** Answers of tools, by kind; `rounds` counts the steps that asked for tools. */
export interface Findings {
  readonly question: string
  readonly rounds: number
  readonly calls: Readonly<Record<string, number>>
  readonly listing: Listing | undefined
  readonly counts: readonly Count[]
  readonly files: readonly FileText[]
  readonly searches: readonly SearchResult[]
  readonly failures: readonly string[]
}

/** Reads the history behind the last message of a person; of anybody where no person has written. */
export function findingsOf(request: ModelRequest): Findings {
  const start = lastQuestion(request.messages)
  const question = request.messages[start]
  const after = request.messages.slice(start + 1)
  const results = after.filter((entry) => entry.role === 'tool')
  const values = <T>(name: string): T[] =>
    results.filter((entry) => entry.name === name).flatMap(({ outcome }) => valueOf<T>(outcome))
  const calls: Record<string, number> = {}
  for (const { name } of results) calls[name] = (calls[name] ?? 0) + 1
  return {
    question: question?.role === 'user' ? textOf(question.content) : '',
    rounds: after.filter((entry) => entry.role === 'assistant' && asksForTools(entry)).length,
    calls,
    listing: values<Listing>('list_files').at(-1),
    counts: values<Count>('count'),
    files: values<FileText>('read_file'),
    searches: values<SearchResult>('search_text'),
    failures: results.flatMap(({ name, outcome }) =>
      outcome.kind === 'ok' ? [] : [`${name}: ${textOf(outcome.content)}`],
    ),
  }
}

function lastQuestion(messages: readonly HistoryEntry[]): number {
  const byPerson = messages.findLastIndex(
    (entry) => entry.role === 'user' && entry.source.kind === 'user',
  )
  return byPerson >= 0 ? byPerson : messages.findLastIndex(({ role }) => role === 'user')
}

const asksForTools = (entry: HistoryEntry & { role: 'assistant' }): boolean =>
  entry.content.some(({ type }) => type === 'tool-call')

/** The structured value of a good outcome; none where it holds something else. */
function valueOf<T>(outcome: Outcome): T[] {
  if (outcome.kind !== 'ok') return []
  if (outcome.value !== undefined) return [outcome.value as T]
  try {
    return [JSON.parse(textOf(outcome.content)) as Json as T]
  } catch {
    return []
  }
}

const textOf = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')
