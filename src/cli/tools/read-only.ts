/**
 * What the tools of this command have in common: they only read, so they may run side by side and again.
 *
 * @module
 */
import type { StandardSchema, Tool } from '../../actors/tool.port.ts'
import { defineTool } from '../../adapters/define-tool.ts'
import type { InferInput, ToolDefinition } from '../../adapters/define-tool.ts'

/** Defines a tool that may run beside others and be repeated after an unknown outcome. */
export const readOnly = <Schema extends StandardSchema>(
  tool: Omit<ToolDefinition<InferInput<Schema>, Schema>, 'parallel' | 'repeatable'> & {
    readonly input: Schema
  },
): Tool<InferInput<Schema>> => defineTool({ ...tool, parallel: true, repeatable: true })
