/**
 * The tools by which a model works with children.
 *
 * @module
 */
import type { AnyTool, ToolContext } from '../../actors/tool.port.ts'
import type { ChildResult, ChildRun, Children, SpawnOptions } from './child-port.ts'

type Input = { readonly [name: string]: unknown }

const text = (description: string) => ({ type: 'string', description })

/** @throws Error for what is no text. */
function textIn(input: unknown, name: string): string {
  const value = (input as Input | null)?.[name]
  if (typeof value === 'string' && value !== '') return value
  throw Object.assign(new Error(`expected a text as ${name}`), { code: 'INVALID_ARGS' })
}

/** The child with this id, of the agent that calls. */
function ownChild(children: Children, agent: string, id: string): ChildRun {
  const run = children.get(id)
  if (run?.parent.id === agent) return run
  throw new Error(`there is no child ${id}`)
}

/** Runs a child to its end, as the body of a tool; a child that did not complete is a failed call. */
export async function runChild(
  children: Children,
  options: SpawnOptions,
  { agent, signal }: ToolContext,
): Promise<ChildResult> {
  const parent = options.parent ?? children.registry.get(agent)
  const run = await children.spawn({ ...options, signal, ...(parent !== undefined && { parent }) })
  try {
    return await run.result
  } finally {
    await run.dispose()
  }
}

/** What the model is told of a child that has stopped. @throws Error unless it completed. */
export function toldOf({ stopReason, output, detail }: ChildResult): string {
  if (stopReason === 'completed') return output
  const how = detail === undefined ? stopReason : `${stopReason}, ${detail}`
  throw new Error(`the child has stopped (${how})${output === '' ? '' : `: ${output}`}`)
}

/** The tools of `children`. */
export function childTools(children: Children): readonly AnyTool[] {
  return Object.freeze([spawnTool(children), sendTool(children), stopTool(children)])
}

const spawnTool = (children: Children): AnyTool => ({
  name: 'spawn_child',
  description:
    'Gives a task to an agent of your own and answers with its result. In the background it answers at once with the id of the child, and you are told when the child has stopped.',
  parameters: {
    type: 'object',
    properties: {
      prompt: text('The task, with everything that the child has to know.'),
      name: text('A short name.'),
      background: { type: 'boolean', description: 'Do not wait for it. Default: false.' },
    },
    required: ['prompt'],
  },
  parallel: true,
  async run(input: unknown, context) {
    const prompt = textIn(input, 'prompt')
    const { name, background } = input as Input
    const options: SpawnOptions = {
      prompt: { content: prompt, source: { kind: 'model', agent: context.agent } },
      ...(typeof name === 'string' && { name }),
    }
    if (background !== true) {
      try {
        return toldOf(await runChild(children, options, context))
      } catch (error) {
        // The turn is over for the parent: what its child came to is not an error of the call.
        if (context.signal.aborted) return ''
        throw error
      }
    }
    const parent = children.registry.get(context.agent)
    const run = await children.spawn({
      ...options,
      ...(parent !== undefined && { parent }),
      detached: true,
      continuable: true,
    })
    return { child: run.id }
  },
})

const sendTool = (children: Children): AnyTool => ({
  name: 'send_to_child',
  description: 'Sends a message to a child in the background.',
  parameters: {
    type: 'object',
    properties: { child: text('Its id.'), message: text('The message.') },
    required: ['child', 'message'],
  },
  run(input: unknown, { agent }) {
    const run = ownChild(children, agent, textIn(input, 'child'))
    run.send({ content: textIn(input, 'message'), source: { kind: 'model', agent } })
    return 'Sent.'
  },
})

const stopTool = (children: Children): AnyTool => ({
  name: 'stop_child',
  description: 'Stops a child in the background and ends its session.',
  parameters: { type: 'object', properties: { child: text('Its id.') }, required: ['child'] },
  async run(input: unknown, { agent }) {
    const run = ownChild(children, agent, textIn(input, 'child'))
    await run.dispose()
    return 'Stopped.'
  },
})
