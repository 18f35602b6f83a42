import { createAgent, defineTool } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const model = scriptedModel([
  [script.call('c1', 'look', {})],
  [script.text('I looked, and I take the time into account.')],
  [script.text('This will not be '), script.stall()],
  [script.text('Back again.')],
])
const look = defineTool({
  name: 'look',
  run() {
    agent.steer('It is late already.') // joins the next step of this turn
    agent.followup('And then?') // waits for its own turn
    return 'nothing there'
  },
})
const agent = createAgent({ model, tools: [look] })

agent.subscribe({}, ({ type, data }) => {
  if (type === 'user/message') console.log(`turn ${data.turn}: ${data.message.content[0].text}`)
  if (type === 'turn/end') console.log(`turn ${data.turn}: ${data.reason.kind}`)
  // The second turn is writing: stop it, but keep what was queued.
  if (type === 'assistant/chunk' && data.turn === 2 && data.chunk.kind === 'text-delta') {
    agent.followup('Are you still there?')
    agent.abort('user')
  }
})

agent.followup('What is there?')
await agent.whenIdle()
await agent.dispose()
