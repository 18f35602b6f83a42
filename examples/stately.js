import { once } from 'node:events'
import { createAgent, defineTool } from 'turnwise'
import { inspectWithStately } from 'turnwise/inspect'
import { script, scriptedModel } from 'turnwise/testing'

// Listens on 127.0.0.1, sends no texts, and opens no browser unless `open: true` asks for it.
const stately = await inspectWithStately({ server: true })
console.log(`Look at ${stately.page}, then press Enter.`)
if (process.stdin.isTTY) await once(process.stdin, 'data')

const model = scriptedModel([
  [script.call('c1', 'look', {})],
  [script.text('Nothing there.')],
  [script.text('This will not be '), script.stall()],
])
const look = defineTool({ name: 'look', run: () => 'nothing' })
const agent = createAgent({ model, tools: [look], inspect: stately.inspect })
stately.watch(agent) // the log beside the charts

await agent.run('What is there?')
agent.followup('Say it again.')
setTimeout(() => agent.cancel(), 100)
await agent.whenIdle()

if (process.stdin.isTTY) await once(process.stdin, 'data')
await agent.dispose()
await stately.stop()
process.stdin.pause()
