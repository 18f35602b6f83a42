/** Owned runs: the events of an interval while they come, a limit to the wait, and an answer that is data. */
import { createAgent } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'
import { z } from 'zod'

const model = scriptedModel([
  [script.text('Ghent, I think.')],
  [script.text('It is sunny in Ghent.')],
  [script.text('{"city":"Ghent","degrees":21}')],
])
const agent = createAgent({ model })

const run = agent.run('Where are we?', { timeoutMs: 60_000 })
for await (const { seq, type } of run.events()) console.log(seq, type)
console.log((await run).finalResponse)

const Weather = z.object({ city: z.string(), degrees: z.number() })
const { output, outputFault, turns } = await agent.run('How is the weather?', { output: Weather })
if (outputFault === undefined) console.log(output.city, output.degrees, turns.length)
else console.log(outputFault.code, outputFault.issues)
await agent.dispose()
