/**
 * A few words for what a tool was asked and what it answered.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'
import type { Outcome } from '../../events/message.ts'
import { plural } from '../offline/words.ts'
import type { Count } from '../tools/count.ts'
import type { Listing } from '../tools/list-files.ts'
import type { FileText } from '../tools/read-file.ts'
import type { SearchResult } from '../tools/search-text.ts'
import { oneLine } from './printable.ts'

/** The arguments of a call as a person would say them: the values, texts without quotes. */
export function argumentsOf(raw: string): string {
  try {
    const parsed = JSON.parse(raw === '' ? '{}' : raw) as Json
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return oneLine(raw)
    return Object.entries(parsed)
      .map(([name, value]) => said(name, value))
      .filter((words) => words !== '')
      .join(' ')
  } catch {
    return oneLine(raw)
  }
}

/** A path needs no name, a text gets quotes, and the number of lines is told by the answer. */
function said(name: string, value: Json | undefined): string {
  if (name === 'path' && typeof value === 'string') return oneLine(value)
  if (name === 'text') return JSON.stringify(value)
  if (name === 'lines') return ''
  return `${name} ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`
}

/** What a call led to. */
export function outcomeOf(tool: string, outcome: Outcome): string {
  if (outcome.kind === 'denied')
    return `denied by ${oneLine(outcome.by)}: ${oneLine(outcome.reason)}`
  const text = outcome.content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join(' ')
  if (outcome.kind === 'error') return oneLine(`${outcome.code ?? ''} ${text}`)
  const summary = SUMMARIES[tool]
  const value = outcome.value
  if (summary === undefined || typeof value !== 'object' || value === null) return oneLine(text)
  return summary(value)
}

const SUMMARIES: Readonly<Record<string, (value: object) => string>> = {
  list_files: (value) => {
    const { totalFiles, totalFolders } = value as Listing
    return `${plural(totalFiles, 'file')}, ${plural(totalFolders, 'folder')}`
  },
  read_file: (value) => {
    const { from, to, totalLines } = value as FileText
    if (totalLines !== undefined && from === 1) return plural(totalLines, 'line')
    return to < from ? 'no lines' : `lines ${from} to ${to}`
  },
  search_text: (value) => {
    const { totalMatches, filesWithMatches } = value as SearchResult
    return `${plural(totalMatches, 'line')} in ${plural(filesWithMatches, 'file')}`
  },
  count: (value) => {
    const { files, lines } = value as Count
    return `${plural(lines, 'line')} in ${plural(files, 'file')}`
  },
}
