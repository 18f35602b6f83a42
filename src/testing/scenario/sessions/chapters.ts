/**
 * Parts the commands of a scenario into the processes that issue them.
 *
 * @module
 */
import { match, splitTop } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'

type Command = NonNullable<Scenario['commands']>[number]

/** The commands of one process. */
export interface Chapter {
  /** The process leaves a log that the expectation shows; nothing is performed. */
  readonly image: boolean
  /** No agent exists at its start. */
  readonly bare: boolean
  readonly commands: Command[]
}

const PROCESS = /^(?:process|boot) \d+\b/
const VERB = /^(?:resume(?! (?:the |its )?goal)|fork|create|setFactory)\b/
const HERE = 'same tick'

const whenOf = ({ when }: Command): string => String(when)
const partsOf = ({ do: text }: Command): string[] => splitTop(String(text), /\s*;\s*/)

/** Is the scenario about sessions that come and go? */
export const hasLives = (scenario: Scenario): boolean =>
  (scenario.commands ?? []).some(
    (command) =>
      whenOf(command) === 'none' ||
      PROCESS.test(whenOf(command)) ||
      partsOf(command).some((part) => VERB.test(part)),
  )

const ENDS = String.raw`(?:flush\b.*?|crash\b.*?|abandon\b.*?|exit\b.*?|kill\b.*?)`
const WHILE = new RegExp(`^while (?:the )?(.+?) (${ENDS})$`)
const ENDS_WHILE = new RegExp(`^(${ENDS}) while (?:the )?(.+)$`)

const momentOf = (words: string): string =>
  words === 'streaming'
    ? 'model streaming'
    : words.replace(/ (?:runs|is running)$/, ' running').replace(/ waits$/, ' waiting')

/** `crash while streaming`, `while streaming flush`: what waits, and for which moment. */
function waiting(part: string): { readonly when: string; readonly do: string } | undefined {
  const first = match(WHILE, part)
  if (first !== undefined) return { when: momentOf(first.at(1)), do: first.at(2) }
  const last = match(ENDS_WHILE, part)
  return last === undefined ? undefined : { when: momentOf(last.at(2)), do: last.at(1) }
}

/** One command, or several where a part of it waits for its moment. */
function unfolded(command: Command): Command[] {
  const found: { when: unknown; do: string }[] = []
  for (const part of partsOf(command)) {
    const waits = waiting(part)
    const current = found.at(-1)
    if (waits !== undefined) found.push({ ...waits })
    else if (current === undefined) found.push({ when: command.when, do: part })
    else current.do = `${current.do}; ${part}`
  }
  return found
}

/** The processes in their order. */
export function chaptersOf(scenario: Scenario): Chapter[] {
  const chapters: Chapter[] = []
  for (const command of scenario.commands ?? []) {
    const when = whenOf(command)
    const starts = PROCESS.test(when)
    if (starts || chapters.length === 0) chapters.push(chapterOf(when, chapters.length))
    const here = starts || when === 'none' ? { ...command, when: HERE } : command
    chapters.at(-1)?.commands.push(...unfolded(here))
  }
  return chapters
}

/** A later process finds what is stored; the first has a session of its own, unless none exists yet. */
const chapterOf = (when: string, before: number): Chapter => ({
  image: when.includes('crash image'),
  bare: when === 'none' || when.startsWith('boot') || before > 0,
  commands: [],
})
