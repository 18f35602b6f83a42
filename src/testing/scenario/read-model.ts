/**
 * Reads the model scripts of a setup.
 *
 * @module
 */
import { parseScript } from '../parse-script.ts'
import type { ScriptEntry, ScriptItem } from '../script.ts'
import type { Scenario } from './scenario.ts'

/** One entry of a model script as the YAML has it: a text, a list of items, or an entry. */
export function readEntry(entry: unknown): ScriptEntry {
  if (typeof entry === 'string') return parseScript(entry)
  if (Array.isArray(entry)) {
    const items = entry.flatMap((item) =>
      typeof item === 'string' ? [...parseScript(item).items] : [item as ScriptItem],
    )
    return { items }
  }
  if (typeof entry === 'object' && entry !== null && 'items' in entry) return entry as ScriptEntry
  throw new TypeError(`cannot read the model entry ${JSON.stringify(entry)}`)
}

function readEntries(list: readonly unknown[], unread: string[]): ScriptEntry[] {
  return list.flatMap((entry) => {
    try {
      return [readEntry(entry)]
    } catch (error) {
      unread.push(`model ${JSON.stringify(entry)}: ${String(error)}`)
      return []
    }
  })
}

/** Scripts by session; `*` is the one that all share where the setup does not say. */
export function readModel(
  scenario: Scenario,
  unread: string[],
): ReadonlyMap<string, readonly ScriptEntry[]> {
  const model = scenario.setup?.model ?? []
  const lists = Array.isArray(model) ? { '*': model as unknown[] } : model
  const scripts = new Map<string, ScriptEntry[]>()
  for (const [name, list] of Object.entries(lists as Record<string, readonly unknown[]>)) {
    for (const entry of readEntries(list, unread)) {
      const session = entry.session ?? name
      scripts.set(session, [...(scripts.get(session) ?? []), entry])
    }
  }
  return scripts
}
