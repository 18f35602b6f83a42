/**
 * Adds up counted files: in all, by ending, by folder, and the largest.
 *
 * @module
 */
const LARGEST = 10
const GROUPS = 20

/** One counted file. */
export type Counted = {
  readonly path: string
  readonly lines: number
  readonly words: number
}

/** Several counted files under one name. */
export type Group = {
  readonly name: string
  readonly files: number
  readonly lines: number
}

/** Adds up counted files below `start`. */
export class Tally {
  readonly #start: string
  readonly #files: Counted[] = []

  constructor(start: string) {
    this.#start = start
  }

  /** Takes one counted file. */
  add(file: Counted): void {
    this.#files.push(file)
  }

  /** The sums so far; ties stand in the order of the walk. */
  answer(): {
    path: string
    files: number
    lines: number
    words: number
    byEnding: Group[]
    byFolder: Group[]
    largest: Counted[]
  } {
    const sum = (of: (file: Counted) => number): number =>
      this.#files.reduce((total, file) => total + of(file), 0)
    return {
      path: this.#start,
      files: this.#files.length,
      lines: sum(({ lines }) => lines),
      words: sum(({ words }) => words),
      byEnding: groups(this.#files, endingOf),
      byFolder: groups(this.#files, (path) => folderOf(this.#start, path)),
      largest: this.#files.toSorted((a, b) => b.lines - a.lines).slice(0, LARGEST),
    }
  }
}

function groups(files: readonly Counted[], nameOf: (path: string) => string): Group[] {
  const byName = new Map<string, Group>()
  for (const { path, lines } of files) {
    const name = nameOf(path)
    const group = byName.get(name) ?? { name, files: 0, lines: 0 }
    byName.set(name, { name, files: group.files + 1, lines: group.lines + lines })
  }
  return [...byName.values()].toSorted((a, b) => b.lines - a.lines).slice(0, GROUPS)
}

const endingOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : '(none)'
}

/** The folder directly below `start` that holds the file; `.` for a file that lies there itself. */
const folderOf = (start: string, path: string): string => {
  const below = start === '.' ? path : path.slice(start.length + 1)
  const slash = below.indexOf('/')
  return slash < 0 ? '.' : below.slice(0, slash)
}
