/**
 * The event at the position that is shown, whole.
 *
 * @module
 */
import { useState } from 'preact/hooks'
import type { StoredEvent } from '../../../src/events/event.ts'
import type { WireEvent } from '../../../src/inspect/viewer/wire.ts'
import { wholeEvent } from '../connection/api.ts'
import { json } from '../log/texts.ts'
import { numberText } from '../log/texts.ts'
import { useStore } from '../view/use-store.ts'
import { Card, Nothing } from './card.tsx'

/** Characters that are drawn; a browser lays out no more than that without a pause. */
const MOST = 200_000

export function EventDetail() {
  const { recording, seen, view } = useStore()
  const event = recording.events[seen - 1]
  if (event === undefined || view.chosen === null) {
    return (
      <Card id="event" title="Event">
        <Nothing>Before the first event.</Nothing>
      </Card>
    )
  }
  return (
    <Card id="event" title={`Event ${event.seq}`} note={event.type}>
      <Payload key={`${view.chosen} ${event.seq}`} agent={view.chosen} event={event} />
    </Card>
  )
}

interface PayloadProps {
  readonly agent: string
  readonly event: WireEvent
}

function Payload({ agent, event }: PayloadProps) {
  const [whole, tell] = useState<StoredEvent | string | null>(null)
  const { shortened } = event
  const load = (): void => {
    wholeEvent(agent, event.seq).then(tell, (fault: unknown) =>
      tell(fault instanceof Error ? fault.message : 'it could not be loaded'),
    )
  }
  const shown = whole === null || typeof whole === 'string' ? event : whole
  const text = json({ ...shown, shortened: undefined })
  return (
    <>
      {shortened !== undefined && shown === event ? (
        <p class="nothing">
          Shortened; the whole payload has {numberText(shortened)} characters.{' '}
          <button type="button" class="button" onClick={load}>
            Load it
          </button>
        </p>
      ) : null}
      {typeof whole === 'string' ? <p role="alert">{whole}</p> : null}
      <pre class="code" tabIndex={0} aria-label="Payload">
        {text.length > MOST ? `${text.slice(0, MOST)}\n… ${text.length - MOST} more` : text}
      </pre>
    </>
  )
}
