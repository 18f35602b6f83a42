/**
 * Where one path is walked: a real agent whose model, gates, tools, task and clock do what the moves say.
 *
 * It knows nothing of the model that is walked. What is waited for has a name; a move settles it, or lets it fail.
 *
 * @module
 */
import { createAgent } from '../../actors/agent.ts'
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Gates } from '../../actors/gates.port.ts'
import type { AnyTool } from '../../actors/tool.port.ts'
import type { MessageInput } from '../../events/message.ts'
import type { ScriptItem } from '../script.ts'
import { settle, virtualClock, type VirtualClock } from '../virtual-clock.ts'
import { Holds } from './holds.ts'
import { type Said, stageModel } from './stage-model.ts'
import { stageGates, stageSystem } from './stage-gates.ts'
import { stageTools } from './stage-tools.ts'

/** Limits of the agents that the built-in model is walked with, in ms of their clock. */
const GRACE_MS = 1000
const SILENCE_MS = 5000
const BACK_OFF_MS = 100
const TOOL_MS = 3000
/** Ms of real time after which a disposal counts as hung. */
const PATIENCE_MS = 2000

/** What was seen of a run beside its log. */
export interface Seen {
  /** Status announcements, each with the length of the log then. */
  readonly statuses: readonly { readonly status: string; readonly length: number }[]
  /** Keys of the calls whose bodies ran. */
  readonly bodies: readonly string[]
}

/** What a stage gives its agent. */
export interface StageOptions extends AgentOptions {
  readonly tools: readonly AnyTool[]
  readonly gates: Gates
}

/** What moves do things with. */
export class Stage {
  /**
   * What `createAgent` needs for the moves to reach it: clock, model, tools `held` and `side`, gates, limits. Spread it,
   * and put what is yours beside it or in its place.
   */
  readonly options: StageOptions
  readonly clock: VirtualClock = virtualClock({ now: 0 })
  readonly seen: Seen
  readonly #holds = new Holds()
  readonly #statuses: { status: string; length: number }[] = []
  readonly #bodies: string[] = []
  readonly #agent: Agent
  #sent = 0
  #disposal: Promise<void> | undefined
  #task: AbortSignal | undefined

  /** @param make - makes the agent; default: one with `options` and nothing else. */
  constructor(make: (stage: Stage) => Agent = ({ options }) => createAgent(options)) {
    this.seen = { statuses: this.#statuses, bodies: this.#bodies }
    this.options = this.#optionsOf()
    this.#agent = make(this)
    this.#agent.listen((notice) => {
      if (notice.type !== 'status') return
      this.#statuses.push({ status: notice.status, length: this.#agent.log.length })
    })
  }

  #optionsOf(): StageOptions {
    return {
      clock: this.clock,
      model: stageModel(this.#holds, this.clock),
      tools: stageTools(this.#holds),
      gates: stageGates(this.#holds),
      system: stageSystem(this.#holds),
      drainGraceMs: GRACE_MS,
      streamIdleMs: SILENCE_MS,
      toolTimeoutMs: TOOL_MS,
      maxAttempts: 2,
      retry: { baseMs: BACK_OFF_MS, jitter: 0, codes: ['SERVER'] },
      dispatch: (call, body) => {
        this.#bodies.push(call.call.key)
        return body()
      },
    }
  }

  get agent(): Agent {
    return this.#agent
  }

  /** Names of what waits for a move now, sorted. */
  get waits(): readonly string[] {
    return this.#holds.names
  }

  /** Was `dispose` called? */
  get disposing(): boolean {
    return this.#disposal !== undefined
  }

  /** Was the maintenance task told to stop? */
  get taskStopped(): boolean {
    return this.#task?.aborted === true
  }

  /**
   * Waits until a move settles `name`. For tools and gates of your own.
   *
   * @param signal - its abort ends the wait with a rejection; what waits without one is deaf to a cancel.
   */
  hold(name: string, signal?: AbortSignal): Promise<unknown> {
    return this.#holds.wait(name, signal)
  }

  /** Lets whoever waits at `name` go on with `value`. @throws if nobody waits there. */
  settle(name: string, value?: unknown): void {
    this.#holds.settle(name, value)
  }

  /** Lets the wait at `name` fail. @throws if nobody waits there. */
  fail(name: string, message = `${name} failed`): void {
    this.#holds.fail(name, new Error(message))
  }

  /** Lets the next question to a gate wait: `request`, `requestError`, `stepResult`, `toolPre`, `toolPost`, … */
  arm(name: string): void {
    this.#holds.arm(name)
  }

  /** The model streams these items as its answer, or as the rest of it. */
  says(...items: readonly ScriptItem[]): void {
    this.#say({ items, rest: 'end' })
  }

  /** The model streams these items and goes on when it is told to, by `says` with a `finish`, `fail` or `throw`. */
  begins(...items: readonly ScriptItem[]): void {
    this.#say({ items, rest: 'more' })
  }

  /** The model streams these items and then nothing, whatever its signal says: it waits as `deaf stream`. */
  hangs(...items: readonly ScriptItem[]): void {
    this.#say({ items, rest: 'nothing' })
  }

  #say(said: Said): void {
    this.#holds.settle(this.waits.includes('speech') ? 'speech' : 'model', said)
  }

  /** The next message: m1, m2, … */
  message(): MessageInput {
    this.#sent += 1
    return { id: `m${this.#sent}`, content: `m${this.#sent}` }
  }

  /** Starts a maintenance task that waits as `task` and is deaf to its signal. */
  maintain(): void {
    const task = (signal: AbortSignal): Promise<unknown> => {
      this.#task = signal
      return this.hold('task')
    }
    this.agent.runMaintenance(task).catch(() => {})
  }

  /** Disposes the agent; the run goes on. */
  dispose(options?: { readonly keepInbox?: boolean }): void {
    this.#disposal ??= this.agent.dispose(options)
    // Judged where the run ends.
    this.#disposal.catch(() => {})
  }

  /** Silence of a stream until the attempt fails; a deaf one goes on then. */
  passSilence(): Promise<void> {
    return this.#pass(SILENCE_MS, 'deaf stream', 'speech')
  }

  /** The time limit of the bodies that run; they return behind it. */
  passToolTime(): Promise<void> {
    return this.#pass(TOOL_MS, 'tool', 'second tool')
  }

  /** The delay before the next attempt. */
  passBackOff(): Promise<void> {
    return this.#pass(BACK_OFF_MS)
  }

  /** The time that what is deaf to a cancel gets; it goes on behind it. */
  passGrace(): Promise<void> {
    return this.#pass(GRACE_MS, 'deaf stream', 'tool', 'second tool')
  }

  /** @param late - what goes on once its time is over, when nobody may listen any more. */
  async #pass(ms: number, ...late: readonly string[]): Promise<void> {
    // What begins to wait meanwhile is another one.
    const waiting = this.#holds.take(late)
    await this.clock.advance(ms)
    for (const { settle: goOn } of waiting) goOn()
    await settle()
  }

  /** Lets everything come to rest that needs no time. */
  rest(): Promise<void> {
    return settle()
  }

  /**
   * Ends whatever still runs and disposes the agent.
   *
   * @throws what the disposal rejects with, or when it never ends.
   */
  async finish(): Promise<void> {
    this.dispose()
    await settle()
    if (this.waits.includes('task')) this.settle('task')
    await this.clock.advance(GRACE_MS)
    await patient(this.#disposal ?? Promise.resolve())
  }
}

/** Waits for `disposal`, but not for ever: an agent that is never gone is a finding, not a test that hangs. */
async function patient(disposal: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new Error(
          `it did not end within ${GRACE_MS} ms of grace and ${PATIENCE_MS} ms of real time`,
        ),
      )
    }, PATIENCE_MS)
  })
  try {
    await Promise.race([disposal, late])
  } finally {
    clearTimeout(timer)
  }
}
