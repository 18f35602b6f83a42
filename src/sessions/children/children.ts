/**
 * The service for children: it starts them, keeps their runs and their accounts, and tells of their ends.
 *
 * S1 Whatever a child depends on is read in the call that starts it, before the first await.
 * S2 Giving up before the child is published leaves nothing; afterwards it is a cancelled run.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../../actors/agent-handle.ts'
import { USER } from '../../actors/commands.ts'
import { contained } from '../../actors/notices.ts'
import { currentInitiator } from '../../actors/initiator.ts'
import { whole } from '../../actors/read-options.ts'
import { doorOf } from '../../actors/service-door.ts'
import { TurnwiseError } from '../../errors.ts'
import { parseMessage } from '../../events/parse-message.ts'
import { requestHeader } from '../../projections/request-header.ts'
import type { Registry } from '../registry-port.ts'
import { createRegistry } from '../registry.ts'
import type {
  ChildFinished,
  ChildResult,
  ChildRun,
  Children,
  ChildrenOptions,
  SpawnOptions,
} from './child-port.ts'
import { childTools } from './child-tools.ts'
import type { LocalChildRun } from './child-run.ts'
import { inheritedOptions } from './inherited.ts'
import { type Start, startChild } from './start-child.ts'
import { limitsOf, TreeAccount } from './tree-budget.ts'

const MAX_WAKES = 3
const MAX_DEPTH = 3

/**
 * Makes a service for children.
 *
 * @throws TurnwiseError INVALID_OPTION
 */
export function createChildren(options: ChildrenOptions = {}): Children {
  return new LocalChildren(options)
}

class LocalChildren implements Children {
  readonly registry: Registry
  readonly tools = childTools(this)
  /** Is the registry its own? Then any agent may be a parent. */
  private readonly isOwn: boolean
  private readonly maxDepth: number
  private readonly maxWakes: number
  private readonly limits: ReturnType<typeof limitsOf>
  private readonly maxTokensIsOk: boolean
  private readonly runs = new Map<string, LocalChildRun>()
  /** By root, and by every child below it. */
  private readonly accounts = new WeakMap<Agent, TreeAccount>()
  private listeners: readonly ((finished: ChildFinished) => void)[] = []

  constructor(options: ChildrenOptions) {
    this.isOwn = options.registry === undefined
    this.registry = options.registry ?? createRegistry({ factory: () => ({}) })
    this.maxDepth = whole(options, 'maxDepth', MAX_DEPTH)
    this.maxWakes = whole(options, 'maxWakes', MAX_WAKES, 0)
    this.limits = limitsOf(options.budget ?? {})
    this.maxTokensIsOk = options.maxTokensIsOk === true
  }

  async spawn(options: SpawnOptions): Promise<ChildRun> {
    const start = this.capture(options)
    try {
      return await startChild(start)
    } catch (error) {
      start.account.giveBack()
      throw error
    }
  }

  /** Everything that the child depends on, as it is now. */
  private capture(options: SpawnOptions): Start {
    const parent = options.parent ?? this.initiator()
    options.signal?.throwIfAborted()
    refuseAborted(parent, options)
    if (this.isOwn) this.adopt(parent)
    const depth = this.depthBelow(parent)
    const account = this.accountOf(parent)
    const agent = inheritedOptions(parent, options.agent ?? {})
    const prompt = parseMessage(options.prompt, agent.ids ?? randomUUID, USER)
    account.admit()
    return {
      ...options,
      prompt,
      parent,
      depth,
      account,
      agent,
      registry: this.registry,
      maxWakes: this.maxWakes,
      settled: (run, result) => {
        this.finished(run, result)
      },
      opened: (run) => {
        this.enter(run, account)
      },
    }
  }

  private initiator(): Agent {
    const initiator = currentInitiator()
    const agent = initiator === undefined ? undefined : this.registry.get(initiator.agent)
    if (agent !== undefined) return agent
    throw new TurnwiseError(
      'INVALID_OPTION',
      `expected a parent that lives in the registry of the children, found ${initiator === undefined ? 'none' : `agent ${initiator.agent}, which does not`}; nothing was created. Give it, or adopt it.`,
    )
  }

  private depthBelow(parent: Agent): number {
    const above = this.runs.get(parent.id)?.depth ?? parent.log.header.depth ?? 0
    if (above < this.maxDepth) return above + 1
    throw new TurnwiseError(
      'CHILD_LIMIT',
      `expected a parent above depth ${this.maxDepth}, found ${parent.id} at ${above}; nothing was created. Work without a child, or raise maxDepth.`,
    )
  }

  private accountOf(parent: Agent): TreeAccount {
    const known = this.accounts.get(parent)
    if (known !== undefined) return known
    const account = new TreeAccount(this.limits)
    this.accounts.set(parent, account)
    return account
  }

  private enter(run: LocalChildRun, account: TreeAccount): void {
    this.runs.set(run.id, run)
    this.accounts.set(run.agent, account)
    const { agent, id } = run
    const leave = this.registry.listen((notice) => {
      if (notice.type === 'session/disposed' && notice.agent === agent) gone()
    })
    const gone = (): void => {
      leave()
      if (this.runs.get(id) === run) this.runs.delete(id)
    }
    // Of one that was never published nobody hears that it is gone.
    agent.onDispose(() => {
      if (this.registry.get(id) !== agent) gone()
    })
  }

  adopt(parent: Agent): void {
    if (this.registry.get(parent.id) !== parent) this.registry.register(parent)
  }

  get(id: string): ChildRun | undefined {
    return this.runs.get(id)
  }

  list(id?: string): readonly ChildRun[] {
    return [...this.runs.values()].filter((run) => id === undefined || this.isBelow(run.id, id))
  }

  private isBelow(child: string, id: string): boolean {
    for (let at = this.registry.ownerOf(child); at !== undefined; at = this.registry.ownerOf(at.id))
      if (at.id === id) return true
    return false
  }

  readonly onFinished: Children['onFinished'] = (listener) => {
    const own = (finished: ChildFinished): void => {
      listener(finished)
    }
    this.listeners = [...this.listeners, own]
    return () => {
      this.listeners = this.listeners.filter((other) => other !== own)
    }
  }

  private finished(run: ChildRun, { stopReason, output }: ChildResult): void {
    const { agent } = run
    const isOk = stopReason === 'completed' || (stopReason === 'max-tokens' && this.maxTokensIsOk)
    const finished: ChildFinished = Object.freeze({
      provider: agent.read(requestHeader).header?.provider ?? '',
      agentId: run.name,
      parent: run.parent.id,
      child: run.id,
      status: isOk ? 'ok' : 'error',
      stopReason,
      ...(output !== '' && { lastAssistantMessage: output }),
    })
    const onFault = (error: unknown): void => {
      doorOf(agent).diagnose(error, 'listener')
    }
    for (const listener of this.listeners) contained(() => listener(finished), onFault)
  }
}

/** What is started inside a turn that was cancelled would hear of no cancel any more. */
function refuseAborted(parent: Agent, { detached }: SpawnOptions): void {
  const reason = doorOf(parent).abortReason
  if (detached === true || reason === undefined || currentInitiator()?.agent !== parent.id) return
  throw reason
}
