/**
 * What a typed line asks for. It looks at words only; `obey.ts` does it.
 *
 * @module
 */

/** The commands, in the order of the help: what each takes and what it does. */
const SLASHES = {
  queue: ['TEXT', 'a prompt for a turn of its own, behind what runs'],
  inject: ['TEXT', 'context for the next step; it wakes nobody'],
  cancel: ['[--keep-inbox]', 'end what runs and discard what waits, or keep it, parked'],
  inbox: ['', 'what waits, and why'],
  approve: ['[ID]', 'allow a call that was asked about; without ID the only one'],
  deny: ['[ID] [REASON]', 'deny it; the agent is told the reason'],
  fork: ['', 'a new session that begins with a copy of this one'],
  status: ['', 'where the agent stands, and why it is not idle'],
  help: ['', 'these commands'],
  quit: ['', 'leave; what waits is kept'],
} as const satisfies { readonly [name: string]: readonly [takes: string, does: string] }

/** A command by its name. */
export type SlashName = keyof typeof SLASHES

/** A line, read. */
export type Spoken =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'slash'; readonly name: SlashName; readonly rest: string }
  /** Why the line is not obeyed. */
  | { readonly kind: 'fault'; readonly why: string }

/** The commands, one a line. */
export const SLASH_LINES: readonly string[] = Object.entries(SLASHES).map(
  ([name, [takes, does]]) => `  ${`/${name} ${takes}`.padEnd(24)}${does}`,
)

/** What the help of the command line says of them. */
export const SLASH_HELP = SLASH_LINES.map((line) => `${line}\n`).join('')

const isSlash = (name: string): name is SlashName => Object.hasOwn(SLASHES, name)

/** Reads a line. Two slashes at its beginning stand for one that is said. */
export function readLine(line: string): Spoken {
  const text = line.trim()
  if (text === '') return { kind: 'nothing' }
  if (!text.startsWith('/')) return { kind: 'say', text }
  if (text.startsWith('//')) return { kind: 'say', text: text.slice(1) }
  const [word = ''] = text.slice(1).split(/\s/, 1)
  if (!isSlash(word)) return { kind: 'fault', why: unknown(word) }
  return slash(word, text.slice(word.length + 1).trim())
}

const unknown = (word: string): string =>
  `there is no command /${word}; /help lists them, and a line that begins with // is said with one slash`

function slash(name: SlashName, rest: string): Spoken {
  const why = faultOf(name, rest)
  return why === undefined ? { kind: 'slash', name, rest } : { kind: 'fault', why }
}

function faultOf(name: SlashName, rest: string): string | undefined {
  const [takes] = SLASHES[name]
  if (takes === 'TEXT' && rest === '') return `/${name} needs a text behind it`
  if (takes === '' && rest !== '') return `/${name} takes nothing, found ${JSON.stringify(rest)}`
  if (name === 'cancel' && rest !== '' && rest !== '--keep-inbox')
    return `/cancel takes --keep-inbox or nothing, found ${JSON.stringify(rest)}`
  return undefined
}
