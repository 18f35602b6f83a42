/**
 * A parent and its children on the stage: a registry, a service for children, and what is to be seen of them.
 *
 * @module
 */
import type { Agent } from '../../../actors/agent-handle.ts'
import type { AgentOptions } from '../../../actors/agent-options.ts'
import type { Gates } from '../../../actors/gates.port.ts'
import { agentAsTool } from '../../../sessions/children/agent-as-tool.ts'
import type { ChildResult, ChildRun, SpawnOptions } from '../../../sessions/children/child-port.ts'
import { createChildren } from '../../../sessions/children/children.ts'
import { memoryStore } from '../../../sessions/memory-store.ts'
import { createRegistry } from '../../../sessions/registry.ts'
import { printLog } from '../../print-event.ts'
import type { ScriptEntry } from '../../script.ts'
import { scriptedModel, type ScriptedModel } from '../../scripted-model.ts'
import { macrotask, virtualClock } from '../../virtual-clock.ts'

/** The scripts of both sides, and the gates of the child. */
export interface FamilyParts {
  readonly parent: readonly ScriptEntry[]
  readonly child: readonly ScriptEntry[]
  readonly gates: Gates
  /** Further options of the child. */
  readonly options: AgentOptions
  readonly maxDepth?: number
}

/** Rounds of the event loop that a moment may take to come. */
const PATIENCE = 400

export class Family {
  readonly clock = virtualClock()
  readonly registry = createRegistry({
    store: memoryStore(),
    now: () => this.clock.now(),
    factory: () => ({ clock: this.clock }),
  })
  readonly children
  /** Announcements and ends of turns, in order. */
  readonly order: string[] = []
  readonly stop = new AbortController()
  /** What starts have rejected with. */
  readonly rejected: unknown[] = []
  /** The signal aborts while the child is announced. */
  atPublication = false
  /** The first parent. */
  root!: Agent
  /** Who starts children. */
  parent!: Agent
  run: ChildRun | undefined
  result: ChildResult | undefined
  private readonly parts: FamilyParts
  private readonly models: ScriptedModel[] = []

  constructor(parts: FamilyParts) {
    this.parts = parts
    this.children = createChildren({
      registry: this.registry,
      ...(parts.maxDepth === undefined ? {} : { maxDepth: parts.maxDepth }),
    })
    this.registry.listen((notice) => {
      this.order.push(`${notice.id} ${notice.type}`)
      if (notice.type !== 'session/created') return
      notice.agent.subscribe({ from: notice.agent.log.length }, ({ type }) => {
        this.order.push(`${notice.id} ${type}`)
      })
      this.run ??= this.children.get(notice.id)
    })
  }

  async open(): Promise<void> {
    const { clock, parts } = this
    const fill: ScriptEntry = { items: [{ do: 'text', text: 'ok' }], times: 32 }
    const spawn = agentAsTool(this.children, {
      name: 'spawn',
      prompt: () => 'A',
      agent: this.childOptions(),
    })
    this.root = await this.registry.create({
      id: 'parent',
      cwd: '/cwd',
      agent: { model: scriptedModel([...parts.parent, fill], { clock }), tools: [spawn] },
    })
    this.parent = this.root
  }

  private childOptions(): AgentOptions {
    const { clock, parts } = this
    const model = scriptedModel(parts.child, { clock })
    this.models.push(model)
    return { tools: [{ name: 't', run: () => 'ok' }], ...parts.options, model, gates: parts.gates }
  }

  /** Starts the child of the scenario. What it is refused with is kept. */
  async start(more: Partial<SpawnOptions> = {}): Promise<void> {
    try {
      this.run = await this.children.spawn({
        parent: this.parent,
        prompt: { id: 'A', content: 'A' },
        signal: this.stop.signal,
        ...more,
        ...(more.session === undefined && more.fork === undefined ? { id: 'child' } : {}),
        agent: { ...this.childOptions(), ...more.agent },
      })
    } catch (error) {
      this.rejected.push(error)
    }
  }

  /** Does the parent's own script start the child? */
  get spawns(): boolean {
    return this.parts.parent.length > 0
  }

  /** The parent becomes a child itself, as deep as one may be. */
  async deepen(): Promise<boolean> {
    const run = await this.children.spawn({ parent: this.parent, prompt: 'P', id: 'deep' })
    this.parent = run.agent
    this.run = undefined
    return true
  }

  /** The signal aborts in the notification that the child was created. */
  startStopped(): Promise<void> {
    const leave = this.registry.listen(({ type, id }) => {
      if (type !== 'session/created' || id !== 'child') return
      leave()
      this.stop.abort(new Error('aborted'))
    })
    return this.start()
  }

  /** What the child is made with changes right behind the call that starts it. */
  async startWhileChanging(): Promise<void> {
    const agent = { ...this.childOptions(), modelId: 'at the start' }
    const start = this.children.spawn({ parent: this.root, prompt: 'A', id: 'child', agent })
    agent.modelId = 'later'
    this.run = await start
  }

  /** Lets everything come to rest, and keeps what the child came to. */
  async finish(): Promise<void> {
    await this.settled(this.parent.whenIdle())
    const { run } = this
    if (run === undefined) return
    await this.settled(run.result)
    this.result = run.last ?? undefined
  }

  /** Waits for a moment, moving the clock where nothing else moves. */
  async until(test: () => boolean): Promise<boolean> {
    for (let i = 0; i < PATIENCE && !test(); i += 1) {
      await macrotask()
      if (i % 8 === 7 && !test()) await this.clock.advanceToNext()
    }
    return test()
  }

  /** Waits for a promise likewise. */
  async settled(promise: Promise<unknown>): Promise<boolean> {
    let over = false
    const end = (): void => {
      over = true
    }
    promise.then(end, end)
    return this.until(() => over)
  }

  /** Has the model of the child said something, or does it hang? */
  get streaming(): boolean {
    if (this.models.some(({ requests }) => requests.some(({ stalled }) => stalled))) return true
    const events = this.run?.agent.log.read() ?? []
    return events.some(
      ({ type, data }) => type === 'assistant/chunk' && data.chunk.kind === 'text-delta',
    )
  }

  linesOf(agent: Agent | undefined): readonly string[] {
    return agent === undefined ? [] : printLog(agent.log.read())
  }
}
