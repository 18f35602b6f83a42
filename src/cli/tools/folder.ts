/**
 * The folder that the tools may read: turns a path that a model wrote into a place inside it, or refuses.
 *
 * It must not open anything itself; that is done by `open-text.ts` and `walk.ts`.
 *
 * F1 A place lies inside the folder after every link is resolved.
 * F2 A private name is refused wherever it stands, in the path that was asked and in the one it resolves to.
 * F3 No error names a path outside the folder.
 *
 * @module
 */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep, win32 } from 'node:path'
import { privatePartOf } from './private-names.ts'

/** A resolved place: `path` is relative to the folder with `/`, `real` is absolute and without links. */
export interface Place {
  readonly path: string
  readonly real: string
}

/** A folder that may be read. */
export interface Folder {
  /** Absolute, without links. */
  readonly root: string
  /** Resolves a relative path; an empty one is the folder itself. @throws Error with a sentence for the model. */
  place(path: string): Promise<Place>
}

/**
 * Opens the folder at `dir`.
 *
 * @throws Error when it does not exist or is no folder.
 */
export async function openFolder(dir: string): Promise<Folder> {
  const root = await realpath(dir).catch((error: unknown) => {
    throw new Error(`there is no folder ${dir} (${codeOf(error)})`)
  })
  if (!(await stat(root)).isDirectory()) throw new Error(`${dir} is not a folder`)
  return { root, place: (path) => placeIn(root, path) }
}

async function placeIn(root: string, asked: string): Promise<Place> {
  const path = plain(asked)
  refusePrivate(path)
  const real = await realpath(join(root, path)).catch((error: unknown) => {
    throw new Error(fileFault(path, error))
  })
  const inside = relative(root, real).split(sep).join('/')
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) {
    throw new Error(`${path} leads out of the folder, so it was not opened`)
  }
  refusePrivate(inside)
  return { path: path === '' ? '.' : path, real }
}

/** The asked path without `.` parts; refuses what could only lead elsewhere. */
function plain(asked: string): string {
  if (asked.includes('\0')) throw new Error('a path cannot hold a NUL character')
  if (
    isAbsolute(asked) ||
    win32.isAbsolute(asked) ||
    /^[a-z]:/i.test(asked) ||
    asked.startsWith('~')
  ) {
    throw new Error(
      `${asked} is not relative: paths are relative to the folder, such as src/index.ts`,
    )
  }
  const parts = asked
    .split(sep === '\\' ? /[\\/]/ : '/')
    .filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new Error(`${asked} holds "..": paths stay inside the folder`)
  return parts.join('/')
}

function refusePrivate(path: string): void {
  const name = privatePartOf(path)
  if (name !== undefined)
    throw new Error(`${name} is private (secrets, keys, .git, packages): not opened`)
}

/** One sentence for a failed file operation, without absolute paths. */
export function fileFault(path: string, error: unknown): string {
  const code = codeOf(error)
  const sentences: Record<string, string> = {
    ENOENT: `there is no ${path} in this folder`,
    ENOTDIR: `there is no ${path} in this folder`,
    EACCES: `${path} is not readable: permission denied`,
    EPERM: `${path} is not readable: permission denied`,
    ELOOP: `${path} is a link that leads in circles`,
    ENAMETOOLONG: 'that path is too long',
    EISDIR: `${path} is a folder`,
  }
  return sentences[code] ?? `${path} could not be read (${code})`
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown'
