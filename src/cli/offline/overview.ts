/**
 * What a folder is, told from its signposts: what it says of itself, its folders with sizes, its files at the top.
 *
 * @module
 */
import type { Count } from '../tools/count.ts'
import type { Listing } from '../tools/list-files.ts'
import type { Findings } from './findings.ts'
import { purposeIn, shownFolders, signpost, speaksForFolder } from './folders.ts'
import type { ShownFolder } from './folders.ts'
import { fieldOf, saidPurpose } from './said-purpose.ts'
import { amount, plural } from './words.ts'

/** Paragraphs of an overview. */
export const overviewOf = (found: Findings, listing: Listing): string[] =>
  [
    identity(found),
    size(found, listing),
    folders(found, listing),
    filesAtTop(found, listing),
    largest(found),
  ].filter((part) => part !== '')

function identity({ files }: Findings): string {
  const manifest = files.find(({ path }) => path === 'package.json')
  const speaker = files.find(({ path }) => /^readme/i.test(path)) ?? manifest
  const purpose = speaker && saidPurpose(speaker.path, speaker.text)
  if (purpose === undefined) return ''
  return `${titleIn(manifest?.text ?? '')}: ${purpose} [${speaker?.path}]`
}

function titleIn(manifest: string): string {
  const name = fieldOf(manifest, 'name')
  if (name === undefined) return 'This project'
  const version = fieldOf(manifest, 'version')
  return version === undefined ? name : `${name} ${version}`
}

function size(found: Findings, listing: Listing): string {
  const all = found.counts.find(({ path }) => path === '.')
  const head = `${plural(listing.totalFiles, 'file')} in ${plural(listing.totalFolders, 'folder')}`
  if (all === undefined) return `${head}.`
  const byFiles = all.byEnding.toSorted((a, b) => b.files - a.files)
  const kinds = byFiles.slice(0, 4).map(({ name, files }) => `${amount(files)} ${name}`)
  return `${head}: ${plural(all.lines, 'line')} and ${plural(all.words, 'word')} of text, mostly ${kinds.join(', ')}.`
}

function folders(found: Findings, listing: Listing): string {
  const shown = shownFolders(listing)
  if (shown.length === 0) return ''
  return ['Folders', ...shown.map((folder) => lineOf(folder, found, listing))].join('\n')
}

function lineOf(folder: ShownFolder, found: Findings, listing: Listing): string {
  const indent = folder.level === 0 ? '  ' : '    '
  const name = folder.level === 0 ? folder.path : folder.path.slice(folder.parent.length + 1)
  const lines = linesIn(found.counts, folder)
  const sizes =
    lines === undefined
      ? plural(folder.files, 'file')
      : `${plural(folder.files, 'file')}, ${plural(lines, 'line')}`
  return `${indent}${name}/ (${sizes})${purposeOf(folder.path, found, listing)}`
}

/** What a text says of the folder, else what one of its files says of itself. */
function purposeOf(path: string, found: Findings, listing: Listing): string {
  const said = purposeIn(found.files, path)
  if (said !== undefined) return `: ${said.text} [${said.where}]`
  const file = found.files.find((read) => read.path === signpost(listing, path))
  const purpose = file && saidPurpose(file.path, file.text)
  if (file === undefined || purpose === undefined) return ''
  const name = file.path.slice(path.length + 1)
  const forAll = speaksForFolder(file.path) && !name.includes('/')
  return forAll ? `: ${purpose} [${file.path}]` : `, such as ${name}: ${purpose}`
}

const linesIn = (counts: readonly Count[], { path, parent }: ShownFolder): number | undefined => {
  const name = parent === '.' ? path : path.slice(parent.length + 1)
  return counts
    .find((count) => count.path === parent)
    ?.byFolder.find((group) => group.name === name)?.lines
}

function filesAtTop({ files }: Findings, listing: Listing): string {
  const top = listing.files.filter((path) => !path.includes('/'))
  if (top.length === 0) return ''
  const described = top.map((path) => {
    const file = files.find((read) => read.path === path)
    return file?.totalLines === undefined ? path : `${path} (${plural(file.totalLines, 'line')})`
  })
  return `Files at the top: ${described.slice(0, 30).join(', ')}${top.length > 30 ? ', …' : ''}.`
}

function largest({ counts }: Findings): string {
  const all = counts.find(({ path }) => path === '.')
  if (all === undefined || all.files < 2) return ''
  const names = all.largest.slice(0, 5).map(({ path, lines }) => `${path} (${amount(lines)})`)
  return `Largest by lines: ${names.join(', ')}.`
}
