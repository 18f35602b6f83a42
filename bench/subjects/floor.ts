/**
 * The floor: an async loop written by hand that keeps the same events in an array, and nothing else.
 *
 * It checks nothing, can be neither steered nor cancelled by a second caller, has no mailbox, no observers, no gates
 * and no recovery. What it does is what cannot be saved: one object per event, the history as an array, the stream,
 * the tools, one AbortController per turn. On a file it writes one batch of JSON lines per turn; synced, it waits for
 * the disk exactly where a careful agent must: before a request, before a tool body, at the end of a turn.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, openSync, writeSync } from 'node:fs'
import type { AssistantBlock, AssistantMessage, Message } from '../../src/events/message.ts'
import type { HistoryEntry, Model } from '../../src/actors/model.port.ts'
import { macrotask } from '../measure.ts'
import type { Session, Subject } from '../subject.ts'
import type { Workload } from '../workloads.ts'
import { Assembly } from './floor-message.ts'
import type { FloorEvent } from './floor-message.ts'

type Keeping = 'memory' | 'file' | 'synced'

/** The floor that keeps its events in memory, in a file, or in a synced file. */
export const floor = (keeping: Keeping): Subject => ({
  name: { memory: 'floor-mem', file: 'floor-file', synced: 'floor-fsync' }[keeping],
  open: (workload, file) => new Loop(workload, keeping, file),
})

class Loop implements Session {
  readonly #events: FloorEvent[] = []
  readonly #messages: HistoryEntry[] = []
  readonly #workload: Workload
  readonly #model: Model
  readonly #keeping: Keeping
  readonly #fd: number
  #written = 0
  #turn = 0
  #syncs = 0

  constructor(workload: Workload, keeping: Keeping, file: string) {
    this.#workload = workload
    this.#model = workload.model()
    this.#keeping = keeping
    this.#fd = keeping === 'memory' ? -1 : openSync(file, 'ax', 0o600)
  }

  async turn(): Promise<void> {
    const turn = ++this.#turn
    const { signal } = new AbortController()
    const message = this.#accept()
    this.#keep('turn/start', { turn })
    this.#keep('inbox/claimed', { turn, nextStep: [], nextTurn: [message.id] })
    let owes = true
    for (let step = 1; owes; step++) {
      this.#open(turn, step, message)
      if (this.#keeping === 'synced') await this.#sync()
      const calls = await this.#request(turn, step, signal)
      for (const call of calls) await this.#run(turn, step, call, signal)
      this.#keep('step/end', { turn, step })
      owes = calls.length > 0
    }
    this.#keep('turn/end', { turn, reason: { kind: 'completed' }, uncommitted: [] })
    if (this.#keeping === 'file') await this.#writeTurn()
    if (this.#keeping === 'synced') await this.#sync()
  }

  events(): readonly FloorEvent[] {
    return this.#events
  }

  syncs(): number {
    return this.#syncs
  }

  close(): void {
    if (this.#fd !== -1) closeSync(this.#fd)
  }

  #keep(type: string, data: object): number {
    const seq = this.#events.length
    this.#events.push({ seq, time: Date.now(), type, data })
    return seq
  }

  #accept(): Message {
    const content = [{ type: 'text', text: 'go on' } as const]
    const message: Message = { id: randomUUID(), role: 'user', content, source: { kind: 'user' } }
    const data = { target: 'next-turn', index: 0, message, wake: true, actor: 'caller' }
    this.#keep('inbox/inserted', data)
    return message
  }

  #open(turn: number, step: number, message: Message): void {
    this.#keep('step/start', { turn, step })
    if (step > 1) return
    this.#keep('user/message', { turn, step, message })
    this.#messages.push(message)
    if (turn === 1) this.#header()
  }

  #header(): void {
    const route = { turn: 1, step: 1, provider: 'scripted', model: 'none' }
    const parameters = { type: 'object', properties: {} }
    const tools = this.#workload.tools.map(({ name }) => ({ name, parameters }))
    const listed = tools.length > 0 ? { tools } : {}
    this.#keep('request/header', { ...route, ...listed, reason: 'initial' })
    this.#keep('request/context', route)
  }

  async #request(turn: number, step: number, signal: AbortSignal): Promise<CallBlock[]> {
    const request = { provider: 'scripted', model: 'none', tools: [], messages: this.#messages }
    const context = { agent: 'floor', turn, step, attempt: 1, signal }
    const cites: number[] = []
    const chunks = new Assembly()
    for await (const chunk of this.#model.stream(request, context)) {
      if (signal.aborted) break
      cites.push(this.#keep('assistant/chunk', { turn, step, attempt: 1, chunk }))
      chunks.add(chunk)
    }
    const message = chunks.message(turn, step)
    const { usage, finish } = chunks
    const data = { turn, step, message, usage, finish }
    this.#events.push({
      seq: this.#events.length,
      time: Date.now(),
      type: 'assistant/message',
      data,
      cites,
    })
    this.#messages.push(message)
    return message.content.filter(isCall)
  }

  async #run(turn: number, step: number, block: CallBlock, signal: AbortSignal): Promise<void> {
    const { call, name } = block
    const cited = this.#keep('tool/call', { turn, step, call, name, arguments: block.arguments })
    if (this.#keeping === 'synced') await this.#sync()
    const tool = this.#workload.tools.find((each) => each.name === name)
    const input = JSON.parse(block.arguments) as never
    const context = { agent: 'floor', turn, step, call, signal, concludeTurn() {}, addContext() {} }
    const text = (await tool?.run(input, context)) as string
    const outcome = { kind: 'ok', content: [{ type: 'text', text }] } as const
    const data = { turn, step, call, outcome }
    this.#events.push({
      seq: this.#events.length,
      time: Date.now(),
      type: 'tool/result',
      data,
      cites: [cited],
    })
    this.#messages.push({ role: 'tool', call, name, outcome })
  }

  /** The file of an agent follows between two macrotasks; so that both write once per turn, both let one pass. */
  #writeTurn(): Promise<void> {
    this.#write()
    return macrotask()
  }

  #write(): void {
    let lines = ''
    for (let i = this.#written; i < this.#events.length; i++)
      lines += `${JSON.stringify(this.#events[i])}\n`
    this.#written = this.#events.length
    writeSync(this.#fd, lines)
  }

  #sync(): Promise<void> {
    this.#write()
    this.#syncs++
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    })
  }
}

type CallBlock = Extract<AssistantBlock, { type: 'tool-call' }>

const isCall = (block: AssistantMessage['content'][number]): block is CallBlock =>
  block.type === 'tool-call'
