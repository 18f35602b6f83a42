/**
 * Follows one log: a stream of batches that goes on by itself where it broke off.
 *
 * @module
 */
import type {
  CaughtUp,
  LiveState,
  StreamHeader,
  Trouble,
  WireEvent,
} from '../../../src/inspect/viewer/wire.ts'
import { address } from './api.ts'

/** Who is told what the stream says. */
export interface Follower {
  header(header: StreamHeader): void
  /** @returns false where the batch does not join what is known: the stream begins anew */
  batch(events: readonly WireEvent[]): boolean
  live(state: LiveState): void
  trouble(trouble: Trouble): void
  caughtUp(upTo: CaughtUp): void
  connected(is: boolean): void
}

/** Follows the log of `id`. @returns how to leave */
export function follow(id: string, follower: Follower): () => void {
  let source: EventSource | undefined
  let generation: string | undefined
  let later: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    source?.close()
    clearTimeout(later)
    const made = new EventSource(address(`agents/${encodeURIComponent(id)}/events?from=0`))
    source = made
    const on = (name: string, tell: (data: string) => void): void => {
      made.addEventListener(name, ({ data }: MessageEvent<string>) => {
        if (source === made) tell(data)
      })
    }
    on('header', (data) => {
      const header = JSON.parse(data) as StreamHeader
      const replaced = generation !== undefined && generation !== header.generation
      generation = header.generation
      if (replaced && header.from > 0) open()
      else follower.header(header)
    })
    on('batch', (data) => {
      const joins = follower.batch(JSON.parse(data) as WireEvent[])
      // A pause, so that a server that leaves out events is not asked without end.
      if (!joins) later = setTimeout(open, 500)
    })
    on('live', (data) => follower.live(JSON.parse(data) as LiveState))
    on('trouble', (data) => follower.trouble(JSON.parse(data) as Trouble))
    on('caughtup', (data) => follower.caughtUp(JSON.parse(data) as CaughtUp))
    made.addEventListener('open', () => follower.connected(true))
    made.addEventListener('error', () => {
      if (source !== made) return
      follower.connected(false)
      // A browser gives up for good after an answer that is no stream; the server may come back.
      if (made.readyState === EventSource.CLOSED) later = setTimeout(open, 2000)
    })
  }

  open()
  return () => {
    clearTimeout(later)
    source?.close()
    source = undefined
  }
}
