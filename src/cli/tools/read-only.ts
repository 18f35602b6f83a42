/**
 * What the tools of this command have in common: they only read, so they may run side by side and again.
 *
 * @module
 */
import type { Tool } from '../../actors/tool.port.ts'

/** Marks a tool as one that may run beside others and be repeated after an unknown outcome. */
export const readOnly = <Input>(
  tool: Omit<Tool<Input>, 'parallel' | 'repeatable'>,
): Tool<Input> => ({ ...tool, parallel: true, repeatable: true })
