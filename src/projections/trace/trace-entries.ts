/**
 * What happened in a run, from its log alone: a fold of the events into lines between four parties.
 *
 * E1 Nothing that a person, a model or a tool said is in an entry, unless it was asked for.
 * E2 Chunks are counted, not listed: the first one tells that the model began to answer.
 * E3 An answer follows what it answers, as far as the log says that it began.
 *
 * @module
 */
import type { EventType, StoredEvent } from '../../events/event.ts'
import type { CallRef } from '../../events/message.ts'
import { placeOf } from '../place-of.ts'
import { shortLine } from '../plain-text.ts'
import type { TraceEntry } from './trace-entry.ts'
import { type Line, LINES, noted, told } from './trace-lines.ts'
import { answerSaid, answerWords, named, outcomeSaid, outcomeWords } from './trace-words.ts'

export interface TraceEntriesOptions {
  /** What people, models and tools said is told too, cut to 200 characters each. Default false. */
  readonly reveal?: boolean
}

/** Characters of what was said. */
const SAID = 200

/** Everything that happened, oldest first. Costs one walk over the events. */
export function traceEntries(
  events: Iterable<StoredEvent>,
  { reveal = false }: TraceEntriesOptions = {},
): TraceEntry[] {
  const teller = new Teller()
  const entries: TraceEntry[] = []
  for (const event of events) {
    const { turn, step } = placeOf(event)
    for (const { said, ...line } of teller.lines(event)) {
      entries.push({
        seq: event.seq,
        time: event.time,
        turn,
        step,
        ...line,
        said: reveal ? shortLine(said(), SAID) : '',
      })
    }
  }
  return entries
}

type Tellers = { readonly [T in EventType]?: (event: StoredEvent<T>) => readonly Line[] }

const PLAIN = new Map(Object.entries(LINES)) as Map<string, (data: unknown) => Line>

/** Keeps what one event must know of those before it: the running attempt, and the calls of the step. */
class Teller {
  /** Number of the running attempt. */
  #attempt: number | null = null
  /** Chunks of the latest attempt. */
  #chunks = 0
  /** Attempts of the step that have begun. */
  #attempts = 0
  readonly #names = new Map<string, string>()
  readonly #calls = new Map<string, 'running' | 'settled'>()

  lines(event: StoredEvent): readonly Line[] {
    if (event.type === 'step/start') this.#forget()
    const tell = this.#told.get(event.type)
    if (tell !== undefined) return tell(event)
    const plain = PLAIN.get(event.type)
    if (plain !== undefined) return [plain(event.data)]
    return [noted(named(event.type), () => JSON.stringify(event.data))]
  }

  /** What belongs to a step is over when the next one starts; a repair may still answer its calls before that. */
  #forget(): void {
    this.#attempt = null
    this.#attempts = 0
    this.#names.clear()
    this.#calls.clear()
  }

  /** The log has no event for the start of an attempt: the first trace of one tells it. */
  #begun(number: number): readonly Line[] {
    if (this.#attempt === number) return []
    this.#attempt = number
    this.#attempts = number
    this.#chunks = 0
    const what = `attempt ${number}`
    return [{ kind: 'ask', from: 'agent', to: 'model', what, said: () => '' }]
  }

  #call({ key, index }: CallRef): string {
    return `call ${index + 1}, ${named(this.#names.get(key) ?? 'a tool')}`
  }

  #settled(event: StoredEvent<'tool/settled'> | StoredEvent<'tool/result'>): readonly Line[] {
    const { call, outcome } = event.data
    const what = `${this.#call(call)}: ${outcomeWords(outcome)}`
    const said = (): string => outcomeSaid(outcome)
    const before = this.#calls.get(call.key)
    this.#calls.set(call.key, 'settled')
    if (before === 'running') return [{ kind: 'answer', from: 'tools', to: 'agent', what, said }]
    if (before === 'settled') return [noted(`${this.#call(call)}: result recorded`)]
    return [noted(`${what}, it never ran`, said)]
  }

  readonly #tellers: Tellers = {
    'request/context': () => [],
    'assistant/chunk': ({ data }) => {
      const begun = this.#begun(data.attempt)
      this.#chunks += 1
      return begun
    },
    'request/failed': ({ data: { attempt, failure, action, delayMs } }) => {
      const begun = this.#begun(attempt)
      this.#attempt = null
      const next = action === 'retry' ? `, again in ${delayMs} ms` : ''
      const what = `attempt ${attempt} fails: ${named(failure.code)}${next}`
      return [
        ...begun,
        { kind: 'answer', from: 'model', to: 'agent', what, said: () => failure.message },
      ]
    },
    'assistant/message': ({ data }) => {
      const begun = this.#begun(this.#attempt ?? this.#attempts + 1)
      const what = answerWords(data, this.#chunks)
      this.#attempt = null
      for (const block of data.message.content) {
        if (block.type === 'tool-call') this.#names.set(block.call.key, block.name)
      }
      const said = (): string => answerSaid(data.message)
      return [...begun, { kind: 'answer', from: 'model', to: 'agent', what, said }]
    },
    'tool/call': ({ data: { call, name, arguments: raw } }) => {
      this.#names.set(call.key, name)
      this.#calls.set(call.key, 'running')
      return [{ kind: 'ask', from: 'agent', to: 'tools', what: this.#call(call), said: () => raw }]
    },
    'tool/settled': (event) => this.#settled(event),
    'tool/result': (event) => this.#settled(event),
    'approval/asked': ({ data: { call, question } }) => {
      const what = `asks approval of ${this.#call(call)}`
      const said = (): string => `${question.prompt ?? ''} ${JSON.stringify(question.arguments)}`
      return [{ kind: 'tell', from: 'agent', to: 'caller', what, said }]
    },
    'approval/decided': ({ data: { call, answer, by, reason = '' } }) => [
      told(`${this.#call(call)}: ${answer} by ${named(by)}`, () => reason),
    ],
  }
  readonly #told = new Map(Object.entries(this.#tellers)) as Map<
    string,
    (event: StoredEvent) => readonly Line[]
  >
}
