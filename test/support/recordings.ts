/**
 * Recorded streams of providers, and how they are sent.
 *
 * A file holds one JSON chunk a line; its name begins with the wire format.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spokenIn, type Spoken, type WireFormat } from './spoken.ts'

export interface Recording {
  readonly name: string
  readonly format: WireFormat
  readonly spoken: Spoken
  /** The body of the answer. */
  readonly bytes: Buffer
  /** Number of bytes after which the provider has said that and why it ends. */
  readonly saidAt: number
}

const ROOT = resolve(import.meta.dirname, '../..')
const OWN = join(import.meta.dirname, '../fixtures/recordings')

/** The folder with further recordings; it need not exist. */
export const FURTHER = resolve(ROOT, process.env['TURNWISE_RECORDINGS'] ?? '../shared/recordings')

const FORMATS: readonly WireFormat[] = ['openai-chat', 'openai-responses', 'anthropic']

/** One server-sent event, as the provider of this format writes it. */
function eventOf(format: WireFormat, line: string): string {
  if (format === 'openai-chat') return `data: ${line}\n\n`
  const { type } = JSON.parse(line) as { type: string }
  return `event: ${type}\ndata: ${line}\n\n`
}

/** A recording made of its lines. */
export function recordingOf(name: string, format: WireFormat, lines: readonly string[]): Recording {
  const events = lines.map((line) => eventOf(format, line))
  const spoken = spokenIn(
    format,
    lines.map((line) => JSON.parse(line) as unknown),
  )
  const done = format === 'openai-chat' ? ['data: [DONE]\n\n'] : []
  return {
    name,
    format,
    spoken,
    bytes: Buffer.from([...events, ...done].join('')),
    saidAt: Buffer.byteLength(events.slice(0, spoken.lastWord + 1).join('')),
  }
}

function readRecording(folder: string, file: string): Recording {
  const format = FORMATS.find((known) => file.startsWith(`${known}.`))
  if (format === undefined) throw new Error(`${file} does not begin with ${FORMATS.join(', ')}`)
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  return recordingOf(
    file.replace(/\.chunks\.txt$/, ''),
    format,
    lines.filter((line) => line.trim() !== ''),
  )
}

const recordingsIn = (folder: string): Recording[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.chunks.txt'))
    .toSorted()
    .map((file) => readRecording(folder, file))

/** The small recordings of this project. */
export const ownRecordings = (): Recording[] => recordingsIn(OWN)

/** One of them. */
export function ownRecording(name: string): Recording {
  const found = ownRecordings().find((recording) => recording.name === name)
  if (found === undefined) throw new Error(`there is no recording ${name}`)
  return found
}

/** The recordings in the further folder; undefined if it does not exist. */
export const furtherRecordings = (): Recording[] | undefined =>
  existsSync(FURTHER) ? recordingsIn(FURTHER) : undefined
