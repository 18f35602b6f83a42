/**
 * A list of any length of which only the visible rows exist. All rows are equally high.
 *
 * L1 It is one stop of the keyboard; what the keys do is the caller's. The active row is told to screen readers.
 * L2 While it stands at its end it stays there as the list grows.
 *
 * @module
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps {
  readonly id: string
  readonly label: string
  readonly count: number
  /** px */
  readonly rowHeight: number
  /** Index of the active row; -1 for none. */
  readonly active: number
  /** Does the end of the list stay in sight? */
  readonly follows: boolean
  readonly row: (index: number) => ComponentChildren
  readonly onMove: (index: number) => void
}

/** Rows beyond the edges, so that a quick scroll shows no gap. */
const BEYOND = 8
/** px: browsers draw nothing beyond about 33 million. */
const TALLEST = 30_000_000

/** Which rows are to exist. */
interface Window {
  readonly first: number
  readonly last: number
}

const windowOf = (top: number, height: number, rowHeight: number, count: number): Window => ({
  first: Math.max(0, Math.floor(top / rowHeight) - BEYOND),
  last: Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND),
})

/** Where the keys lead from a row, by pages of `page` rows. */
function movedBy(key: string, from: number, count: number, page: number): number | undefined {
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

export function VirtualList(props: VirtualListProps) {
  const { id, label, count, rowHeight, active, follows, row, onMove } = props
  const box = useRef<HTMLDivElement>(null)
  const [{ top, height }, place] = useState({ top: 0, height: 400 })
  const measure = (): void => {
    const { current } = box
    if (current !== null) place({ top: current.scrollTop, height: current.clientHeight })
  }
  useResize(box, measure)
  useInSight(box, active, follows, count, rowHeight)
  const { first, last } = windowOf(top, height, rowHeight, count)
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at)
  const visible = active >= first && active < last
  return (
    <div
      ref={box}
      id={id}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      {...(visible ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      onScroll={measure}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return
        const page = Math.max(1, Math.floor(height / rowHeight) - 1)
        const to = movedBy(event.key, active, count, page)
        if (to === undefined) return
        event.preventDefault()
        event.stopPropagation()
        onMove(to)
      }}
    >
      <div
        class="virtual-space"
        role="presentation"
        style={{ height: `${Math.min(TALLEST, count * rowHeight)}px` }}
      >
        {indexes.map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            class="virtual-row"
            aria-selected={index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            onClick={() => onMove(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}

type Box = { readonly current: HTMLDivElement | null }

function useResize(box: Box, measure: () => void): void {
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
}

/** Brings the active row into sight when it changes, and keeps the end there. */
function useInSight(
  box: Box,
  active: number,
  follows: boolean,
  count: number,
  rowHeight: number,
): void {
  const atEnd = useRef(true)
  useEffect(() => {
    const { current } = box
    const look = (): void => {
      if (current === null) return
      atEnd.current =
        current.scrollTop + current.clientHeight >= current.scrollHeight - rowHeight * 2
    }
    current?.addEventListener('scroll', look, { passive: true })
    return () => current?.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    const { current } = box
    if (current === null || !follows || !atEnd.current) return
    current.scrollTop = current.scrollHeight
  }, [count, follows])
  useLayoutEffect(() => {
    const { current } = box
    if (current === null || active < 0) return
    const top = active * rowHeight
    const { scrollTop, clientHeight } = current
    if (top < scrollTop)
      current.scrollTop = top - (top < scrollTop - clientHeight ? clientHeight / 2 : 0)
    else if (top + rowHeight > scrollTop + clientHeight) {
      const far = top > scrollTop + 2 * clientHeight
      current.scrollTop = top + rowHeight - clientHeight + (far ? clientHeight / 2 : 0)
    }
  }, [active])
}
