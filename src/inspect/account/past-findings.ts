/**
 * How the last turn ended, and what became of its answer, its calls and its messages: what was lost, and what was kept.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { TurnReason } from '../../events/message.ts'
import { assistantText } from '../../projections/spending.ts'
import type { TurnRecord } from '../../projections/turns.ts'
import { windowOf } from './cancel-window.ts'
import { counted, type Finding, type FindingCode, listed, one, quoted } from './finding.ts'
import type { Glance } from './glance.ts'
import { type MessageFate, messageFates } from './message-fates.ts'

/** What is to be told of the last turn, if it has ended. */
export function pastFindings(glance: Glance): Finding[] {
  const { turn } = glance
  if (turn === undefined || turn.reason === null || turn.to === null) return []
  const events = glance.events.slice(turn.from)
  return [
    endFinding(glance, turn, turn.reason),
    ...answerFindings(turn, events),
    ...callFindings(events),
    ...messageFindings(glance, turn),
  ]
}

type Kind = TurnReason['kind']
interface Told {
  readonly text: string
  readonly todo?: string
}
type Words = {
  readonly [K in Kind]: (reason: Extract<TurnReason, { kind: K }>, glance: Glance) => Told
}

const WORDS: Words = {
  completed: () => ({ text: 'completed' }),
  'max-tokens': () => ({
    text: 'was cut: the model reached its token limit',
    todo: 'Raise maxTokens, or ask it to go on.',
  }),
  blocked: ({ by, reason }) => ({
    text: `was blocked by ${quoted(by)}: ${quoted(reason)}`,
    todo: 'Change what the gate objects to, and send again.',
  }),
  aborted: ({ cause }, { cancel, events }) => ({
    text: `was aborted (${cause.kind})${cancel === undefined ? '' : ` ${windowOf(cancel, events).text}`}`,
  }),
  error: ({ code, message }) => ({
    text: `failed: ${quoted(`${code}: ${message}`)}`,
    todo: `Look up ${code} in docs/errors.md, and send again.`,
  }),
  limit: ({ which, used, allowed }) => ({
    text: `reached its limit of ${which} (${used} of ${allowed})`,
    todo: 'Send a followup to go on with a new budget, or raise the limit.',
  }),
  interrupted: () => ({
    text: 'was interrupted: its process ended, or its end could not be recorded, and it was closed afterwards',
    todo: 'Check what its calls did before you send again.',
  }),
}

function endFinding(glance: Glance, { turn, to }: TurnRecord, reason: TurnReason): Finding {
  const words = WORDS[reason.kind] as (reason: TurnReason, glance: Glance) => Told
  const { text, todo } = words(reason, glance)
  return {
    code: `turn-${reason.kind}`,
    text: `Turn ${turn} ${text}.`,
    ...(todo !== undefined && { todo }),
    seq: to ?? 0,
  }
}

/** An answer that was cut stays in the history. */
function answerFindings({ turn }: TurnRecord, events: readonly StoredEvent[]): Finding[] {
  return events.flatMap((event) => {
    if (event.type !== 'assistant/message' || event.data.interrupted !== true) return []
    if (event.data.turn !== turn) return []
    const text = assistantText(event.data.message)
    return [
      {
        code: 'answer-kept' as const,
        text: `The answer as far as it was seen (${counted(text.length, 'character')}: ${quoted(text)}) was kept in the history.`,
        seq: event.seq,
      },
    ]
  })
}

const OUTCOMES: Readonly<Record<string, readonly [FindingCode, text: string, todo: string]>> = {
  OUTCOME_UNKNOWN: [
    'call-unknown',
    'may have run, and its outcome is unknown',
    'Check what it did before it is repeated.',
  ],
  ABORTED: [
    'call-aborted',
    'ran and was told to stop; what it returned is not used',
    'Check what it did before it is repeated.',
  ],
  ABORTED_BEFORE_DISPATCH: ['call-not-run', 'never ran', 'It is safe to call it again.'],
  NOT_STARTED: ['call-not-run', 'never ran', 'It is safe to call it again.'],
  ARGUMENTS_CUT: ['call-not-run', 'was cut and never ran', 'Raise maxTokens, and send again.'],
}

/** Names of the tools, by the keys of their calls. */
const namesOf = (events: readonly StoredEvent[]): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap((event) =>
      event.type === 'assistant/message'
        ? event.data.message.content.flatMap((block) =>
            block.type === 'tool-call' ? [[block.call.key, block.name] as const] : [],
          )
        : [],
    ),
  )

function callFindings(events: readonly StoredEvent[]): Finding[] {
  const names = namesOf(events)
  return events.flatMap((event) => {
    if (event.type !== 'tool/result' || event.data.outcome.kind !== 'error') return []
    const { call, outcome, turn, step } = event.data
    const { code: said = '' } = outcome
    // A code is a foreign word, such as the name of something that every object has.
    const words = Object.hasOwn(OUTCOMES, said) ? OUTCOMES[said] : undefined
    if (words === undefined) return []
    const [code, text, todo] = words
    const name = names.get(call.key) ?? call.providerId
    const repeatable = outcome.repeatable === true
    return [
      {
        code,
        text: `Tool ${quoted(name)} (call ${quoted(call.providerId)}) of step ${turn}.${step} ${text} (${outcome.code}).`,
        todo: repeatable ? 'Its tool says that calling it again is safe.' : todo,
        seq: event.seq,
        ids: [call.key],
      },
    ]
  })
}

/** Every message that the turn took in, or that was dropped or put back since it began. */
function messageFindings({ events, cancel }: Glance, turn: TurnRecord): Finding[] {
  const concerned = messageFates(events).filter(
    ({ id, standing, seq, mark }) =>
      turn.claimed.includes(id) ||
      ((standing === 'discarded' || mark !== undefined) && seq > turn.from),
  )
  const by = cancel === undefined ? '' : ' by the cancel'
  return [
    ...told(concerned, 'message-kept', (fate) => fate.standing === 'committed', {
      what: 'in the history',
    }),
    ...told(concerned, 'message-back', (fate) => fate.standing === 'pending', {
      what: 'pending again: claimed, never part of a step, and put back',
    }),
    ...told(concerned, 'message-lost', (fate) => fate.standing === 'uncommitted', {
      what: 'lost: claimed, and never part of a step',
      todo: 'Send again what is still wanted.',
    }),
    ...told(concerned, 'message-lost', (fate) => fate.standing === 'discarded', {
      what: `lost: discarded${by} before any turn took them`,
      todo: 'Send again what is still wanted.',
    }),
  ]
}

function told(
  fates: readonly MessageFate[],
  code: FindingCode,
  is: (fate: MessageFate) => boolean,
  { what, todo }: { readonly what: string; readonly todo?: string },
): Finding[] {
  const found = fates.filter(is)
  if (found.length === 0) return []
  const messages = found.map(({ message }) => message)
  return [
    {
      code,
      text: `${listed(messages)} ${one(found.length, 'is', 'are')} ${what}.`,
      ...(todo !== undefined && { todo }),
      seq: Math.max(...found.map(({ seq }) => seq)),
      ids: found.map(({ id }) => id),
    },
  ]
}
