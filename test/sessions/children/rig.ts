/** A registry with a service for children; parent and children have models with scripts of their own. */
import { expect } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import type {
  Children,
  ChildrenOptions,
  ChildRun,
} from '../../../src/sessions/children/child-port.ts'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import type { Registry } from '../../../src/sessions/registry-port.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { checkInvariants } from '../../../src/testing/check-invariants.ts'
import { parseScript } from '../../../src/testing/parse-script.ts'
import { EventPrinter } from '../../../src/testing/print-event.ts'
import { scriptedModel, type ScriptedModel } from '../../../src/testing/scripted-model.ts'
import { virtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts'

export interface ChildRig {
  readonly registry: Registry
  readonly children: Children
  readonly parent: Agent
  readonly clock: VirtualClock
  /** Announcements, statuses and turn ends, in order. */
  readonly order: string[]
  readonly diagnostics: string[]
  /** A model that follows a script. */
  readonly model: (...script: string[]) => ScriptedModel
  readonly spawn: (script: readonly string[], options?: SpawnMore) => Promise<ChildRun>
}
type SpawnMore = Partial<Parameters<Children['spawn']>[0]>

/** Makes a parent `p` whose model follows `script`. */
export async function childRig(
  script: readonly string[] = [],
  { agent = {}, ...options }: ChildrenOptions & { agent?: AgentOptions } = {},
): Promise<ChildRig> {
  const clock = virtualClock()
  const order: string[] = []
  const diagnostics: string[] = []
  const registry = createRegistry({
    store: memoryStore(),
    factory: () => ({ clock, onDiagnostic: ({ message }) => diagnostics.push(message) }),
    now: () => clock.now(),
  })
  registry.listen((notice) => {
    order.push(`${notice.id} ${notice.type}`)
    if (notice.type !== 'session/created') return
    notice.agent.subscribe({ from: notice.agent.log.length }, ({ type, data }) => {
      if (type === 'turn/end') order.push(`${notice.id} turn/end ${data.reason.kind}`)
    })
  })
  const children = createChildren({ registry, ...options })
  const model = (...entries: string[]): ScriptedModel =>
    scriptedModel(
      entries.map((entry) => parseScript(entry)),
      { clock },
    )
  const parent = await registry.create({
    id: 'p',
    cwd: '/home',
    agent: { model: model(...script), tools: children.tools, ...agent },
  })
  return {
    registry,
    children,
    parent,
    clock,
    order,
    diagnostics,
    model,
    spawn: (entries, more = {}) =>
      children.spawn({
        parent,
        id: 'c',
        prompt: { id: 'A', content: 'A' },
        ...more,
        agent: { model: model(...entries), ...more.agent },
      }),
  }
}

/** The lines of a log, chunks and headers left out. */
export function linesOf({ log }: Agent): string[] {
  const printer = new EventPrinter()
  return log
    .read()
    .filter(({ type }) => !/^(?:assistant\/chunk|request\/)/.test(type))
    .flatMap((event) => printer.lines(event))
}

/** Resolves when the model of an agent has said something. */
export const streaming = (agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    agent.subscribe({}, ({ type, data }) => {
      if (type === 'assistant/chunk' && data.chunk.kind === 'text-delta') resolve()
    })
  })

/** Holds the logs to the invariants. */
export function sound(...agents: readonly Agent[]): void {
  for (const { log } of agents) expect(checkInvariants(log, { atRest: true })).toEqual([])
}
