/**
 * Which tools the planner calls next, from the question and what was found so far. Three rounds at most:
 * list, look, look closer.
 *
 * @module
 */
import type { Listing } from '../tools/list-files.ts'
import type { Findings } from './findings.ts'
import { purposeIn, shownFolders, signpost } from './folders.ts'
import { readQuestion } from './question.ts'

/** One call the planner wants, and why in a few words. */
export interface Wish {
  readonly tool: 'list_files' | 'read_file' | 'search_text' | 'count'
  readonly args: {
    readonly path?: string
    readonly text?: string
    readonly from?: number
    readonly lines?: number
  }
}

/** The next calls with a sentence that announces them; no calls when it is time to answer. */
export interface Plan {
  readonly says: string
  readonly wishes: readonly Wish[]
}

const MAX_READS = 16
const ANSWER: Plan = { says: '', wishes: [] }

/** Decides on the next step. The same findings always give the same plan. */
export function planNext(found: Findings): Plan {
  if (found.rounds === 0)
    return { says: 'I list the folder first.', wishes: [{ tool: 'list_files', args: {} }] }
  const { listing } = found
  if (listing === undefined || listing.totalFiles === 0) return ANSWER
  if (found.rounds === 1) return look(found, listing)
  if (found.rounds === 2) return lookCloser(found, listing)
  return ANSWER
}

function look(found: Findings, listing: Listing): Plan {
  const { searches, files, folders, counts, overview } = readQuestion(found.question, listing)
  const reads = [...files, ...(overview ? signposts(listing) : [])].slice(0, MAX_READS)
  const all = counts || overview ? ['.'] : []
  return announce([
    ...searches.map((text): Wish => ({ tool: 'search_text', args: { text } })),
    ...reads.map((path): Wish => ({ tool: 'read_file', args: { path } })),
    ...(folders.length > 0 ? folders : all).map((path): Wish => ({
      tool: 'count',
      args: { path },
    })),
  ])
}

/** Files that say what a project is, in the order in which they are worth reading. */
const signposts = (listing: Listing): string[] =>
  listing.files.filter((path) =>
    /^(readme[^/]*|package\.json|pyproject\.toml|cargo\.toml|go\.mod|(docs\/)?architecture\.md)$/i.test(
      path,
    ),
  )

function lookCloser(found: Findings, listing: Listing): Plan {
  if (readQuestion(found.question, listing).overview) return visitFolders(found, listing)
  const firstHits = found.searches.flatMap(({ matches }) => matches.slice(0, 1))
  return announce(
    firstHits.map(({ path, line }): Wish => ({
      tool: 'read_file',
      args: { path, from: Math.max(1, line - 3), lines: 9 },
    })),
  )
}

/** One file for each folder that nothing has been said of yet, and the sizes inside a folder of sources. */
function visitFolders(found: Findings, listing: Listing): Plan {
  const seen = new Set(found.files.map(({ path }) => path))
  const folders = shownFolders(listing)
  const parents = new Set(folders.filter(({ level }) => level === 1).map(({ parent }) => parent))
  const reads = folders
    .filter(({ path }) => purposeIn(found.files, path) === undefined)
    .flatMap(({ path }) => signpost(listing, path) ?? [])
    .filter((path) => !seen.has(path))
  return announce([
    ...[...parents].map((path): Wish => ({ tool: 'count', args: { path } })),
    ...reads
      .slice(0, MAX_READS)
      .map((path): Wish => ({ tool: 'read_file', args: { path, lines: 30 } })),
  ])
}

function announce(wishes: readonly Wish[]): Plan {
  if (wishes.length === 0) return ANSWER
  const parts = [
    phrase(wishes, 'search_text', 'search for', ({ args }) => JSON.stringify(args.text)),
    phrase(wishes, 'read_file', 'read', ({ args }) => args.path ?? ''),
    phrase(wishes, 'count', 'count', ({ args }) =>
      args.path === '.' ? 'everything' : `${args.path}/`,
    ),
  ].filter((part) => part !== '')
  return { says: `Next I ${parts.join(' and ')}.`, wishes }
}

function phrase(
  wishes: readonly Wish[],
  tool: Wish['tool'],
  verb: string,
  of: (wish: Wish) => string,
): string {
  const names = wishes.filter((wish) => wish.tool === tool).map((wish) => of(wish))
  if (names.length === 0) return ''
  if (names.length > 4) return `${verb} ${names.length} files`
  return `${verb} ${names.join(', ')}`
}
