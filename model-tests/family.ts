/**
 * A family under a random regime: a parent with a goal, children of any depth, and commands from everybody at any time.
 *
 * What happens follows from the seed. Judged is what every log says, and what runs, goals and the registry promise.
 *
 * @module
 */
import type { Agent, CauseInput } from '../src/actors/agent-handle.ts'
import type { Gates } from '../src/actors/gates.port.ts'
import type { Model, ModelContext } from '../src/actors/model.port.ts'
import type { Chunk } from '../src/events/chunk.ts'
import type { ChildResult, ChildRun, Children } from '../src/sessions/children/child-port.ts'
import { createChildren } from '../src/sessions/children/children.ts'
import type { AgentGoal } from '../src/sessions/goals/goal-port.ts'
import { createGoals } from '../src/sessions/goals/goals.ts'
import { memoryStore } from '../src/sessions/memory-store.ts'
import { createRegistry } from '../src/sessions/registry.ts'
import type { Registry } from '../src/sessions/registry-port.ts'
import { settle, type VirtualClock, virtualClock } from '../src/testing/virtual-clock.ts'
import { Chance, type Dice } from './fuzz-chance.ts'
import { judgeFamily } from './family-judge.ts'

const MAX_ROUNDS = 4
const MAX_DEPTH = 2
const COMMANDS = 40

/** Everything of one seed. */
export class Family {
  readonly chance: Chance
  readonly clock: VirtualClock = virtualClock()
  readonly registry: Registry
  readonly children: Children
  readonly goals = createGoals({ maxGoalRounds: MAX_ROUNDS })
  /** Every agent that ever lived, with its log. */
  readonly agents = new Map<string, Agent>()
  readonly runs = new Set<ChildRun>()
  readonly results: ChildResult[] = []
  readonly diagnostics: string[] = []
  readonly trace: string[] = []
  /** Starts that were refused or given up, by their code or message. */
  readonly refused: string[] = []
  root!: Agent
  goal!: AgentGoal
  private ids = 0

  constructor(seed: number) {
    this.chance = new Chance(seed)
    this.registry = createRegistry({
      store: memoryStore(),
      now: () => this.clock.now(),
      ids: () => this.id('s'),
      factory: ({ id }) => ({
        model: this.model(id),
        gates: this.gates(id),
        clock: this.clock,
        ids: () => this.id('m'),
        drainGraceMs: 50,
        maxSteps: 6,
        tools: [...this.goals.tools, ...this.children.tools],
        onDiagnostic: ({ message }) => this.diagnostics.push(message),
      }),
    })
    this.children = createChildren({
      registry: this.registry,
      maxDepth: MAX_DEPTH,
      budget: { children: 12, steps: 25 },
    })
    this.registry.listen((notice) => {
      if (notice.type !== 'session/created') return
      this.agents.set(notice.id, notice.agent)
      const run = this.children.get(notice.id)
      if (run !== undefined) this.runs.add(run)
    })
  }

  private id(kind: string): string {
    this.ids += 1
    return `${kind}${this.ids}`
  }

  private model(id: string): Model {
    const chance = this.chance
    const pause = (ms: number, signal: AbortSignal): Promise<void> => this.pause(ms, signal)
    return {
      provider: 'mock',
      modelId: 'mock',
      async *stream(_request, context) {
        const dice = chance.at(`model ${id}`)
        if (dice.chance(0.6)) await pause(dice.below(20), context.signal)
        yield* answer(dice, context)
      },
    }
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const drop = this.clock.after(ms, resolve)
      signal.addEventListener('abort', () => (drop(), resolve()), { once: true })
    })
  }

  private gates(id: string): Gates {
    return {
      preStep: async ({ signal }, next) => {
        const dice = this.chance.at(`gate ${id}`)
        if (dice.chance(0.2)) await this.pause(dice.below(10), signal)
        if (dice.chance(0.04)) return { kind: 'reject', reason: 'policy' }
        if (dice.chance(0.03)) throw new Error('gate broke')
        if (dice.chance(0.04)) this.try(() => this.goal.edit('Another way.'))
        return next()
      },
    }
  }

  /** Commands that come too late, or at the wrong phase, are refused with a code: that is part of the regime. */
  try(command: () => unknown): void {
    try {
      command()
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code === undefined) throw error
      this.refused.push(code)
    }
  }

  async run(): Promise<void> {
    this.root = await this.registry.create({ id: 'root' })
    this.goal = this.goals.attach(this.root)
    this.try(() => this.goal.set('Reach it.'))
    this.goal.arm()
    for (let i = 0; i < COMMANDS; i += 1) {
      this.command(this.chance.at('command'))
      await this.clock.advance(this.chance.at('time').below(8))
    }
    const ended = this.root.dispose()
    while (this.root.status !== 'disposed') if (!(await this.clock.advanceToNext())) await settle()
    await ended
    const closed = this.registry.close()
    for (let i = 0; i < 20; i += 1) if (!(await this.clock.advanceToNext())) await settle()
    await closed
    for (const run of this.runs) this.results.push(await run.result)
  }

  private command(dice: Dice): void {
    const agents = this.registry.list()
    const agent = agents.length === 0 ? this.root : dice.pick(agents)
    const run = [...this.runs].at(dice.below(Math.max(1, this.runs.size)))
    const kind = dice.weighted({
      followup: 4,
      steer: 3,
      spawn: 6,
      cancel: 4,
      cancelRun: 2,
      send: 3,
      report: 2,
      handOver: 1,
      disposeRun: 2,
      resumeGoal: 4,
      pauseGoal: 1,
      forge: 1,
      nothing: 3,
    })
    this.trace.push(`${kind} ${agent.id}`)
    this.try(() => {
      this.carryOut(kind, agent, run, dice)
    })
  }

  private carryOut(kind: string, agent: Agent, run: ChildRun | undefined, dice: Dice): void {
    const forged = { kind: 'goal', goal: 'x', revision: 1, round: 1 } as const
    const commands: Readonly<Record<string, () => unknown>> = {
      followup: () => agent.followup('H'),
      steer: () => agent.steer('S'),
      spawn: () => this.spawn(agent, dice),
      cancel: () => agent.cancel(dice.pick<CauseInput>(['user', 'hook']), cancelOptions(dice)),
      cancelRun: () => run?.cancel(),
      send: () => run?.send('more'),
      report: () => run?.report('half way'),
      handOver: () => run?.handOver(),
      disposeRun: () => void run?.dispose(),
      resumeGoal: () => this.goal.resume(),
      pauseGoal: () => this.goal.pause(),
      forge: () => agent.followup({ content: 'forged', source: forged }),
    }
    commands[kind]?.()
  }

  private spawn(parent: Agent, dice: Dice): void {
    const giveUp = new AbortController()
    const start = this.children.spawn({
      parent,
      prompt: 'go',
      detached: dice.chance(0.4),
      continuable: dice.chance(0.5),
      signal: giveUp.signal,
      // A child takes over the model of its parent unless it has its own.
      agent: { model: this.model('child') },
    })
    if (dice.chance(0.15)) giveUp.abort(new Error('changed my mind'))
    start.catch((error: unknown) => {
      const { code, message } = error as { code?: string; message?: string }
      this.refused.push(code ?? message ?? 'cancelled')
    })
  }
}

const cancelOptions = (dice: Dice) => ({
  keepInbox: dice.chance(0.3),
  resume: dice.chance(0.3),
  restoreClaimed: dice.chance(0.2),
})

const call = (name: string, args: object): Chunk[] => [
  { kind: 'block-start', block: 0, type: 'tool-call', id: 'c1', name },
  { kind: 'tool-call-delta', block: 0, text: JSON.stringify(args) },
  { kind: 'block-end', block: 0 },
  { kind: 'finish', reason: 'tool-calls' },
]

/** What a model says at one request. */
function* answer(dice: Dice, { signal }: ModelContext): Generator<Chunk> {
  const kind = dice.weighted({
    text: 8,
    spawn: 3,
    background: 2,
    complete: 0.6,
    report: 1,
    fail: 1,
  })
  if (kind === 'fail') {
    yield { kind: 'finish', reason: 'error', failure: { code: 'SERVER', message: 'boom' } }
  } else if (kind === 'text') {
    yield { kind: 'block-start', block: 0, type: 'text' }
    yield { kind: 'text-delta', block: 0, text: 'x' }
    if (signal.aborted) return
    yield { kind: 'block-end', block: 0 }
    yield { kind: 'finish', reason: dice.chance(0.05) ? 'max-tokens' : 'stop' }
  } else if (kind === 'complete') yield* call('complete_goal', {})
  else if (kind === 'report') yield* call('report_to_parent', { message: 'half way' })
  else yield* call('spawn_child', { prompt: 'go', background: kind === 'background' })
}

/** Plays one seed. @returns what broke a promise. */
export async function playFamily(seed: number): Promise<{ family: Family; problems: string[] }> {
  const family = new Family(seed)
  await family.run()
  return { family, problems: judgeFamily(family) }
}
