import { createAgent } from 'turnwise'
import { serveViewer } from 'turnwise/inspect'
import { script, scriptedModel } from 'turnwise/testing'

const agent = createAgent({ id: 'greeter', model: scriptedModel([[script.text('Hello.')]]) })

// Living agents beside stored logs. A function is asked again at each look.
const viewer = await serveViewer({ agents: () => [agent], control: true })
console.log(viewer.url) // http://127.0.0.1:PORT/#token=…

await agent.run('Say hello.')
const list = await fetch(new URL('/api/agents', viewer.url))
console.log(await list.json())

await viewer.close()
await agent.dispose()
