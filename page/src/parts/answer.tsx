/**
 * The answer to the first questions of whoever looks: where is it, why is it not idle, what was lost, what to do.
 *
 * @module
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Finding } from '../../../src/inspect/account/finding.ts'
import type { Owner } from '../../../src/inspect/account/glance.ts'
import { standingView } from '../../../src/inspect/account/standing.ts'
import type { AgentSummary, Chart } from '../../../src/inspect/viewer/wire.ts'
import { answerAt, fateWord, isFate, seqsFor } from '../log/answers.ts'
import { placeText } from '../log/differences.ts'
import { lightsOf } from '../log/lights.ts'
import type { Store } from '../view/store.ts'
import { useStore } from '../view/use-store.ts'

/** As many events are looked at before a frame; more of them wait until the position stays. */
const AT_ONCE = 2000
/** ms for which the position must stay. */
const PAUSE_MS = 150

export function Answer({ now }: { readonly now: number }) {
  const store = useStore()
  const findings = useFindings(store, now)
  if (!store.view.caughtUp) {
    return (
      <section class="answer reading" aria-label="Answer" id="answer">
        <p class="nothing">Reading the log…</p>
      </section>
    )
  }
  return <Told findings={findings} />
}

function Told({ findings }: { readonly findings: readonly Finding[] }) {
  const open = findings.filter((finding) => !isFate(finding))
  const fates = findings.filter(isFate)
  // The same advice may come from several findings.
  const todos = new Map(findings.map((finding) => [finding.todo, finding]))
  todos.delete(undefined)
  return (
    <section class="answer" aria-label="Answer" id="answer">
      <Where />
      <Part id="why" title="Why not idle?">
        <Findings findings={open} />
      </Part>
      <Part id="todo" title="What to do">
        {todos.size === 0 ? <p class="nothing">Nothing.</p> : null}
        <ul>
          {[...todos].map(([todo, finding]) => (
            <li key={todo}>
              {todo}
              <Source finding={finding} />
            </li>
          ))}
        </ul>
      </Part>
      <Part id="kept" title="Lost or kept">
        {fates.length === 0 ? <p class="nothing">The last turn has not ended.</p> : null}
        <Findings findings={fates} />
      </Part>
    </section>
  )
}

interface PartProps {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}

/** A part scrolls where it is long, so that it must be reached by the keyboard. */
const Part = ({ id, title, children }: PartProps) => (
  <div id={id} role="group" aria-labelledby={`${id}-title`} tabIndex={0}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </div>
)

/** The findings at the position that is shown; those of the last position while many events are to be looked at. */
function useFindings(store: Store, now: number): readonly Finding[] {
  const { recording, seen, agent, view } = store
  const [late, tell] = useState<readonly Finding[]>([])
  const owner = ownerOf(agent, view.cursor === null)
  const seqs = useMemo(() => seqsFor(recording, seen), [recording, seen])
  const atOnce = seqs.length <= AT_ONCE
  const look = (): readonly Finding[] => answerAt(recording, seqs, now, owner)
  const prompt = useMemo(() => (atOnce ? look() : null), [recording, seqs, now, owner])
  // A long look is not repeated with each second.
  const moment = atOnce ? 0 : Math.floor(now / 30_000)
  useEffect(() => {
    if (atOnce) return undefined
    const timer = setTimeout(() => tell(look()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [atOnce, seqs, owner, moment])
  return prompt ?? late
}

/** Whoever looks back looks at a moment at which somebody wrote the log. */
function ownerOf(agent: AgentSummary | undefined, atEnd: boolean): Owner | undefined {
  if (!atEnd || agent?.kind === 'live') return 'alive'
  return agent?.owner
}

/** The agent's chart is told of the end of a turn after it was recorded. */
const JUST_ENDED = 'The turn has ended; whether another one opens is decided next.'

function descriptionOf(charts: readonly Chart[], id: Chart['id'], path: string): string {
  const chart = charts.find((one) => one.id === id)
  return chart?.states.find((state) => state.path === path)?.description ?? ''
}

/** The innermost chart that runs says most. */
function Where() {
  const { moment, view } = useStore()
  const standing = standingView(moment.standing)
  const { turn, step } = standing.open
  const inner = step !== null ? 'step' : turn !== null ? 'turn' : 'agent'
  const [path = ''] = lightsOf(standing[inner], view.cursor === null).current
  const isEnding = turn === null && path === 'running.turning'
  return (
    <Part id="where" title="Where it is">
      <p class="headline" aria-live="polite">
        {placeText(moment)}
      </p>
      <p>
        {inner} in <b>{path}</b>
      </p>
      <p>{isEnding ? JUST_ENDED : descriptionOf(view.charts, inner, path)}</p>
    </Part>
  )
}

const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul>
    {findings.map((finding) => (
      <li key={`${finding.code} ${finding.text}`} data-kind={fateWord(finding)}>
        {fateWord(finding) === '' ? null : <span class="fate">{fateWord(finding)}</span>}
        {finding.text}
        <Source finding={finding} />
      </li>
    ))}
  </ul>
)

/** Leads to the event that says so. */
function Source({ finding: { seq } }: { readonly finding: Finding }) {
  const store = useStore()
  if (seq === undefined) return null
  return (
    <button
      type="button"
      class="source"
      aria-label={`Go to event ${seq}`}
      onClick={() => store.travel(seq + 1)}
    >
      #{seq}
    </button>
  )
}
