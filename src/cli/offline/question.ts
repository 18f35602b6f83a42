/**
 * What the words of a question ask for, by fixed rules. Nothing here understands language.
 *
 * @module
 */
import type { Listing } from '../tools/list-files.ts'

/** What the planner makes of a question, given what there is. */
export interface Question {
  /** Does it ask for sizes or numbers? */
  readonly counts: boolean
  /** Texts to search for. */
  readonly searches: readonly string[]
  /** Files and folders it names. */
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /** What it names like a file and is not there. */
  readonly missing: readonly string[]
  /** Nothing of that kind: it asks what all this is. */
  readonly overview: boolean
}

const COUNTS =
  /\b(how (many|long|big|large)|counts?|number of|biggest|largest|longest|lines|words|size)\b/i
const SEARCHES =
  /\b(where|find|search|grep|mentions?|mentioned|occurs?|uses?|used|defined|defines|contains?|look for)\b/i
const QUOTED =
  /"([^"\n]{2,100})"|`([^`\n]{2,100})`|“([^”\n]{2,100})”|(?<!\w)'([^'\n]{2,100})'(?!\w)/g
/** Names of code: camelCase, PascalCase with two humps, snake_case, CONSTANT_CASE, call(). */
const CODE = /\b([a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|\w+(?=\(\)))/g
const MAX_SEARCHES = 3

/** Reads a question: quoted words and names of code are searched for, words of quantity ask for a count. */
export function readQuestion(text: string, listing: Listing): Question {
  const tokens = tokensOf(text)
  const files = listing.files.filter((path) => namesFile(tokens, path))
  const paths = listing.folders.map(({ path }) => path)
  const folders = paths.filter((path) => namesFolder(text, tokens, path))
  const missing = [...tokens].filter(
    (token) => looksLikePath(token) && !files.some((path) => path.toLowerCase().endsWith(token)),
  )
  const counts = COUNTS.test(text)
  const searches = searchesOf(text)
  const overview = !counts && searches.length + files.length + folders.length === 0
  return { counts, searches, files, folders, missing, overview }
}

function searchesOf(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map((found) => found.slice(1).find(Boolean) ?? '')
  const named = SEARCHES.test(text) ? [...text.matchAll(CODE)].map(([name]) => name) : []
  const exact = [...quoted, ...named].filter((word) => !looksLikePath(word))
  const words = exact.length === 0 && SEARCHES.test(text) ? longestWord(text) : exact
  return [...new Set(words)].slice(0, MAX_SEARCHES)
}

/** The longest word that is no common one: what "where is the mailbox drained" most likely looks for. */
function longestWord(text: string): string[] {
  const words = text.match(/[\p{L}\d-]{4,}/gu) ?? []
  const rare = words.filter((word) => !COMMON.has(word.toLowerCase()))
  return rare.toSorted((a, b) => b.length - a.length).slice(0, 1)
}

const COMMON = new Set(
  'about again before between called code comes could defined defines does each file files find folder from function have into located look lines many mention mentioned mentions more most much number other please project repository search should show some source tell text that their them then there these they this those used uses what when where which with words would'.split(
    ' ',
  ),
)

const looksLikePath = (word: string): boolean => /^[\w.-]*[/\w-]+\.[a-z0-9]{1,5}$/i.test(word)

/** Words, paths and names of a text in lower case, without the punctuation behind them. */
const tokensOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.match(/[\p{L}\d_./@+-]+/gu) ?? []).map((token) =>
      token
        .replace(/^\.\//, '')
        .replace(/[.,:;]+$/, '')
        .toLowerCase(),
    ),
  )

/** A file is named by its path, by its name, or by a stem that everybody knows, such as "readme". */
function namesFile(tokens: ReadonlySet<string>, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const stem = name.replace(/\..*$/, '')
  return (
    tokens.has(path.toLowerCase()) ||
    (name.includes('.') && tokens.has(name)) ||
    (WELL_KNOWN.has(stem) && tokens.has(stem) && !path.includes('/'))
  )
}

const WELL_KNOWN = new Set(
  'readme license changelog contributing makefile dockerfile security'.split(' '),
)

/** A bare word names a folder only beside the word "folder": `test` is a verb too. */
function namesFolder(text: string, tokens: ReadonlySet<string>, path: string): boolean {
  const lower = path.toLowerCase()
  if (tokens.has(`${lower}/`) || (path.includes('/') && tokens.has(lower))) return true
  const name = lower.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const beside = new RegExp(
    `\\b${name}\\s+(folder|directory|dir)\\b|\\b(folder|directory|dir)\\s+${name}\\b`,
    'i',
  )
  return beside.test(text)
}
