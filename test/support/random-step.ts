/**
 * One random step: its batch, its attempts, its calls.
 *
 * @module
 */
import type { EventMap, StepAt } from '../../src/events/event.ts'
import type { CallRef, Outcome, Usage } from '../../src/events/message.ts'
import type { LogWriter } from './log-writer.ts'
import type { RandomLife } from './random-log.ts'
import type { Tape } from './tape.ts'

/** How a step went. After `crashed` nothing of it is closed. */
export type StepResult = 'owes' | 'done' | 'cut' | 'failed' | 'aborted' | 'crashed'

type Content = EventMap['assistant/message']['message']['content']

const unknown = (code: string): Outcome => ({ kind: 'error', code, content: [] })

export class RandomStep {
  readonly #life: RandomLife
  readonly #log: LogWriter
  readonly #tape: Tape
  readonly #at: StepAt
  #open: { call: CallRef; called: boolean; settled?: Outcome; asked: boolean }[] = []
  #seqs = new Map<string, number>()

  constructor(life: RandomLife, at: StepAt) {
    this.#life = life
    this.#log = life.log
    this.#tape = life.tape
    this.#at = at
  }

  open(batch: readonly EventMap['user/message']['message'][]): void {
    this.#log.put('step/start', this.#at)
    for (const message of batch) this.#log.put('user/message', { ...this.#at, message })
  }

  run(): StepResult {
    const result = this.#request()
    if (result !== 'crashed') this.#log.put('step/end', this.#at)
    return result
  }

  #request(): StepResult {
    if (this.#tape.chance(10)) return this.#cancelled()
    this.#header()
    for (let attempt = 1; ; attempt += 1) {
      this.#stream(attempt)
      if (this.#tape.chance(30)) this.#life.edit()
      if (this.#tape.chance(5)) return 'crashed'
      if (this.#tape.chance(12)) return this.#cutOff()
      if (!this.#tape.chance(20)) return this.#commit()
      const action = this.#tape.choose(['retry', 'retry', 'fail'] as const)
      this.#fail(attempt, action)
      if (action === 'fail') return 'failed'
    }
  }

  #header(): void {
    const route = { ...this.#at, provider: 'p', model: this.#tape.choose(['a', 'b']) }
    if (this.#tape.chance(30)) this.#log.put('request/header', { ...route, reason: 'change' })
    if (this.#tape.chance(30)) this.#log.put('request/context', { ...route, contextWindow: 1000 })
  }

  #cancelled(): 'aborted' {
    this.#life.cancel(this.#at.turn)
    return 'aborted'
  }

  #stream(attempt: number): void {
    for (let left = this.#tape.pick(4); left > 0; left -= 1) {
      const chunk = { kind: 'text-delta', block: 0, text: 'x' } as const
      this.#log.put('assistant/chunk', { ...this.#at, attempt, chunk })
    }
    const usage = this.#usage()
    if (usage === undefined) return
    this.#log.put('assistant/chunk', { ...this.#at, attempt, chunk: { kind: 'usage', usage } })
  }

  #usage(): Usage | undefined {
    if (!this.#tape.chance(40)) return undefined
    const inputTokens = this.#tape.pick(50)
    return this.#tape.chance(50) ? { inputTokens } : { inputTokens, outputTokens: 3 }
  }

  #fail(attempt: number, action: 'retry' | 'fail'): void {
    const usage = this.#usage()
    this.#log.put('request/failed', {
      ...this.#at,
      attempt,
      provider: 'p',
      failure: { code: 'SERVER', message: 'boom' },
      action,
      delayMs: 0,
      ...(usage && { usage }),
    })
  }

  #message(content: Content, rest: Partial<EventMap['assistant/message']> = {}): void {
    const usage = this.#usage()
    const message = { role: 'assistant', content } as const
    this.#log.put('assistant/message', { ...this.#at, message, ...(usage && { usage }), ...rest })
  }

  /** An abort while streaming: sometimes a prefix is kept. */
  #cutOff(): StepResult {
    this.#life.cancel(this.#at.turn)
    if (this.#tape.chance(60)) {
      this.#message([{ type: 'text', text: 'pre' }], { interrupted: true, finish: 'aborted' })
    }
    return 'aborted'
  }

  #commit(): StepResult {
    const text = this.#tape.choose(['', 'hello', 'bye'])
    const said: Content = text === '' ? [] : [{ type: 'text', text }]
    if (this.#tape.chance(15)) return this.#truncated(said)
    const { turn, step } = this.#at
    this.#open = Array.from({ length: this.#tape.pick(4) }, (_, index) => ({
      call: { key: `${turn}.${step}.${index}`, index, providerId: 'c' },
      called: false,
      asked: false,
    }))
    const calls = this.#open.map(({ call }) => this.#block(call))
    this.#message([...said, ...calls], this.#tape.chance(10) ? { transformedBy: 'gate' } : {})
    return calls.length === 0 ? 'done' : this.#answer()
  }

  #block(call: CallRef) {
    return { type: 'tool-call', call, name: `t${call.index}`, arguments: '{}' } as const
  }

  #truncated(said: Content): 'cut' {
    this.#message(said, { finish: 'max-tokens' })
    const call = { key: `${this.#at.turn}.${this.#at.step}.cut`, index: 0, providerId: 'c' }
    if (!this.#tape.chance(50)) return 'cut'
    this.#log.put('tool/call', { ...this.#at, call, name: 'cut', arguments: '{' })
    this.#log.put('tool/result', { ...this.#at, call, outcome: unknown('ARGUMENTS_CUT') })
    return 'cut'
  }

  #answer(): StepResult {
    let aborted = false
    for (let next = 0; next < this.#open.length; next += 1) {
      if (!aborted && this.#tape.chance(8)) {
        this.#life.cancel(this.#at.turn)
        aborted = true
      }
      if (this.#tape.chance(4)) return 'crashed'
      this.#start(next)
      if (this.#tape.chance(50)) this.#settleOne(next)
    }
    if (this.#tape.chance(30)) this.#life.edit()
    this.#results(() => this.#outcome())
    return aborted ? 'aborted' : 'owes'
  }

  #start(index: number): void {
    const one = this.#open[index]
    if (one === undefined) return
    const { call } = one
    const name = `t${call.index}`
    this.#seqs.set(
      call.key,
      this.#log.put('tool/call', { ...this.#at, call, name, arguments: '{}' }),
    )
    one.called = true
    if (!this.#tape.chance(20)) return
    const question = { tool: name, arguments: {} }
    this.#log.put('approval/asked', { ...this.#at, call, question })
    one.asked = true
    if (this.#tape.chance(60)) this.#decide(one, this.#tape.choose(['allow', 'deny', 'expired']))
  }

  #decide(
    one: { call: CallRef; asked: boolean },
    answer: EventMap['approval/decided']['answer'],
  ): void {
    if (!one.asked) return
    this.#log.put('approval/decided', { ...this.#at, call: one.call, answer, by: 'test' })
    one.asked = false
  }

  #settleOne(upTo: number): void {
    const one = this.#open[this.#tape.pick(upTo + 1)]
    if (one === undefined || one.settled !== undefined) return
    one.settled = this.#outcome()
    this.#log.put('tool/settled', { ...this.#at, call: one.call, outcome: one.settled })
  }

  #outcome(): Outcome {
    if (this.#tape.chance(20)) return unknown('ABORTED')
    if (this.#tape.chance(20)) return { kind: 'denied', by: 'p', reason: 'no', content: [] }
    return { kind: 'ok', content: [{ type: 'text', text: 'ok' }], value: this.#tape.pick(9) }
  }

  #results(outcomeOf: (one: { called: boolean }) => Outcome): void {
    for (const one of this.#open) {
      this.#decide(one, 'cancelled')
      const cited = this.#seqs.get(one.call.key)
      const outcome = one.settled ?? outcomeOf(one)
      const data = { ...this.#at, call: one.call, outcome }
      this.#log.put('tool/result', data, cited === undefined ? undefined : [cited])
    }
    this.#open = []
  }

  /** Closes what a crash has left open. */
  repair(): void {
    this.#results(({ called }) => unknown(called ? 'OUTCOME_UNKNOWN' : 'NOT_STARTED'))
    this.#log.put('step/end', this.#at)
  }
}
