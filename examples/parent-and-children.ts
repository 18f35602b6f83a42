/** A parent with two children: an agent as a tool, which hands in a value, and one in the background. */
import { agentAsTool, createChildren, createRegistry } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'
import { z } from 'zod'

const registry = createRegistry({ factory: () => ({}) })
const children = createChildren({ registry, maxDepth: 2, budget: { steps: 50, children: 10 } })
children.onFinished(({ agentId, stopReason }) => console.log(`${agentId} has ${stopReason}`))

// Each call is a child of its own. It ends with the value that its schema asks for.
const judge = agentAsTool(children, {
  name: 'judge',
  description: 'Says how good a text is, from 0 to 10.',
  input: z.object({ text: z.string() }),
  prompt: ({ text }: { text: string }) => `How good is this? ${text}`,
  output: z.object({ grade: z.number() }),
  agent: { model: scriptedModel([[script.call('j1', 'structured_output', { grade: 8 })]]) },
})

const model = scriptedModel([
  [script.call('c1', 'judge', { text: 'Brevity is the soul of wit.' })],
  [script.text('It is a good text.')],
  [script.text('There are two birds.')],
])
const parent = await registry.create({ agent: { model, tools: [judge] } })
console.log((await parent.run('Judge my text.')).finalResponse)

// A child in the background: no cancel of the parent reaches it, and the parent is told when it has stopped.
const counter = await children.spawn({
  parent,
  name: 'counter',
  prompt: 'Count the birds.',
  detached: true,
  continuable: true,
  agent: { model: scriptedModel([[script.text('Two birds.')]]) },
})
const { output, notice } = await counter.result
console.log(output, notice)
await parent.whenIdle()
console.log(model.requests.at(-1)?.history)
await registry.close()
