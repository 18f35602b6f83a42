import assert from 'node:assert/strict'
import { createAgent, defineTool } from 'turnwise'
import { printLog, script, scriptedModel, virtualClock } from 'turnwise/testing'

// Real machines, mailbox and log; only the model and the clock are stand-ins.
const clock = virtualClock()
const model = scriptedModel(
  [
    [script.fail('RATE_LIMIT', 'slow down')],
    [script.call('c1', 'add', { a: 2, b: 3 })],
    [script.text('Five.')],
  ],
  { clock },
)
const add = defineTool({ name: 'add', run: ({ a, b }) => `${a + b}` })
const agent = createAgent({ model, tools: [add], clock, retry: { retries: 1, jitter: 0 } })

const running = agent.run('What is 2 + 3?')
await clock.advance(500) // the back-off takes no real time
const { finalResponse, turns } = await running

assert.equal(finalResponse, 'Five.')
assert.deepEqual(turns, [{ turn: 1, reason: { kind: 'completed' } }])
assert.deepEqual(model.requests.at(-1)?.history, [
  'user:What is 2 + 3?',
  'assistant:call c1',
  'tool-result c1 ok',
])
console.log(printLog(agent.log.read()).join('\n'))
await agent.dispose()
