/**
 * The request of a step: its configuration, its header where that is new, and its messages.
 *
 * @module
 */
import type { EventMap, NewEvent, RequestConfig, StepAt, ToolHeader } from '../events/event.ts'
import type { HistoryEntry } from '../events/history-entry.ts'
import { type History, historyView } from '../projections/history.ts'
import type { Core } from './core.ts'
import type { PartialConfig } from './gates.port.ts'
import type { ModelRequest } from './model.port.ts'
import {
  canonical,
  type HeaderFacts,
  headerFields,
  loggedConfig,
  withDefaults,
} from './request-config.ts'
import { toolHeaders } from './tool-headers.ts'

type Fields = ReturnType<typeof headerFields>
type Route = Omit<EventMap['request/context'], 'turn' | 'step'>

/** A header, as payload and as text, with what it was made from. */
interface Composed {
  readonly fields: Fields
  readonly text: string
  readonly config: PartialConfig
  readonly system: string | undefined
  readonly tools: readonly ToolHeader[]
}

/** Composes the requests of one agent. */
export class Composer {
  /** What the next request is made with. */
  config: PartialConfig = {}
  tools: readonly ToolHeader[] = []
  private readonly core: Core
  /** The last recorded header of this instance. */
  private last: Composed | undefined
  private next: Composed | undefined
  private base: { readonly header: object; readonly config: PartialConfig } | undefined

  constructor(core: Core) {
    this.core = core
  }

  /**
   * A step begins: its tools are listed, its configuration starts from the logged one.
   *
   * @throws what a registry of tools throws.
   */
  begin(): void {
    this.config = this.baseConfig()
    this.tools = toolHeaders(this.core.settings.tools)
  }

  get provider(): string {
    return this.config.provider ?? ''
  }

  private baseConfig(): PartialConfig {
    const { header } = this.core.state
    const { own } = this.core.settings
    if (header === null) return own
    if (this.base?.header === header) return this.base.config
    const logged = loggedConfig(header)
    const config = this.last === undefined ? { ...logged, ...own } : logged
    this.base = { header, config }
    return config
  }

  /**
   * Fixes what is sent. Nothing is remembered of a header that is not recorded: a cancel may come between.
   *
   * @returns whether a new header must be recorded first.
   */
  compose(config: RequestConfig, system: string | undefined): boolean {
    const { tools, last } = this
    if (last?.config === config && last.system === system && last.tools === tools) return false
    const fields = headerFields(this.facts(config, system))
    const next = { fields, text: canonical(fields), config, system, tools }
    const isNew = last?.text !== next.text
    if (isNew) this.next = next
    else this.last = next
    return isNew
  }

  private facts(route: RequestConfig, system: string | undefined): HeaderFacts {
    const { settings } = this.core
    const { config, added } = withDefaults(route, settings.model?.defaults)
    const fixed = typeof settings.system === 'string' ? settings.system : system
    return { config, added, system: fixed, tools: this.tools }
  }

  /** The events that record the new header, and the new route or capacity. */
  headerEvents(at: StepAt): NewEvent[] {
    const { next } = this
    if (next === undefined) return []
    const { header, context } = this.core.state
    const first = header === null ? 'initial' : 'resume'
    const reason = this.last === undefined ? first : 'change'
    const { provider, model } = next.fields
    const contextWindow = this.core.settings.model?.contextWindow
    const route = { provider, model, ...(contextWindow !== undefined && { contextWindow }) }
    const recorded: NewEvent = { type: 'request/header', data: { ...at, ...next.fields, reason } }
    return isSameRoute(context, route)
      ? [recorded]
      : [recorded, { type: 'request/context', data: { ...at, ...route } }]
  }

  /** The log took the header. */
  recorded(): void {
    this.last = this.next
    this.next = undefined
  }

  /** The request itself. Its messages are the history of this moment, made when they are first read. */
  request(): ModelRequest {
    const { fields } = this.last ?? {}
    if (fields === undefined) throw new Error('a request needs a recorded header')
    return new LazyRequest(fields, this.tools, this.core.history)
  }
}

/**
 * A frozen request whose messages are made when they are first read. The getter is an own property, so that a spread
 * copies it, and one function for all: a getter in a literal would give each request a hidden class of its own.
 */
class LazyRequest implements ModelRequest {
  static readonly #messages: PropertyDescriptor & ThisType<LazyRequest> = {
    enumerable: true,
    get() {
      return historyView(this.#history)
    },
  }

  declare readonly messages: readonly HistoryEntry[]
  readonly provider: string
  readonly model: string
  declare readonly maxTokens?: number
  declare readonly settings?: NonNullable<ModelRequest['settings']>
  declare readonly system?: string
  readonly tools: readonly ToolHeader[]
  readonly #history: History

  constructor(fields: Fields, tools: readonly ToolHeader[], history: History) {
    const { provider, model, maxTokens, settings, system } = fields
    this.provider = provider
    this.model = model
    if (maxTokens !== undefined) this.maxTokens = maxTokens
    if (settings !== undefined) this.settings = settings
    if (system !== undefined) this.system = system
    this.tools = tools
    this.#history = history
    Object.freeze(Object.defineProperty(this, 'messages', LazyRequest.#messages))
  }
}

/** Is the route, with its capacity, the one that was recorded last? */
const isSameRoute = (known: Route | null, route: Route): boolean =>
  known !== null &&
  known.provider === route.provider &&
  known.model === route.model &&
  known.contextWindow === route.contextWindow
