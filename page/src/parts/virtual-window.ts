/**
 * The arithmetic of a list of which only a part exists.
 *
 * @module
 */

/** px that are scrolled away above, and px in sight. */
export interface Sight {
  readonly top: number
  readonly height: number
}

/** Rows beyond the edges, so that a quick scroll shows no gap. */
const BEYOND = 8

/** The rows that are to exist: from `first` up to, not including, `last`. */
export function windowOf(
  { top, height }: Sight,
  rowHeight: number,
  count: number,
): { readonly first: number; readonly last: number } {
  const rows = Math.ceil(height / rowHeight) + 2 * BEYOND + 1
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - BEYOND, count - rows))
  return { first, last: Math.min(count, first + rows) }
}

/** Where to scroll so that a row is in sight: no further than needed, or into the middle if it was far away. */
export function broughtIntoSight(
  { top, height }: Sight,
  index: number,
  rowHeight: number,
  count: number,
): number {
  const start = index * rowHeight
  const isInSight = start >= top && start + rowHeight <= top + height
  if (index < 0 || isInSight) return top
  const isFar = start < top - height || start > top + 2 * height
  const near = start < top ? start : start + rowHeight - height
  const to = isFar ? start - (height - rowHeight) / 2 : near
  return Math.max(0, Math.min(Math.round(to), Math.max(0, count * rowHeight - height)))
}

/** Where the keys lead from a row, by pages of `page` rows; undefined for other keys. */
export function movedBy(
  key: string,
  from: number,
  count: number,
  page: number,
): number | undefined {
  const to = new Map([
    ['ArrowDown', from + 1],
    ['ArrowUp', from - 1],
    ['PageDown', from + page],
    ['PageUp', from - page],
    ['Home', 0],
    ['End', count - 1],
  ]).get(key)
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to))
}
