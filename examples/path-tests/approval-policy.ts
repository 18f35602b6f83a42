/** An approval policy of your own at every moment of a run: cancelled, steered, disposed of. */
import { createAgent, defineTool, type Gates } from 'turnwise'
import { describePaths, extendModel, lifecycle, lifecycleModel, script } from 'turnwise/testing'
import { describe, test } from 'vitest'

// The policy: files inside may be removed once somebody allows it, files outside never.
const toolPre: Gates['toolPre'] = ({ tool, arguments: args }, next) => {
  if (tool !== 'remove') return next()
  const outside = JSON.stringify(args).includes('..')
  return outside ? { kind: 'deny', reason: 'outside' } : { kind: 'ask' }
}
let removed = 0
const remove = defineTool({ name: 'remove', run: () => void (removed += 1) })

const { owing } = lifecycle.follows

const model = extendModel(lifecycleModel, {
  agent({ options: { tools, gates, ...options } }) {
    removed = 0
    return createAgent({ ...options, tools: [...tools, remove], gates: { ...gates, toolPre } })
  },
  moves: {
    'model removes a file': (stage) => stage.says(script.call('c1', 'remove', { path: 'a' })),
    'model reaches outside': (stage) => stage.says(script.call('c1', 'remove', { path: '../a' })),
  },
  on: {
    streaming: { 'model removes a file': 'asking', 'model reaches outside': owing },
    asking: { 'person allows': owing }, // this tool answers at once
  },
  without: ['model calls, policy waits'], // this policy does not wait
  check({ log }) {
    const allowed = log.filter((e) => e.type === 'approval/decided' && e.data.answer === 'allow')
    return removed > allowed.length ? 'a file was removed, and nobody had allowed it' : []
  },
})
describePaths(model, { describe, test, only: ['asking', 'model reaches outside'] })
