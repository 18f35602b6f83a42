/**
 * What is pending, open and spent at the position that is shown.
 *
 * @module
 */
import { entriesOf, isParked, placementOf } from '../../../src/projections/inbox.ts'
import type { TurnBudgets } from '../../../src/inspect/viewer/wire.ts'
import type { Usage as Tokens } from '../../../src/events/message.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import { json } from '../log/texts.ts'
import type { Moment } from '../log/moment.ts'
import {
  durationText,
  messageText,
  numberText,
  reasonText,
  sourceName,
  usageText,
} from '../log/texts.ts'
import { Card, Nothing } from './card.tsx'

interface MomentProps {
  readonly moment: Moment
  /** ms since the epoch, of the position that is shown. */
  readonly now: number
}

/** As many pending messages are listed. */
const MOST_PENDING = 50

/** Both lists in the order in which a boundary would take them. */
export function Inbox({ moment }: { readonly moment: Moment }) {
  const { inbox } = moment
  const rows = (['next-step', 'next-turn'] as const).flatMap((list) =>
    entriesOf(inbox, list).map((entry) => ({ list, entry })),
  )
  const { parked } = inbox
  const note = parked === null ? '' : `parked: ${parked.reason}`
  return (
    <Card id="inbox" title="Inbox" note={note}>
      {rows.length === 0 ? <Nothing>Nothing is pending.</Nothing> : null}
      <ol class="rows">
        {rows.slice(0, MOST_PENDING).map(({ list, entry }) => (
          <li key={entry.message.id} data-parked={isParked(inbox, entry.message.id)}>
            <span class="tag">{placementOf(list, entry)}</span>
            {isParked(inbox, entry.message.id) ? <span class="tag warn">parked</span> : null}
            {entry.wake ? <span class="tag">wakes</span> : null}
            {entry.mark === undefined ? null : <span class="tag">{entry.mark}</span>}
            <span class="who">
              {shortLine(sourceName(entry.message.source), 40)} · {shortLine(entry.message.id, 20)}
            </span>
            <p>{shortLine(messageText(entry.message), 240)}</p>
          </li>
        ))}
      </ol>
      {rows.length > MOST_PENDING ? (
        <Nothing>{`and ${numberText(rows.length - MOST_PENDING)} more`}</Nothing>
      ) : null}
    </Card>
  )
}

export function Calls({ moment, now }: MomentProps) {
  const { work, effort } = moment
  return (
    <Card id="calls" title="Open calls">
      {work.calls.length === 0 ? <Nothing>No call is open.</Nothing> : null}
      <ol class="rows">
        {work.calls.map(({ call, name, state }) => {
          const since = effort.open.find(({ key }) => key === call.key)
          return (
            <li key={call.key}>
              <span class="tag">{state}</span>
              <b>{shortLine(name, 60)}</b>
              {since === undefined ? null : (
                <span class="who">for {durationText(now - since.time)}</span>
              )}
              {since === undefined ? null : <p class="code">{shortLine(since.arguments, 240)}</p>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

export interface ApprovalsProps extends MomentProps {
  /** Answers a question; absent where that is not allowed. */
  readonly onAnswer?: (call: string, allow: boolean) => void
}

export function Approvals({ moment, now, onAnswer }: ApprovalsProps) {
  const { open } = moment.approvals
  return (
    <Card id="approvals" title="Waiting approvals">
      {open.length === 0 ? <Nothing>Nobody is asked.</Nothing> : null}
      <ol class="rows">
        {open.map(({ call, question, askedAt }) => (
          <li key={call.key}>
            <b>May {shortLine(question.tool, 60)} run?</b>
            <span class="who">asked {durationText(now - askedAt)} ago</span>
            {question.prompt === undefined ? null : <p>{shortLine(question.prompt, 240)}</p>}
            <pre class="code">{json(question.arguments)}</pre>
            {onAnswer === undefined ? null : (
              <div class="buttons">
                <button type="button" class="button" onClick={() => onAnswer(call.key, true)}>
                  Approve
                </button>
                <button type="button" class="button" onClick={() => onAnswer(call.key, false)}>
                  Deny
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface Budget {
  readonly what: string
  readonly used: number
  readonly allowed: number | undefined
  readonly text: (value: number) => string
}

const tokensOf = ({ inputTokens = 0, outputTokens = 0, totalTokens }: Tokens): number =>
  totalTokens ?? inputTokens + outputTokens

function budgetsOf(moment: Moment, now: number, allowed: TurnBudgets | undefined): Budget[] {
  const { effort, turns } = moment
  const { steps, attempts, tokens: most, ms } = allowed ?? {}
  const tokens = tokensOf(turns.list.last?.usage ?? {})
  return [
    { what: 'steps', used: effort.step, allowed: steps, text: numberText },
    { what: 'attempts', used: effort.attempts, allowed: attempts, text: numberText },
    { what: 'tokens', used: tokens, allowed: most, text: numberText },
    { what: 'time', used: now - effort.turnSince, allowed: ms, text: durationText },
  ]
}

export interface BudgetsProps extends MomentProps {
  readonly allowed: TurnBudgets | undefined
}

/** What the open turn has used, and of how much where that is known. */
export function Budgets({ moment, now, allowed }: BudgetsProps) {
  const { turn, calls } = moment.effort
  if (turn === null) {
    return (
      <Card id="budgets" title="Budgets">
        <Nothing>No turn is open.</Nothing>
      </Card>
    )
  }
  return (
    <Card id="budgets" title="Budgets" note={`turn ${turn}`}>
      <dl class="budgets">
        {budgetsOf(moment, now, allowed).map(({ what, used, allowed: most, text }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {text(used)}
              {most === undefined ? '' : ` of ${text(most)}`}
              {most === undefined ? null : (
                <meter
                  aria-label={`${what} used`}
                  min={0}
                  max={most}
                  value={Math.min(used, most)}
                />
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>calls</dt>
          <dd>{numberText(calls)}</dd>
        </div>
      </dl>
    </Card>
  )
}

/** As many turns are listed. */
const MOST_TURNS = 12

export function Usage({ moment }: { readonly moment: Moment }) {
  const { before, last } = moment.turns.list
  const all = before.length + (last === null ? 0 : 1)
  // A list of all turns would be made anew at each position.
  const earlier = Array.from({ length: MOST_TURNS - 1 }, (_, index) => before.at(-1 - index))
  const shown = [last, ...earlier].filter((turn) => turn !== null && turn !== undefined)
  const total = usageText(moment.usage.total)
  return (
    <Card id="usage" title="Usage" note={total === '' ? '' : `${total} tokens`}>
      {all === 0 ? <Nothing>No turn yet.</Nothing> : null}
      {all === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">Steps</th>
              <th scope="col">Tokens</th>
              <th scope="col">Ended</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ turn, steps, reason, usage }) => (
              <tr key={turn}>
                <th scope="row">{turn}</th>
                <td>{steps}</td>
                <td>{usageText(usage) || '–'}</td>
                <td>{reason === null ? 'open' : shortLine(reasonText(reason), 60)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {all > shown.length ? (
        <p class="nothing">and {numberText(all - shown.length)} turns before these</p>
      ) : null}
    </Card>
  )
}
