/**
 * Calls a tool as an agent does: arguments validated first, then the body under a signal.
 */
import type { AnyTool, Tool, ToolContext } from '../../../src/actors/tool.port.ts'
import { frozenJson } from '../../../src/events/json.ts'

/** Calls the tool `name`; rejects with INVALID_ARGS where the arguments do not fit. */
export async function callTool<Answer>(
  tools: readonly AnyTool[],
  name: string,
  args: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const tool = tools.find((candidate) => candidate.name === name) as Tool<unknown> | undefined
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const parsed = await tool.input?.['~standard'].validate(args)
  if (parsed?.issues !== undefined) throw new Error(`INVALID_ARGS ${JSON.stringify(parsed.issues)}`)
  const context: ToolContext = {
    agent: 'test',
    turn: 1,
    step: 1,
    call: { key: 'k', index: 0, providerId: 'p' },
    signal,
    concludeTurn: () => undefined,
    addContext: () => undefined,
  }
  return frozenJson<Answer>(await tool.run(parsed === undefined ? args : parsed.value, context))
}
