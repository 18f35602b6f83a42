/**
 * The head of the page: what is shown, its status, whether the page is connected, and which keys there are.
 *
 * @module
 */
import { useEffect } from 'preact/hooks'
import type { LogHeader } from '../../../src/events/event.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import { useStore } from '../view/use-store.ts'
import { nameOf } from './agents.tsx'

const KEYS = [
  ['← →', 'an event back or on'],
  ['Shift ← →', 'a turn back or on'],
  ['Home', 'before the first event'],
  ['End or l', 'follow the end'],
  ['m', 'mark here to compare'],
  ['/', 'search'],
  ['↑ ↓', 'rows of a list, states of a chart'],
  ['?', 'these keys'],
] as const

export function Head() {
  const { agent, view } = useStore()
  const { connected, fault } = view
  const title = agent === undefined ? 'turnwise' : `${nameOf(agent)} · turnwise`
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <header class="head">
      <h1>
        <span class="brand">turnwise</span>
        <span class="subject">{agent === undefined ? 'no agent' : nameOf(agent)}</span>
      </h1>
      <Subject />
      <span class="about link" role="status">
        {fault ?? (connected ? 'connected' : 'not connected; trying again')}
      </span>
      <Keys />
      <Damage />
    </header>
  )
}

/** What is shown, and how it is now, whatever position is looked at. */
function Subject() {
  const { agent, view } = useStore()
  const { header, live } = view
  if (agent === undefined) return null
  const status = live?.status ?? agent.status
  const doing = live?.activity === 'maintenance' ? 'maintenance' : status
  return (
    <>
      <span class="pill" id="status" data-status={status}>
        {agent.kind === 'live' ? 'live · ' : ''}
        {doing}
      </span>
      {header === null ? null : <span class="about">{originOf(header)}</span>}
    </>
  )
}

const originOf = ({ id, parent }: LogHeader): string =>
  `session ${shortLine(id, 60)}${parent === undefined ? '' : ` · fork of ${shortLine(parent, 60)}`}`

const Keys = () => (
  <details id="keys">
    <summary>Keys</summary>
    <dl>
      {KEYS.map(([key, what]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </details>
)

/** What is wrong with the log. */
function Damage() {
  const { agent, view, recording } = useStore()
  const { trouble } = view
  const [unread] = recording.unread
  const said = trouble === null ? agent?.trouble : `${trouble.code}: ${trouble.message}`
  const passed =
    unread === undefined ? undefined : `Event ${unread} cannot be read and was passed over.`
  const words = [said, passed].filter((text) => text !== undefined).join(' ')
  return words === '' ? null : (
    <p class="trouble" role="alert">
      {shortLine(words, 400)}
    </p>
  )
}
