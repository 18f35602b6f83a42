/**
 * Counts lines and words of a text that comes in pieces.
 *
 * @module
 */

/** Lines end at a line break, and a last line without one counts; words are what white space separates. */
export class TextCounter {
  size = 0
  words = 0
  #breaks = 0
  #last = '\n'

  /** Takes the next piece, which may begin in the middle of a word. */
  add(piece: string): void {
    if (piece === '') return
    this.size += piece.length
    this.#breaks += piece.split('\n').length - 1
    this.words += piece.match(/\S+/g)?.length ?? 0
    // A word cut by the edge of a piece was counted on both sides.
    if (/\S/.test(this.#last) && /^\S/.test(piece)) this.words -= 1
    this.#last = piece.slice(-1)
  }

  /** Lines so far. */
  get lines(): number {
    return this.#breaks + (this.#last === '\n' ? 0 : 1)
  }
}
