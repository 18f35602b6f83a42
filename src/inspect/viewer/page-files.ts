/**
 * Serves the page, which was built beforehand, from its folder. Names are looked up among those that are there, so that no
 * address leads out of it.
 *
 * @module
 */
import { type Dirent, existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HttpRefusal, send } from './front-door.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}

/** Where the page lies when nothing else is said: beside the built code, also if this runs from the source. */
export function builtPage(): string {
  const beside = fileURLToPath(new URL('../page', import.meta.url))
  const fromSource = fileURLToPath(new URL('../../../dist/inspect/page', import.meta.url))
  return existsSync(join(beside, 'index.html')) ? beside : fromSource
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>turnwise inspect</title>
<h1>The page is not built</h1>
<p>The server is at work, but the files of its page are missing. In a clone of the project, run <code>npm run build</code>; in
an installed package, install it again.</p>
<p>What it would show: <a href="/api/agents">agents</a>, <a href="/api/charts">charts</a>.</p></html>
`

/** Answers with the page itself. */
export async function sendPage(response: ServerResponse, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html')).catch(() => undefined)
  if (page === undefined) send(response, NOT_BUILT, TYPES['.html'] as string, 503)
  else send(response, page, TYPES['.html'] as string)
}

/** Answers with one of its files. @throws HttpRefusal */
export async function sendAsset(
  response: ServerResponse,
  folder: string,
  name: string,
): Promise<void> {
  const assets = join(folder, 'assets')
  const entries = await readdir(assets, { withFileTypes: true }).catch((): Dirent[] => [])
  const isThere = entries.some((entry) => entry.isFile() && entry.name === name)
  const type = TYPES[extname(name)]
  const file = isThere && type !== undefined ? join(assets, name) : undefined
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined)
  if (bytes === undefined || type === undefined)
    throw new HttpRefusal(404, 'NOT_FOUND', 'there is no such file of the page.')
  send(response, bytes, type)
}
