/**
 * How one child is started: its session, the parts that make it a child, its prompt.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import { doorOf } from '../../actors/service-door.ts'
import type { Message } from '../../events/message.ts'
import type { Registry, StartOptions } from '../registry-port.ts'
import type { SpawnOptions } from './child-port.ts'
import { LocalChildRun, type RunParts } from './child-run.ts'
import { reportTool } from './report-tool.ts'
import { describeAtFirstStep } from './descriptor.ts'
import { type Capture, captureTool } from './structured-output.ts'
import type { TreeAccount } from './tree-budget.ts'

/** What a start was captured with. */
export interface Start extends Omit<SpawnOptions, 'parent' | 'agent' | 'prompt'> {
  readonly prompt: Message
  readonly parent: Agent
  readonly agent: AgentOptions
  readonly depth: number
  readonly account: TreeAccount
  readonly registry: Registry
  readonly maxWakes: number
  readonly settled: RunParts['settled']
  /** Told of a run whose agent is made and not published. */
  readonly opened: (run: LocalChildRun) => void
}

/** Gives a creation up while nobody has heard of the child; stops the child afterwards. */
class GiveUp {
  private readonly controller = new AbortController()
  private dropSignal = (): void => {}
  private dropParent = (): void => {}
  run: LocalChildRun | undefined

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** @param isPublished - has anybody heard of the child? */
  follow({ parent, signal, detached }: Start, isPublished: () => boolean): void {
    const stop = (reason: unknown): void => {
      if (this.run !== undefined && isPublished()) this.run.cancel()
      else this.controller.abort(reason)
    }
    if (signal !== undefined) {
      const onAbort = (): void => {
        stop(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.dropSignal = () => {
        signal.removeEventListener('abort', onAbort)
      }
    }
    if (detached !== true) this.dropParent = doorOf(parent).onCancel(stop)
  }

  /** Nobody is followed any more. */
  leave(): void {
    this.dropParent()
    this.dropSignal()
  }

  /** The run itself follows its parent; the signal of the caller matters until the child is gone. */
  keepSignal(run: LocalChildRun): void {
    this.dropParent()
    run.agent.onDispose(this.dropSignal)
  }
}

/** @throws what creating throws, with nothing published; what the prompt is refused with, once the child is gone again. */
export async function startChild(start: Start): Promise<LocalChildRun> {
  const { output, outputParameters, registry, parent, prompt } = start
  const capture: Capture | undefined =
    output === undefined ? undefined : { value: undefined, captured: false }
  const tools =
    output === undefined || capture === undefined
      ? []
      : [captureTool(output, outputParameters, capture)]
  const giveUp = new GiveUp()
  const isPublished = (): boolean => {
    const { run } = giveUp
    return run !== undefined && registry.get(run.id) === run.agent
  }
  giveUp.follow(start, isPublished)
  const setup: StartOptions['setup'] = async (agent, signal) => {
    const run = makeRun(start, agent, capture)
    doorOf(agent).addTools(run.continuable ? [...tools, reportTool(run)] : tools)
    giveUp.run = run
    start.opened(run)
    await start.setup?.(agent, signal)
  }
  try {
    await open(start, { agent: start.agent, owner: parent, setup, signal: giveUp.signal })
  } catch (error) {
    giveUp.leave()
    throw error
  }
  const run = giveUp.run as LocalChildRun
  giveUp.keepSignal(run)
  try {
    run.start(prompt)
  } catch (error) {
    // That it was refused is what the caller has to know; a log that fails to close has told diagnostics.
    await run.dispose().catch(() => {})
    throw error
  }
  return run
}

/** The session of the child: a new one, a copy of its parent's, or a stored one. */
async function open(start: Start, options: StartOptions): Promise<Agent> {
  const { registry, parent, id, fork, session } = start
  const { cwd } = parent.log.header
  if (fork !== undefined) {
    const copied = await registry.fork(parent.id, {
      ...(fork === true ? {} : fork),
      ...(id !== undefined && { id }),
    })
    return registry.resume(copied.id, options)
  }
  if (session !== undefined) return registry.resume(session, options)
  return registry.create({
    ...options,
    ...(id !== undefined && { id }),
    ...(cwd !== undefined && { cwd }),
  })
}

function makeRun(start: Start, agent: Agent, capture: Capture | undefined): LocalChildRun {
  const { parent, depth, account, name = agent.id, detached = false, continuable = false } = start
  const { registry, maxWakes, settled } = start
  const door = doorOf(agent)
  describeAtFirstStep(door, agent.id, { parent: parent.id, depth, name, detached, continuable })
  door.gateFirst(account.gate)
  agent.subscribe({ from: agent.log.length }, account.book())
  return new LocalChildRun({
    agent,
    parent,
    name,
    depth,
    detached,
    continuable,
    capture,
    registry,
    maxWakes,
    settled,
  })
}
