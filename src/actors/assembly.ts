/**
 * What surrounds the messages of a step: the system prompt and the runtime context, assembled under the turn's signal.
 *
 * @module
 */
import { frozenJson } from '../events/json.ts'
import type { HistoryEntry } from '../events/history-entry.ts'
import type { Message } from '../events/message.ts'
import { historyView } from '../projections/history.ts'
import type { SystemPrompt } from './agent-options.ts'
import type { Core } from './core.ts'
import type { GateAt } from './gates.port.ts'

/** Plugin name of the source of runtime-context messages. */
const CONTEXT_PLUGIN = 'runtime-context'

/** Does a step of this agent have anything to assemble? A fixed prompt needs no waiting. */
export const mustAssemble = ({ settings }: Core): boolean =>
  settings.context.length > 0 ||
  (settings.system !== undefined && typeof settings.system !== 'string')

/** The system prompt at `at`; undefined if there is none. */
export async function assembleSystem(
  system: SystemPrompt | undefined,
  at: GateAt,
): Promise<string | undefined> {
  if (system === undefined || typeof system === 'string') return system
  if (typeof system === 'function') return system(at)
  const texts: string[] = []
  for (const { text } of system) {
    at.signal.throwIfAborted()
    texts.push(typeof text === 'string' ? text : await text(at))
  }
  return texts.filter((text) => text !== '').join('\n\n')
}

/** The runtime context, if its text differs from its last visible copy. */
export async function assembleContext(core: Core, at: GateAt): Promise<Message | undefined> {
  const texts: string[] = []
  for (const provider of core.settings.context) {
    at.signal.throwIfAborted()
    const text = await provider.text(at)
    if (text !== undefined && text !== '') texts.push(text)
  }
  const text = texts.join('\n\n')
  if (text === '' || text === lastContext(core)) return undefined
  return frozenJson<Message>({
    id: core.settings.ids(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'plugin', plugin: CONTEXT_PLUGIN },
  })
}

const visible = new WeakMap<
  Core,
  { readonly upTo: number; readonly last: unknown; readonly text: string }
>()

/** Text of the last copy in the history. Only what came since the last look is read, unless the history was replaced. */
function lastContext(core: Core): string {
  const entries = historyView(core.history)
  const known = visible.get(core)
  const grown = known !== undefined && entries[known.upTo - 1] === known.last
  const fresh = grown ? entries.slice(known.upTo) : entries
  const copy = fresh.findLast(isContext)
  const text = copy === undefined ? (grown ? known.text : '') : contextText(copy)
  visible.set(core, { upTo: entries.length, last: entries.at(-1), text })
  return text
}

const isContext = (entry: HistoryEntry): entry is Message =>
  entry.role === 'user' && entry.source.plugin === CONTEXT_PLUGIN

const contextText = ({ content: [block] }: Message): string =>
  block?.type === 'text' ? block.text : ''
