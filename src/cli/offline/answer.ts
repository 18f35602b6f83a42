/**
 * Words for what was found: the answer of the planner, with names and numbers from the tools and nothing else.
 *
 * @module
 */
import type { Count } from '../tools/count.ts'
import type { FileText } from '../tools/read-file.ts'
import type { SearchResult } from '../tools/search-text.ts'
import type { Findings } from './findings.ts'
import { overviewOf } from './overview.ts'
import { readQuestion } from './question.ts'
import { saidPurpose } from './said-purpose.ts'
import { amount, plural } from './words.ts'

/** Said at the head of every answer. */
export const DISCLAIMER =
  'I am the offline planner, not a language model: I follow fixed rules, call the tools on the real folder, and report what they answer.'

/** The whole answer, as plain text. */
export function answerFrom(found: Findings): string {
  const parts = [DISCLAIMER, ...body(found), failures(found), sources(found)]
  return parts.filter((part) => part !== '').join('\n\n')
}

function body(found: Findings): string[] {
  const { listing } = found
  if (listing === undefined) return ['The folder could not be listed.']
  if (listing.totalFiles === 0) return ['The folder holds no file that I may read.']
  const { overview, files, missing } = readQuestion(found.question, listing)
  if (overview) return overviewOf(found, listing)
  return [
    ...missing.map((name) => `There is no ${name} here that I may read.`),
    ...found.searches.map((search) => searched(search, found.files)),
    ...found.files.filter(({ path }) => files.includes(path)).map((file) => readOut(file)),
    ...found.counts.map((count) => counted(count)),
  ]
}

function searched(search: SearchResult, files: readonly FileText[]): string {
  const { text, totalMatches, filesWithMatches, searchedFiles, matches } = search
  if (totalMatches === 0)
    return `"${text}" stands in none of the ${amount(searchedFiles)} files I searched.`
  const head = `"${text}" stands in ${plural(totalMatches, 'line')} of ${plural(filesWithMatches, 'file')} (${amount(searchedFiles)} searched):`
  const lines = matches.slice(0, 12).map((match) => `  ${match.path}:${match.line}  ${match.text}`)
  const more =
    totalMatches > lines.length
      ? [`  … and ${plural(totalMatches - lines.length, 'line')} more`]
      : []
  return [head, ...lines, ...more, ...around(search, files)].join('\n')
}

/** The surroundings of the first match, where they were read. */
function around(search: SearchResult, files: readonly FileText[]): string[] {
  const [first] = search.matches
  const file = files.find(
    ({ path, from, to }) =>
      first !== undefined &&
      path === first.path &&
      from > 0 &&
      from <= first.line &&
      to >= first.line &&
      to - from < 12,
  )
  if (file === undefined || first === undefined) return []
  const lines = file.text
    .split('\n')
    .map(
      (line, i) =>
        `  ${file.from + i === first.line ? '>' : ' '} ${String(file.from + i).padStart(4)}  ${line}`,
    )
  return ['', `Around ${first.path}:${first.line}:`, ...lines]
}

function readOut(file: FileText): string {
  const purpose = saidPurpose(file.path, file.text)
  const size =
    file.totalLines === undefined
      ? `more than ${plural(file.to, 'line')}`
      : plural(file.totalLines, 'line')
  const headings = file.text
    .split('\n')
    .filter((line) => /^#{1,3} \S/.test(line) && /\.md$/i.test(file.path))
  const named = [
    ...file.text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
  ].map(([, name]) => name)
  return [
    `${file.path} has ${size}.${purpose === undefined ? '' : ` It says of itself: "${purpose}"`}`,
    ...(headings.length > 0
      ? ['Headings:', ...headings.slice(0, 15).map((line) => `  ${line}`)]
      : []),
    ...(named.length > 0 ? [`It exports ${named.slice(0, 20).join(', ')}.`] : []),
  ].join('\n')
}

function counted(count: Count): string {
  const place = count.path === '.' ? 'The folder' : count.path
  const endings = count.byEnding
    .slice(0, 6)
    .map(
      ({ name, files, lines }) => `  ${name}: ${plural(files, 'file')}, ${plural(lines, 'line')}`,
    )
  const largest = count.largest
    .slice(0, 5)
    .map(
      ({ path, lines, words }) => `  ${path}: ${plural(lines, 'line')}, ${plural(words, 'word')}`,
    )
  return [
    `${place} holds ${plural(count.files, 'text file')} with ${plural(count.lines, 'line')} and ${plural(count.words, 'word')}.`,
    ...(count.files > 1 ? ['By ending:', ...endings, 'Largest:', ...largest] : []),
    ...(count.note === undefined ? [] : [`(${count.note})`]),
  ].join('\n')
}

const failures = ({ failures: texts }: Findings): string =>
  texts.length === 0 ? '' : ['These calls failed:', ...texts.map((text) => `  ${text}`)].join('\n')

function sources({ calls }: Findings): string {
  const made = Object.entries(calls)
  const total = made.reduce((sum, [, times]) => sum + times, 0)
  const names = made.map(([name, times]) => (times === 1 ? name : `${name} ×${times}`))
  return `From ${plural(total, 'tool call')}: ${names.join(', ')}.`
}
