/**
 * The words of one command line, by the names of their options. It looks at words only.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { UsageFault } from './fault.ts'

/** An option with a value. */
export const TEXT = { type: 'string' } as const
/** An option without one. */
export const FLAG = { type: 'boolean' } as const

type Options = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>
>

/** The values of a command line, by the names of their options. */
export class Given {
  private readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly rest: readonly string[]

  /** @throws UsageFault */
  constructor(options: Options, words: readonly string[]) {
    try {
      const parsed = parseArgs({
        args: [...words],
        options,
        allowPositionals: true,
      })
      this.values = parsed.values
      this.rest = parsed.positionals
    } catch (error) {
      // Node appends advice about "--" to some of these; the first sentence says what is wrong.
      throw new UsageFault(
        error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error),
      )
    }
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.values[name]
    if (value === '') throw new UsageFault(`--${name} needs a value`)
    return typeof value === 'string' ? value : undefined
  }

  /** An id of a session. */
  session(name: string): string | undefined {
    const id = this.text(name)
    if (id === undefined || /^[A-Za-z0-9_-]{1,128}$/.test(id)) return id
    throw new UsageFault(`--${name} must be 1 to 128 of A-Z, a-z, 0-9, "_" and "-"`)
  }

  none(): void {
    if (this.rest.length > 0)
      throw new UsageFault(
        `nothing was expected behind the options, found ${JSON.stringify(this.rest[0])}`,
      )
  }

  /** Position of an event in a log. */
  seq(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d{1,15}$/.test(text)) throw new UsageFault(`--${name} must be the seq of an event`)
    return Number(text)
  }

  /** A port of this machine; 0 takes any that is free. */
  port(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const port = Number(text)
    if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
    throw new UsageFault(`--${name} must be a port from 0 to 65535; 0 takes any that is free`)
  }

  /** One of some words; the first one where nothing was given. */
  oneOf<W extends string>(name: string, words: readonly [W, ...W[]]): W {
    const text = this.text(name) ?? words[0]
    const word = words.find((known) => known === text)
    if (word === undefined)
      throw new UsageFault(
        `--${name} must be one of ${words.join(', ')}, found ${JSON.stringify(text)}`,
      )
    return word
  }
}
