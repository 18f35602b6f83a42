/**
 * A registry on a store in memory, with a scripted model and a record of what it announces.
 *
 * @module
 */
import { expect } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../src/actors/agent-options.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import type { Registry, RegistryNotice, RegistryOptions } from '../../src/sessions/registry-port.ts'
import { createRegistry } from '../../src/sessions/registry.ts'
import type { SessionStore } from '../../src/sessions/session-store.ts'
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts'

/** An announcement in a word or two. */
export function noticeLine(notice: RegistryNotice): string {
  if (notice.type === 'session-start') return `session-start:${notice.how} ${notice.id}`
  return `${notice.type} ${notice.id}`
}

export interface House {
  readonly registry: Registry
  readonly store: SessionStore
  readonly model: ScriptedModel
  /** Every announcement so far. */
  readonly heard: string[]
  readonly faults: string[]
}

/** @param script - of the one model that all agents share. */
export function house(
  script: readonly string[] = [],
  { agent = {}, ...options }: RegistryOptions & { readonly agent?: AgentOptions } = {},
): House {
  const store = options.store ?? memoryStore()
  const model = scriptedModel(script)
  const faults: string[] = []
  const heard: string[] = []
  const registry = createRegistry({
    factory: () => ({ model, ...agent }),
    onDiagnostic: ({ message }) => faults.push(message),
    ...options,
    store,
  })
  registry.listen((notice) => {
    heard.push(noticeLine(notice))
  })
  return { registry, store, model, heard, faults }
}

export const idsOf = (agents: readonly Agent[]): string[] => agents.map(({ id }) => id)
export const code = (name: string): unknown => expect.objectContaining({ code: name })

/** Resolves at the first text that the model of the agent streams. */
export const streaming = (agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    agent.subscribe({ from: 0 }, (event) => {
      if (event.type === 'assistant/chunk' && event.data.chunk.kind === 'text-delta') resolve()
    })
  })

/** What a promise rejects with, looked at before anything else happens. */
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fulfilled',
    (error: unknown) => error,
  )
