/**
 * Numbers in words.
 *
 * @module
 */

/** A whole number with thousands marked, the same on every machine. */
export const amount = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** A number with its noun. */
export const plural = (value: number, noun: string): string =>
  `${amount(value)} ${noun}${value === 1 ? '' : 's'}`
