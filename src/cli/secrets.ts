/**
 * The secret values of this process, and how they are kept out of everything that is written.
 *
 * It knows values, not patterns: what looks like a credential is the business of the adapter that classifies failures.
 *
 * X1 No text that passes through `hide` or `HiddenStream` holds a known secret, also when it came in pieces.
 *
 * @module
 */

/** What stands in the place of a secret. */
export const HIDDEN = '[hidden]'

const OF_PROVIDERS = /^(OPENAI|ANTHROPIC|DEEPSEEK)_API_KEY$/
const SECRET_NAME = /(API_?KEY|TOKEN|SECRET|PASSWORD)$/i
/** Shorter values are words; hiding them would garble every text. */
const MIN_OF_PROVIDERS = 6
const MIN_OF_OTHERS = 12

/** The secrets of an environment. */
export class Secrets {
  /** Longest first, so that a secret that holds another one is hidden whole. */
  readonly #values: readonly string[]

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const values = Object.entries(env).flatMap(([name, value = '']) => [
      ...(isSecret(name, value) ? [value.trim()] : []),
      ...passwordIn(value),
    ])
    this.#values = [...new Set(values)].toSorted((a, b) => b.length - a.length)
  }

  /** Is there nothing to hide? */
  get none(): boolean {
    return this.#values.length === 0
  }

  /** The text with every secret replaced. */
  hide(text: string): string {
    return this.#values.reduce((hidden, value) => hidden.replaceAll(value, HIDDEN), text)
  }

  /** A copy of a JSON value with every secret replaced, in keys too. */
  hideIn<T>(value: T): T {
    if (typeof value === 'string') return this.hide(value) as T
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item: unknown) => this.hideIn(item)) as T
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.hide(key), this.hideIn<unknown>(item)]),
    ) as T
  }

  /** Number of characters at the end of a text that may be the beginning of a secret. */
  undecided(text: string): number {
    const longest = Math.min(text.length, (this.#values[0]?.length ?? 1) - 1)
    for (let length = longest; length > 0; length -= 1) {
      const end = text.slice(-length)
      if (this.#values.some((value) => value.startsWith(end))) return length
    }
    return 0
  }
}

/** Hides secrets in a text that comes in pieces, holding back no more than may be the beginning of one. */
export class HiddenStream {
  readonly #secrets: Secrets
  #held = ''

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** Takes a piece and gives what can be shown; may be empty. */
  push(piece: string): string {
    const text = this.#secrets.hide(this.#held + piece)
    const undecided = this.#secrets.undecided(text)
    this.#held = text.slice(text.length - undecided)
    return text.slice(0, text.length - undecided)
  }

  /** Gives what was held back. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return rest
  }
}

const isSecret = (name: string, value: string): boolean => {
  const length = value.trim().length
  return OF_PROVIDERS.test(name)
    ? length >= MIN_OF_PROVIDERS
    : SECRET_NAME.test(name) && length >= MIN_OF_OTHERS
}

/** The password of an address such as `https://user:password@host`. */
function passwordIn(value: string): string[] {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:([^/@\s]+)@/i.exec(value)?.[1]
  if (found === undefined || found.length < MIN_OF_PROVIDERS) return []
  return [found, decoded(found)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
