/**
 * A real agent whose model, tool, gates, maintenance and clock do what a test says, and what its log says of it.
 *
 * @module
 */
import { createAgent } from '../src/actors/agent.ts'
import type { Agent, CancelReceipt } from '../src/actors/agent-handle.ts'
import type { Model } from '../src/actors/model.port.ts'
import { defineTool } from '../src/adapters/define-tool.ts'
import { AgentDisposedError } from '../src/errors.ts'
import type { Chunk } from '../src/events/chunk.ts'
import type { StoredEvent } from '../src/events/event.ts'
import { ModelError } from '../src/actors/model.port.ts'
import { settle, virtualClock } from '../src/testing/virtual-clock.ts'
import type { LifecycleEvent } from './lifecycle.words.ts'

const GRACE_MS = 1000
const SILENCE_MS = 5000
const BACK_OFF_MS = 100

/** One thing at a time that waits for the test. */
class Waiting<T> {
  private settled: ((value: T) => void) | undefined
  private failed: ((error: Error) => void) | undefined

  get waits(): boolean {
    return this.settled !== undefined
  }

  /** @param signal - leaves the wait when it aborts; what waits without one is deaf. */
  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      this.settled = resolve
      this.failed = reject
      signal?.addEventListener('abort', () => {
        this.leave()
        reject(new Error('aborted'))
      })
    })
  }

  settle(value: T): void {
    const { settled } = this
    this.leave()
    if (settled === undefined) throw new Error('nothing waits to be settled')
    settled(value)
  }

  fail(message: string): void {
    const { failed } = this
    this.leave()
    failed?.(new Error(message))
  }

  leave(): void {
    this.settled = undefined
    this.failed = undefined
  }
}

type Said = 'says' | 'cut' | 'calls' | 'fails' | 'flakes' | 'hangs'

function* spoken(said: Exclude<Said, 'fails' | 'flakes' | 'hangs'>): Generator<Chunk> {
  if (said === 'calls') {
    yield { kind: 'block-start', block: 0, type: 'tool-call', id: 'c1', name: 'held' }
    yield { kind: 'block-end', block: 0 }
    yield { kind: 'finish', reason: 'tool-calls' }
    return
  }
  yield { kind: 'block-start', block: 0, type: 'text' }
  yield { kind: 'text-delta', block: 0, text: 'said' }
  yield { kind: 'block-end', block: 0 }
  yield { kind: 'finish', reason: said === 'cut' ? 'max-tokens' : 'stop' }
}

const failing = { fails: 'AUTH', flakes: 'SERVER' } as const

/** A running agent and the handles on everything it waits for. */
export class World {
  readonly agent: Agent
  readonly preStep = new Waiting<'enter' | 'reject' | 'throw'>()
  readonly stop = new Waiting<'accept' | 'throw'>()
  readonly model = new Waiting<Said>()
  readonly tool = new Waiting<'ok' | 'conclude'>()
  readonly task = new Waiting<void>()
  /** Status notifications so far. */
  readonly statuses: string[] = []
  disposing = false
  private readonly clock = virtualClock({ now: 0 })
  private sent = 0

  constructor() {
    this.agent = createAgent({
      model: this.modelPort(),
      clock: this.clock,
      drainGraceMs: GRACE_MS,
      streamIdleMs: SILENCE_MS,
      retry: { baseMs: BACK_OFF_MS, jitter: 0, codes: ['SERVER'], mode: 'normal' },
      tools: [
        defineTool({
          name: 'held',
          run: async (_, context) => {
            if ((await this.tool.wait()) === 'conclude') context.concludeTurn()
            return 'ok'
          },
        }),
      ],
      gates: {
        preStep: async ({ signal }, next) => {
          const answer = await this.preStep.wait(signal)
          if (answer === 'throw') throw new Error('gate broke')
          return answer === 'enter' ? next() : { kind: 'reject', reason: 'not this' }
        },
        turnStopping: async ({ signal }) => {
          if ((await this.stop.wait(signal)) === 'throw') throw new Error('stop gate broke')
        },
      },
    })
    this.agent.listen((notice) => {
      if (notice.type === 'status') this.statuses.push(notice.status)
    })
  }

  private modelPort(): Model {
    const { model } = this
    return {
      provider: 'p',
      modelId: 'm',
      async *stream(_, { signal }) {
        const said = await model.wait(signal)
        if (said === 'fails' || said === 'flakes') {
          throw new ModelError({ code: failing[said], message: said })
        }
        if (said !== 'hangs') {
          yield* spoken(said)
          return
        }
        yield { kind: 'block-start', block: 0, type: 'text' }
        yield { kind: 'text-delta', block: 0, text: 'half' }
        // Deaf: it does not look at its signal.
        await new Promise(() => {})
      },
    }
  }

  /** What is waited for outside the agent. */
  get waits(): string {
    const { preStep, stop, model, tool, task } = this
    return Object.entries({ preStep, stop, model, tool, task })
      .filter(([, each]) => each.waits)
      .map(([name]) => name)
      .join(' ')
  }

  /** Makes one move. @returns what the command answered. */
  move(type: LifecycleEvent): string | Promise<string> {
    try {
      return this.moves[type]() ?? ''
    } catch (error) {
      if (error instanceof AgentDisposedError) return 'refused'
      return (error as { code?: string }).code ?? String(error)
    }
  }

  /** Lets everything come to rest that needs no time. */
  rest(): Promise<void> {
    return settle()
  }

  private get next(): { id: string; content: string } {
    this.sent += 1
    return { id: `m${this.sent}`, content: `m${this.sent}` }
  }

  private async advance(ms: number): Promise<string> {
    await this.clock.advance(ms)
    return ''
  }

  private readonly moves: Readonly<Record<LifecycleEvent, () => string | Promise<string> | void>> =
    {
      followup: () => void this.agent.followup(this.next),
      steer: () => void this.agent.steer(this.next),
      inject: () => void this.agent.inject(this.next),
      'inject a turn': () => void this.agent.inject(this.next, { turn: true }),
      clear: () => String(this.agent.inbox.clear()),
      cancel: () => effect(this.agent.cancel()),
      'cancel, restore': () => effect(this.agent.cancel('user', { restoreClaimed: true })),
      'abort, restore': () => effect(this.agent.abort('user', { restoreClaimed: true })),
      hop: () => {},
      'cancel, keep': () => effect(this.agent.cancel('user', { keepInbox: true })),
      abort: () => effect(this.agent.abort()),
      dispose: () => {
        this.disposing = true
        void this.agent.dispose()
      },
      maintain: () => void this.agent.runMaintenance(() => this.task.wait()).catch(() => {}),
      'gate enters': () => this.preStep.settle('enter'),
      'gate rejects': () => this.preStep.settle('reject'),
      'gate throws': () => this.preStep.settle('throw'),
      'stop is accepted': () => this.stop.settle('accept'),
      'stop gate throws': () => this.stop.settle('throw'),
      'model says': () => this.model.settle('says'),
      'model is cut at its limit': () => this.model.settle('cut'),
      'model calls': () => this.model.settle('calls'),
      'model fails': () => this.model.settle('fails'),
      'model flakes': () => this.model.settle('flakes'),
      'model hangs': () => this.model.settle('hangs'),
      silence: () => this.advance(SILENCE_MS),
      'back-off ends': () => this.advance(BACK_OFF_MS),
      'tool returns': () => this.tool.settle('ok'),
      'tool fails': () => this.tool.fail('body broke'),
      'tool concludes': () => this.tool.settle('conclude'),
      'grace ends': async () => {
        await this.advance(GRACE_MS)
        this.tool.leave()
        return ''
      },
      'task ends': () => this.task.settle(),
    }

  /** Ends whatever still runs, so that the agent can be disposed. */
  async finish(): Promise<readonly StoredEvent[]> {
    const disposal = this.agent.dispose()
    await settle()
    if (this.task.waits) this.task.settle()
    await this.clock.advance(GRACE_MS)
    await disposal
    return this.agent.log.read()
  }
}

const effect = ({ effect: what, discarded }: CancelReceipt): string =>
  what === 'none' || discarded.length === 0 ? what : `${what} ${discarded.length}`
