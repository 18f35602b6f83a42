/**
 * The tool by which a child hands in the value it was asked for. A value that was taken ends the turn.
 *
 * @module
 */
import type { AnyTool, StandardSchema } from '../../actors/tool.port.ts'
import { parametersOf } from '../../actors/tool-schema.ts'
import type { Json } from '../../events/json.ts'

/** Name of the tool. */
export const STRUCTURED_OUTPUT = 'structured_output'

/** What was handed in, the latest value. */
export interface Capture {
  value: unknown
  captured: boolean
}

/** @throws TurnwiseError INVALID_OPTION for a schema that cannot be shown to a model. */
export function captureTool(
  output: StandardSchema,
  parameters: Json | undefined,
  capture: Capture,
): AnyTool {
  const tool: AnyTool = {
    name: STRUCTURED_OUTPUT,
    description: 'Hands in the result. Call it once, when the work is done.',
    input: output,
    ...(parameters !== undefined && { parameters }),
    run(value: unknown, { concludeTurn }) {
      capture.value = value
      capture.captured = true
      concludeTurn()
      return 'Taken.'
    },
  }
  parametersOf(tool)
  return tool
}
