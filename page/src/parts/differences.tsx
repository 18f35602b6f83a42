/**
 * What changed between the marked position and this one.
 *
 * @module
 */
import { differences } from '../log/differences.ts'
import { numberText } from '../log/texts.ts'
import { useStore } from '../view/use-store.ts'
import { Card, Nothing } from './card.tsx'

const SIGNS = { added: '+', removed: '−', changed: '~' } as const

/** As many are listed. */
const MOST = 100

export function Differences() {
  const store = useStore()
  const { mark } = store.view
  if (mark === null) return null
  const told = differences(store.recording.at(mark), store.moment)
  return (
    <Card
      id="differences"
      title="Differences"
      note={`${numberText(mark)} → ${numberText(store.seen)}`}
    >
      {told.length === 0 ? <Nothing>Nothing is different.</Nothing> : null}
      <ul class="differences">
        {told.slice(0, MOST).map(({ area, kind, text }, index) => (
          <li key={index} data-kind={kind}>
            <span class="sign" aria-label={kind}>
              {SIGNS[kind]}
            </span>
            <span class="tag">{area}</span> {text}
          </li>
        ))}
      </ul>
      {told.length > MOST ? (
        <Nothing>{`and ${numberText(told.length - MOST)} more`}</Nothing>
      ) : null}
      <p class="buttons">
        <button type="button" class="button" onClick={() => store.mark(null)}>
          Forget the mark
        </button>
        <button type="button" class="button" onClick={() => store.travel(mark)}>
          Go to the mark
        </button>
      </p>
    </Card>
  )
}
