/**
 * Opens one file as text: plain files only, in bounded pieces, never a binary or a key.
 *
 * O1 Opening never waits: a FIFO or a device is refused before and after it was opened.
 * O2 No more than `PIECE_BYTES` are held at a time; whoever reads decides when to stop.
 *
 * @module
 */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { fileFault } from './folder.ts'
import type { Place } from './folder.ts'

const PIECE_BYTES = 64 * 1024
/** As git does: a NUL among the first bytes makes a file binary. */
const SNIFF_BYTES = 8000
const KEY_START = /^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File)/

/** A file refused for what it is, which a search over many files may pass over in silence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Gives the text of a file piece by piece, then closes it. Invalid UTF-8 becomes U+FFFD. */
export async function* textOf(place: Place, signal: AbortSignal): AsyncGenerator<string, void> {
  const file = await openPlainFile(place)
  try {
    const decoder = new TextDecoder('utf-8')
    const piece = new Uint8Array(PIECE_BYTES)
    for (let first = true; ; first = false) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES).catch((error: unknown) => {
        throw new UnreadableFile(fileFault(place.path, error))
      })
      if (bytesRead === 0) break
      const bytes = piece.subarray(0, bytesRead)
      if (first && bytes.subarray(0, SNIFF_BYTES).includes(0)) {
        throw new UnreadableFile(`${place.path} is binary, so it was not read`)
      }
      const text = decoder.decode(bytes, { stream: true })
      if (first && KEY_START.test(text)) {
        throw new UnreadableFile(`${place.path} holds a private key, so it was not read`)
      }
      yield text
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } finally {
    await file.close()
  }
}

/** Opens without following a link that was put there after the path was resolved, and without waiting. */
async function openPlainFile(place: Place): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  try {
    refuseSpecial(place, await stat(place.real))
    const file = await open(place.real, flags)
    try {
      refuseSpecial(place, await file.stat())
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(fileFault(place.path, error))
  }
}

function refuseSpecial(place: Place, stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isDirectory()) throw new UnreadableFile(`${place.path} is a folder`)
  if (!stats.isFile())
    throw new UnreadableFile(`${place.path} is no plain file, so it was not opened`)
}
