import { createAgent, defineTool, openOrCreateFileLog } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  run: ({ city }) => ({ city, weather: 'sunny', degrees: 21 }),
})
// A model that follows a script needs no key. Put your own in its place.
const model = scriptedModel([
  [script.call('c1', 'weather', { city: 'Ghent' })],
  [script.text('It is sunny in Ghent.')],
])

const log = await openOrCreateFileLog('.turnwise/quickstart.jsonl') // one line of JSON an event
const agent = createAgent({ log, model, tools: [weather] })
agent.subscribe({ from: log.length }, ({ seq, type }) => console.log(seq, type))

const { finalResponse, turns } = await agent.run('How is the weather in Ghent?')
console.log(finalResponse, turns)

await agent.dispose()
await log.close()
