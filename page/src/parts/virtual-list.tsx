/**
 * A list of any length of which only the visible rows exist. All rows are equally high.
 *
 * L1 It is one stop of the keyboard; what the keys do is the caller's. The active row is told to screen readers.
 * L2 While it stands at its end it stays there as the list grows.
 * L3 Where it is scrolled to is known without asking: reading it would lay out the page once more in each frame.
 *
 * @module
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { broughtIntoSight, movedBy, type Sight, windowOf } from './virtual-window.ts'

export interface VirtualListProps {
  readonly id: string
  readonly label: string
  readonly count: number
  /** px */
  readonly rowHeight: number
  /** Index of the active row, -1 for none; asked at each key too, since keys may come faster than frames. */
  readonly activeRow: () => number
  /** Does the end of the list stay in sight? */
  readonly follows: boolean
  readonly row: (index: number) => ComponentChildren
  readonly onMove: (index: number) => void
}

export function VirtualList(props: VirtualListProps) {
  const { id, label, count, rowHeight, activeRow, row, onMove } = props
  const active = activeRow()
  const box = useRef<HTMLDivElement>(null)
  const sight = useSight(box, active, props)
  const { first, last } = windowOf(sight, rowHeight, count)
  const visible = active >= first && active < last
  const page = Math.max(1, Math.floor(sight.height / rowHeight) - 1)
  return (
    <div
      ref={box}
      id={id}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      {...(visible ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return
        const to = movedBy(event.key, activeRow(), count, page)
        if (to === undefined) return
        event.preventDefault()
        event.stopPropagation()
        onMove(to)
      }}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: last - first }, (_, at) => first + at).map((index) => (
          <div
            // A row that scrolls out of sight becomes the one that scrolls in.
            key={index % (last - first)}
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

/** Where the list is scrolled to: by its reader, by the active row, and by its end. */
function useSight(
  box: { readonly current: HTMLDivElement | null },
  active: number,
  { count, rowHeight, follows }: VirtualListProps,
): Sight {
  const [, draw] = useState(0)
  const shown = useRef({ top: 0, height: 400, active: -1, atEnd: true })
  const { height, atEnd, active: before } = shown.current
  let { top } = shown.current
  if (active !== before) top = broughtIntoSight(shown.current, active, rowHeight, count)
  else if (follows && atEnd) top = Math.max(0, count * rowHeight - height)
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const look = (): void => {
      const { scrollTop, clientHeight } = current
      const known = shown.current
      if (Math.abs(known.top - scrollTop) < 1 && known.height === clientHeight) return
      const reaches = scrollTop + clientHeight >= current.scrollHeight - 2 * rowHeight
      shown.current = { ...known, top: scrollTop, height: clientHeight, atEnd: reaches }
      draw((times) => times + 1)
    }
    const observer = new ResizeObserver(look)
    observer.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [])
  useLayoutEffect(() => {
    const { current } = box
    const moved = Math.abs(top - shown.current.top) >= 1
    const reaches = top + height >= (count - 2) * rowHeight
    shown.current = { ...shown.current, active, top, atEnd: reaches }
    if (current !== null && moved) current.scrollTop = top
  })
  return { top, height }
}
