import { createRegistry } from 'turnwise'
import { sqliteStore } from 'turnwise/sqlite'
import { script, scriptedModel } from 'turnwise/testing'

const store = sqliteStore('.turnwise/sessions.db')
const registry = createRegistry({ store })
registry.setFactory(() => ({ model: scriptedModel([[script.text('Noted.')]]) }))

const id = 'shopping'
const agent = (await store.has(id)) ? await registry.resume(id) : await registry.create({ id })
console.log((await agent.run('Milk, please.')).finalResponse)

// What is durable can be followed from anywhere: another process opens the same file and does just this.
for await (const event of store.events.subscribe(id, { from: 0 })) {
  console.log(event.seq, event.type)
  if (event.type === 'turn/end') break
}

await agent.dispose({ keepInbox: true })
await store.close()
