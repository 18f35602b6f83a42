/**
 * The tools of a step as the model is shown them: the same list as long as nothing changed.
 *
 * @module
 */
import type { ToolHeader } from '../events/event.ts'
import { toolHeaders as headersOf } from './tool-schema.ts'
import type { AnyTool, ToolSet } from './tool.port.ts'

const isList = (tools: ToolSet): tools is readonly AnyTool[] => Array.isArray(tools)

const lists = new WeakMap<
  object,
  { readonly headers: readonly ToolHeader[]; readonly text: string }
>()

/** Headers in canonical order. A fixed list is read once; a live registry at every call. */
export function toolHeaders(tools: ToolSet): readonly ToolHeader[] {
  const known = lists.get(tools)
  if (known !== undefined && isList(tools)) return known.headers
  const headers = Object.freeze(headersOf(isList(tools) ? tools : tools.list()))
  const text = JSON.stringify(headers)
  if (known?.text === text) return known.headers
  lists.set(tools, { headers, text })
  return headers
}

/** The tool of that name, now. A registry that throws knows none. */
export function findTool(tools: ToolSet, name: string): AnyTool | undefined {
  try {
    const list = isList(tools) ? tools : tools.list()
    for (const tool of list) if (tool.name === name) return tool
  } catch {
    // The registry is foreign code: what it cannot list cannot run.
  }
  return undefined
}
