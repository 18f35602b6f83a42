/**
 * Which folders an overview shows, which file speaks for a folder, and what other files say of it.
 *
 * @module
 */
import type { Listing } from '../tools/list-files.ts'
import type { FileText } from '../tools/read-file.ts'
import { firstSentence } from './said-purpose.ts'

/** A folder worth a line of its own; `level` is 1 for one inside the folder of sources. */
export interface ShownFolder {
  readonly path: string
  readonly parent: string
  readonly files: number
  readonly level: 0 | 1
}

const SOURCES = /^(src|lib|packages|apps?|crates|cmd|internal)$/
const MAX_SHOWN = 24

/** Folders at the top, and those directly inside a folder of sources, in the order of a tree. */
export function shownFolders(listing: Listing): readonly ShownFolder[] {
  const withFiles = listing.folders.filter(({ files }) => files > 0)
  const top = withFiles.filter(({ path }) => !path.includes('/'))
  return top
    .flatMap(({ path, files }): ShownFolder[] => {
      const inside = withFiles.filter(({ path: at }) => parentOf(at) === path)
      const children = SOURCES.test(path) && inside.length > 1 ? inside : []
      return [
        { path, parent: '.', files, level: 0 },
        ...children.map((child): ShownFolder => ({ ...child, parent: path, level: 1 })),
      ]
    })
    .slice(0, MAX_SHOWN)
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The file that most likely says what a folder is for: a README, an index, else the first text file. */
export function signpost(listing: Listing, folder: string): string | undefined {
  const below = listing.files.filter((path) => path.startsWith(`${folder}/`))
  const direct = below.filter((path) => parentOf(path) === folder)
  return (
    direct.find((path) => /^readme(\.|$)/i.test(nameOf(path))) ??
    direct.find(speaksForFolder) ??
    direct.find((path) => IS_TEXT.test(path)) ??
    below.find((path) => IS_TEXT.test(path))
  )
}

/** Is a file one that tells about its folder, not only about itself? */
export const speaksForFolder = (path: string): boolean =>
  /^(readme|index|main|mod|lib|__init__)(\.\w+)?$/i.test(nameOf(path))

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const IS_TEXT =
  /\.(md|[cm]?[jt]sx?|py|rb|rs|go|java|kt|swift|c|h|cc|cpp|cs|php|sh|toml|ya?ml|sql|txt)$/i

/** What a read text says of a folder in a line of its own, as in a tree: `src/  the sources`. */
export interface Said {
  readonly text: string
  readonly where: string
}

/** The first line about `folder` in the files read so far. */
export function purposeIn(files: readonly FileText[], folder: string): Said | undefined {
  const name = folder.slice(folder.lastIndexOf('/') + 1).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const line = new RegExp(
    `^[\\s|*+\`│├└─-]*(?:[\\w.-]+/)*${name}/\`?(?:\\s{2,}|\\s*[|:–—#]+\\s*|\\s+-\\s+)(.{8,})$`,
  )
  for (const { path, text, from } of files) {
    const lines = text.split('\n')
    const at = lines.findIndex((candidate) => line.test(candidate.slice(0, 400)))
    const said = firstSentence(
      line.exec((lines[at] ?? '').slice(0, 400))?.[1]?.replace(/\s*\|\s*$/, '') ?? '',
    )
    if (said !== undefined) return { text: said, where: `${path}:${from + at}` }
  }
  return undefined
}
