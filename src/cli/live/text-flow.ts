/**
 * Text that arrives in pieces, indented and broken between words.
 *
 * @module
 */
import { printable, widthOf } from './printable.ts'

/** Lays out one block of text; what it gives is to be written as it comes. */
export class TextFlow {
  readonly #indent: string
  readonly #width: number
  #column = 0
  #word = ''
  #gap = ''
  #fresh = true
  /** Where a broken line goes on: further in than the line began, if that was indented itself. */
  #hanging = ''

  /** @param width - columns to stay within, indent included; Infinity breaks nothing. */
  constructor(indent: string, width: number) {
    this.#indent = indent
    this.#width = width
  }

  /** Takes a piece and gives what can be written of it; an unfinished word waits. */
  push(piece: string): string {
    let out = ''
    for (const character of printable(piece)) {
      if (character === '\n') {
        out += `${this.#placeWord()}\n`
        this.#fresh = true
        this.#gap = ''
      } else if (character === ' ' || character === '\t') {
        out += this.#placeWord()
        this.#gap += character === '\t' ? '  ' : ' '
      } else this.#word += character
    }
    return out
  }

  /** Gives the last word. */
  end(): string {
    return this.#placeWord()
  }

  #placeWord(): string {
    if (this.#word === '') return ''
    const word = this.#word
    const width = widthOf(word)
    this.#word = ''
    const gap = this.#gap
    this.#gap = ''
    if (this.#fresh) {
      this.#fresh = false
      this.#column = this.#indent.length + gap.length + width
      this.#hanging = this.#indent + (gap === '' ? '' : `${gap}  `)
      return `${this.#indent}${gap}${word}`
    }
    if (this.#column + gap.length + width <= this.#width) {
      this.#column += gap.length + width
      return `${gap}${word}`
    }
    this.#column = this.#hanging.length + width
    return `\n${this.#hanging}${word}`
  }
}
