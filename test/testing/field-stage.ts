/**
 * The stage of the field cases: an agent on a virtual clock with a scripted model, and what its listeners saw.
 *
 * @module
 */
import { expect } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent } from '../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../src/actors/agent-options.ts'
import type { AnyTool, ToolContext } from '../../src/actors/tool.port.ts'
import type { StoredEvent, EventType } from '../../src/events/event.ts'
import { checkRun } from '../../src/testing/check-run.ts'
import { Latches } from '../../src/testing/latches.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts'
import { settle, virtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts'

/** What a tool of a field case does. */
export type Body = (context: ToolContext, latches: Latches) => unknown

export interface FieldOptions extends Omit<AgentOptions, 'model' | 'tools' | 'clock'> {
  readonly model: readonly string[]
  readonly tools?: Readonly<Record<string, Body>>
}

export interface FieldStage {
  readonly agent: Agent
  readonly model: ScriptedModel
  readonly clock: VirtualClock
  readonly latches: Latches
  readonly statuses: string[]
  readonly events: readonly StoredEvent[]
  log(): string[]
  of<T extends EventType>(type: T): StoredEvent<T>[]
  /** Waits for something without moving the clock. */
  until(what: string, test: () => boolean): Promise<void>
  /** The invariants that hold for every run. */
  check(): void
}

/** Bodies by the words of the field cases. */
export const gate =
  (name: string): Body =>
  (_context, latches) =>
    latches.wait(name)
export const ok =
  (value: string): Body =>
  () =>
    value
export const failing =
  (message: string): Body =>
  () => {
    throw new Error(message)
  }

const toolOf = (name: string, body: Body, latches: Latches): AnyTool =>
  ({
    name,
    parameters: { type: 'object' },
    run: (_input: unknown, context: ToolContext) => body(context, latches),
  }) as unknown as AnyTool

export function field({ model: script, tools = {}, ...options }: FieldOptions): FieldStage {
  const clock = virtualClock()
  const latches = new Latches()
  const model = scriptedModel(script, { clock, latches })
  const agent = createAgent({
    id: 's1',
    ...options,
    model,
    clock,
    tools: Object.entries(tools).map(([name, body]) => toolOf(name, body, latches)),
  })
  const events: StoredEvent[] = []
  const statuses: string[] = []
  agent.subscribe({ from: 0 }, (event) => {
    events.push(event)
  })
  agent.listen((notice) => {
    if (notice.type === 'status') statuses.push(notice.status)
  })
  return {
    agent,
    model,
    clock,
    latches,
    statuses,
    events,
    log: () => printLog(events),
    of: <T extends EventType>(type: T) =>
      events.filter((event): event is StoredEvent<T> & StoredEvent => event.type === type),
    async until(what, test) {
      for (let round = 0; round < 200 && !test(); round += 1) await settle(1)
      if (!test()) throw new Error(`this never came: ${what}`)
    },
    check: () => expect(checkRun(events, statuses)).toEqual([]),
  }
}

/** Message of a field case: its id is its text. */
export const message = (id: string): { readonly id: string; readonly content: string } => ({
  id,
  content: id,
})
