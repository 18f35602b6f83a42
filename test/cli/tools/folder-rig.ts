/**
 * A folder of its own for each test, and the tools over it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { AnyTool } from '../../../src/actors/tool.port.ts'
import type { Count } from '../../../src/cli/tools/count.ts'
import { folderTools } from '../../../src/cli/tools/folder-tools.ts'
import { openFolder } from '../../../src/cli/tools/folder.ts'
import type { Listing } from '../../../src/cli/tools/list-files.ts'
import type { FileText } from '../../../src/cli/tools/read-file.ts'
import type { SearchResult } from '../../../src/cli/tools/search-text.ts'
import { callTool } from './call-tool.ts'

/** The folder above the one that is read. */
export let base: string
/** The folder that is read. */
export let root: string
/** The tools over `root`. */
export let tools: readonly AnyTool[]

/** Makes the folder before each test and removes it after. */
export function useFolder(): void {
  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'turnwise-tools-'))
    root = join(base, 'project')
    mkdirSync(root)
    writeFileSync(join(base, 'outside.txt'), 'TOP-SECRET outside')
    await readThrough(root)
  })
  afterEach(() => {
    rmSync(base, { recursive: true, force: true })
  })
}

/** Opens the folder at another path. */
export async function readThrough(path: string): Promise<void> {
  tools = folderTools(await openFolder(path))
}

/** Writes a file below `root`, with the folders above it. */
export const put = (path: string, content: string | Uint8Array = ''): void => {
  const at = join(root, path)
  mkdirSync(join(at, '..'), { recursive: true })
  writeFileSync(at, content)
}
export const list = (args: object = {}): Promise<Listing> => callTool(tools, 'list_files', args)
export const read = (path: string, more: object = {}): Promise<FileText> =>
  callTool(tools, 'read_file', { path, ...more })
export const search = (text: string, more: object = {}): Promise<SearchResult> =>
  callTool(tools, 'search_text', { text, ...more })
export const count = (args: object = {}): Promise<Count> => callTool(tools, 'count', args)

/** Closes two places and gives up the rights of root, to whom nothing is closed. */
export async function withoutRoot(body: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  chmodSync(base, 0o755)
  chmodSync(join(root, 'closed.txt'), 0)
  chmodSync(join(root, 'shut'), 0)
  if (isRoot) process.seteuid?.(65_534)
  try {
    await body()
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(root, 'shut'), 0o755)
  }
}
