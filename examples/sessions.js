import { compactionPolicy, createRegistry, fileStore } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const registry = createRegistry({
  store: fileStore('.turnwise'),
  // Says what every agent is made with; a real one names a model and tools.
  factory: ({ id }) => {
    const compaction = compactionPolicy({
      agent: () => registry.get(id),
      summarize: (entries) => `${entries.length} earlier messages`,
      keep: 2,
    })
    const model = scriptedModel([[script.text('Noted.')], [script.text('Eggs, too.')]])
    return { model, gates: compaction.gates }
  },
})
registry.listen(({ type, id }) => console.log(type, id))

const agent = await registry.create({ id: 'shopping' })
await agent.run('Milk, please.')
agent.send('And eggs.', { wake: false })
await registry.fork('shopping', { id: 'what-if' })
await agent.dispose({ keepInbox: true })

// Another process would do the same: what waited still waits, and the next prompt takes it along.
const again = await registry.resume('shopping')
console.log(again.inbox.nextTurn.length)
console.log((await again.run('Is that all?')).finalResponse)
await registry.close()
