/**
 * The tools of a stage: their bodies wait for moves, and are deaf to a cancel.
 *
 * @module
 */
import type { AnyTool } from '../../actors/tool.port.ts'
import { defineTool } from '../../adapters/define-tool.ts'
import type { Holds } from './holds.ts'

/** Makes `held`, which runs alone, and `side`, which runs beside others. The first call of a step waits as `tool`. */
export function stageTools(holds: Holds): readonly AnyTool[] {
  const tool = (name: string, parallel: boolean): AnyTool =>
    defineTool({
      name,
      parallel,
      run: async (_, { call, concludeTurn }) => {
        const answer = await holds.wait(call.index === 0 ? 'tool' : 'second tool')
        if (answer === 'conclude') concludeTurn()
        return 'ok'
      },
    })
  return [tool('held', false), tool('side', true)]
}
