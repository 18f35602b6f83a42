/**
 * An agent whose calls may have to be approved.
 *
 * @module
 */
import type { Approval } from '../../src/actors/approval.port.ts'
import type { AnyTool } from '../../src/actors/tool.port.ts'
import type { ScriptItem } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { ofType, type Rig, type RigOptions, rig } from './rig.ts'

export interface Setup extends Omit<RigOptions, 'model' | 'tools'> {
  /** What the model does, before it says that it is done. */
  readonly calls: readonly (string | readonly ScriptItem[])[]
  /** Policy of the tool `p`. */
  readonly own?: Approval
}

/** An agent that was sent one prompt and has come to its first question, or to rest. */
export async function sent(
  setup: Setup,
  { prompt = true, settle: settles = true } = {},
): Promise<Rig & { ran: string[] }> {
  const ran: string[] = []
  const { calls, own, ...options } = setup
  const plain: AnyTool = {
    name: 'q',
    parallel: true,
    run: (_, { call }) => {
      ran.push(call.providerId)
      return 'ok'
    },
  }
  const tool: AnyTool = { ...plain, name: 'p', ...(own !== undefined && { approval: own }) }
  const made = rig({ ...options, model: [...calls, 'text "done"'], tools: [tool, plain] })
  if (prompt) made.agent.followup('do it')
  if (settles) await settle()
  return { ...made, ran }
}

/** Provider ids of the calls that were asked about. */
export const asked = ({ agent }: Rig): string[] =>
  ofType(agent, 'approval/asked').map(({ data }) => data.call.providerId)

/** Answers in the log: call, answer, who gave it. */
export const answers = ({ agent }: Rig): string[] =>
  ofType(agent, 'approval/decided').map(
    ({ data }) => `${data.call.providerId} ${data.answer} ${data.by}`,
  )

/** The code of what `call` throws. */
export const codeOf = (call: () => void): string | undefined => {
  try {
    call()
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}
