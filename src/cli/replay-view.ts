/**
 * How a replay is shown: as the live view of a run, or as lines of JSON.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import { escapedJson } from '../projections/plain-text.ts'
import { LiveView } from './live/live-view.ts'
import { oneLine } from './live/printable.ts'
import type { Screen } from './live/screen.ts'
import type { Surroundings } from './surroundings.ts'

/** Shows events one after another. */
export interface ReplayView {
  /** @param title - what is played, in two lines. */
  begin(title: readonly [name: string, place: string]): void
  /** @param next - the event behind it, which tells whether the agent came to rest. */
  event(event: StoredEvent, next: StoredEvent | undefined): void
  end(): void
}

/** One event a line, as in the log. */
export const jsonReplay = (at: Surroundings): ReplayView => ({
  begin: () => undefined,
  event: (event) => {
    at.stdout.write(`${escapedJson(JSON.stringify(event))}\n`)
  },
  end: () => undefined,
})

/**
 * The live view. Status is not in the log: a turn starts it, and a turn's end that no other turn follows at once ends it.
 *
 * @param now - the moment of the recording, in ms since the epoch.
 */
export function liveReplay(screen: Screen, now: () => number): ReplayView {
  const view = new LiveView(screen, now)
  let running = false
  return {
    begin([name, place]) {
      screen.line(`${screen.paint('bold', 'replay')} ${oneLine(name)}`)
      screen.line(screen.paint('dim', oneLine(place)))
    },
    event(event, next) {
      if (event.type === 'turn/start' && !running) {
        running = true
        view.notice({ type: 'status', status: 'running' })
      }
      view.event(event)
      if (event.type === 'user/message') screen.line(screen.paint('bold', promptOf(event)))
      if (event.type !== 'turn/end' || next?.type === 'turn/start') return
      running = false
      view.notice({ type: 'status', status: 'idle' })
    },
    end() {
      view.end()
    },
  }
}

function promptOf({ data: { message } }: StoredEvent<'user/message'>): string {
  const text = message.content.map((block) =>
    block.type === 'text' ? block.text : `[${block.type}]`,
  )
  return `  > ${oneLine(text.join(' '))}`
}
