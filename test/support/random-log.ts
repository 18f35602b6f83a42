/**
 * Random logs of every kind of event, all of them valid: an agent whose model, tools, users and luck are a tape.
 *
 * @module
 */
import { array, nat, type Arbitrary } from 'fast-check'
import type { EventMap, InboxList } from '../../src/events/event.ts'
import type { Cause } from '../../src/events/message.ts'
import { LogWriter, textMessage } from './log-writer.ts'
import { RandomTurn } from './random-turn.ts'
import { Tape } from './tape.ts'

const LISTS = ['next-turn', 'next-step'] as const
const SOURCES = ['user', 'plugin', 'tool', 'goal', 'child'] as const
const DISCARDS = ['removed', 'cleared', 'replaced', 'disposed', 'rejected'] as const

/** Edits of the inbox, cancels, and all that may happen outside a turn. */
export class RandomLife {
  readonly log = new LogWriter()
  readonly tape: Tape
  /** Of the last cancel: a turn that it has hit ends with it. */
  cause: Cause = { kind: 'user' }
  #messages = 0

  constructor(tape: Tape) {
    this.tape = tape
  }

  /** A new id, or one that is free again. */
  freshId(): string {
    const again = `m${this.tape.pick(this.#messages + 1)}`
    if (this.#messages > 0 && this.tape.chance(20) && this.isFree(again)) return again
    this.#messages += 1
    return `m${this.#messages}`
  }

  isFree(id: string): boolean {
    return this.log.ledger.fate(id) === undefined
  }

  insert(): void {
    const list = this.tape.choose(LISTS)
    const message = textMessage(this.freshId(), this.tape.choose(SOURCES))
    const index = this.log.lists[list].length - this.tape.pick(this.log.lists[list].length + 1)
    this.log.insert(list, index, message, { wake: this.tape.chance(60) })
  }

  /** One of everything that may happen to the lists at any moment. */
  edit(): void {
    const { log, tape } = this
    const list = tape.choose(LISTS)
    const id = log.lists[list][tape.pick(Math.max(1, log.lists[list].length))]
    if (id === undefined || tape.chance(40)) return this.insert()
    if (tape.chance(30)) return this.#move(list, id)
    if (tape.chance(50)) return this.#replace(list, id)
    log.discard([id], tape.choose(DISCARDS))
  }

  #move(from: InboxList, id: string): void {
    const { log, tape } = this
    const to = tape.choose(LISTS)
    const room = log.lists[to].length - (from === to ? 1 : 0)
    const index = tape.pick(room + 1)
    if (from === to && index === log.indexIn(from, id)) return
    log.move(from, id, to, index)
  }

  #replace(list: InboxList, id: string): void {
    const { log, tape } = this
    const index = log.indexIn(list, id)
    const ids = log.lists[list].slice(index, index + 1 + tape.pick(2))
    const text = `edit ${log.events.length}`
    const messages = [textMessage(tape.chance(30) ? id : this.freshId(), 'user', text)]
    if (tape.chance(20)) messages.push(textMessage(`${text}, more`))
    const wake = tape.chance(50)
    log.put('inbox/replaced', { ids, target: list, index, messages, wake, actor: 'test' })
    log.drop(ids)
    log.lists[list].splice(index, 0, ...messages.map((message) => message.id))
  }

  cancel(turn: number | null): { restores: boolean } {
    const { log, tape } = this
    const restoreClaimed = turn !== null && tape.chance(30)
    const keepInbox = restoreClaimed || tape.chance(50)
    const discarded = keepInbox ? [] : [...log.lists['next-step'], ...log.lists['next-turn']]
    if (discarded.length > 0) log.discard(discarded, 'cleared')
    this.cause = { kind: tape.choose(['user', 'parent', 'hook', 'disposed']) }
    const data: EventMap['cancel/requested'] = {
      cause: this.cause,
      actor: 'test',
      keepInbox,
      resume: keepInbox && tape.chance(40),
      turn,
      discarded,
    }
    log.put('cancel/requested', restoreClaimed ? { ...data, restoreClaimed } : data)
    return { restores: restoreClaimed }
  }

  compact(turn: number | null): void {
    const { log, tape } = this
    if (log.events.length === 0) return
    const from = tape.pick(log.events.length)
    const range = { from, to: from + tape.pick(tape.chance(30) ? 1 : log.events.length - from) }
    log.put('compaction/start', { turn, range })
    const failed = tape.chance(20)
    if (!failed) log.put('compaction/summary', { turn, range, message: textMessage(`sum${from}`) })
    log.put('compaction/end', { turn, range, outcome: failed ? 'failed' : 'completed' })
  }

  #opened(): void {
    const { log, tape } = this
    const how = tape.choose(['resume', 'fork'] as const)
    const inheritInbox = tape.chance(50)
    log.put('session/opened', { how, wake: tape.chance(40), inheritInbox })
    if (how === 'fork' && !inheritInbox)
      log.drop([...log.lists['next-turn'], ...log.lists['next-step']])
  }

  #injectTurn(): void {
    const turn = this.log.ledger.lastTurn + 1
    this.log.put('turn/start', { turn })
    const message = textMessage(this.freshId(), 'plugin')
    this.log.put('context/message', { turn, message })
    this.log.put('turn/end', { turn, reason: { kind: 'completed' }, uncommitted: [] })
  }

  #note(): void {
    const { log, tape } = this
    const kind = tape.pick(3)
    if (kind === 0) log.put('goal/change', { goal: 'g', revision: 1, change: null })
    else if (kind === 1) log.put('child/descriptor', { child: 'c', descriptor: {} })
    else log.put('acme/note' as 'goal/change', { goal: 'x', revision: 0, change: null })
  }

  /** One thing that happens while no turn is open. */
  rest(): void {
    const act = this.tape.pick(16)
    if (act < 7) this.edit()
    else if (act < 12) new RandomTurn(this).run()
    else if (act === 12) this.cancel(null)
    else if (act === 13) this.#opened()
    else if (act === 14) this.compact(null)
    else if (this.tape.chance(60)) this.#injectTurn()
    else this.#note()
  }
}

/** The log that a tape tells, with the plain model of its lists. */
export function randomLog(values: readonly number[]): LogWriter {
  const life = new RandomLife(new Tape(values))
  while (!life.tape.done) life.rest()
  return life.log
}

/** Valid random logs. */
export const anyLog = (maxLength = 400): Arbitrary<LogWriter> =>
  array(nat(9999), { minLength: maxLength >> 1, maxLength, size: 'max' }).map(randomLog)
