/**
 * A host on a store in memory and a clock that is moved by hand. The model answers `re: X` to the prompt X; a prompt that
 * begins with `hold` waits until it is let go.
 *
 * @module
 */
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import type { Model } from '../../../src/actors/model.port.ts'
import type { StoredEvent } from '../../../src/events/event.ts'
import { createAgentHost } from '../../../src/sessions/host/agent-host.ts'
import type { AgentHost, HostOptions } from '../../../src/sessions/host/host-port.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { settle, virtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts'

export interface Rig {
  readonly host: AgentHost
  readonly store: SessionStore
  readonly clock: VirtualClock
  /** Notices, in a word or two. */
  readonly heard: string[]
  readonly faults: string[]
  /** Sessions whose model was asked, in order. */
  readonly asked: string[]
  /** Lets the held answers of a session go, one each call. */
  readonly release: (session: string) => Promise<void>
  /** Prompts that stand in the history of a stored or living session. */
  readonly prompts: (session: string) => Promise<string[]>
}

export function hostRig(
  options: Partial<HostOptions> & {
    readonly agent?: AgentOptions
    /** Waited for before an agent is made. */
    readonly setup?: (session: string) => unknown
  } = {},
): Rig {
  const { agent = {}, setup, ...own } = options
  const clock = virtualClock()
  const store = own.store ?? memoryStore()
  const held = new Map<string, (() => void)[]>()
  const asked: string[] = []
  const model: Model = {
    provider: 'mock',
    modelId: 'mock',
    async *stream({ messages }, { agent: id, signal }) {
      asked.push(id)
      const prompt = lastPrompt(messages)
      if (prompt.startsWith('hold'))
        await new Promise<void>((resolve) => {
          held.set(id, [...(held.get(id) ?? []), resolve])
          signal.addEventListener('abort', () => resolve())
        })
      yield { kind: 'block-start', block: 0, type: 'text' }
      yield { kind: 'text-delta', block: 0, text: `re: ${prompt}` }
      yield { kind: 'block-end', block: 0 }
      yield { kind: 'finish', reason: 'stop' }
    },
  }
  const heard: string[] = []
  const faults: string[] = []
  const host = createAgentHost({
    factory: async ({ id }) => {
      await setup?.(id)
      return { model, clock, ...agent }
    },
    clock,
    elapsed: () => clock.now(),
    onDiagnostic: ({ message }) => faults.push(message),
    ...own,
    store,
  })
  host.listen((notice) => {
    const more = notice.type === 'opened' ? notice.how : notice.type === 'evicted' ? notice.why : ''
    heard.push(`${notice.type} ${notice.id} ${more}`.trim())
  })
  return {
    host,
    store,
    clock,
    heard,
    faults,
    asked,
    async release(session) {
      held.get(session)?.shift()?.()
      await settle()
    },
    prompts: async (session) => promptsOf((await store.read(session)).events),
  }
}

/** Prompts in the order in which they entered the history. */
export const promptsOf = (events: readonly StoredEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'user/message' ? [textOf(event.data.message)] : []))

const textOf = ({ content }: { readonly content: readonly unknown[] }): string =>
  content.map((block) => (block as { readonly text?: string }).text ?? '').join('')

function lastPrompt(messages: Parameters<Model['stream']>[0]['messages']): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return last === undefined ? '' : textOf(last as { readonly content: readonly unknown[] })
}

/** What a host refuses with. */
export const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
    return 'fulfilled'
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error
  }
}

/** What left the memory, and why. */
export const evictionsOf = (heard: readonly string[]): string[] =>
  heard.filter((line) => line.startsWith('evicted'))

/** A model that calls the tool `t` in its first request, and stops in every other. */
export function callingModel(): Model & { requests: number } {
  return {
    provider: 'mock',
    modelId: 'mock',
    requests: 0,
    async *stream() {
      await Promise.resolve()
      this.requests += 1
      if (this.requests === 1) {
        yield { kind: 'block-start', block: 0, type: 'tool-call', id: 'c1', name: 't' }
        yield { kind: 'tool-call-delta', block: 0, text: '{}' }
        yield { kind: 'block-end', block: 0 }
      }
      yield { kind: 'finish', reason: this.requests === 1 ? 'tool-calls' : 'stop' }
    },
  }
}
