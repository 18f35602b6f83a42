/** An approval that outlives its process: one process asks and is gone, a second one answers, a third one goes on. */
import { approveInSession, createRegistry, defineTool, serveInbox } from 'turnwise'
import { approvals, fold } from 'turnwise/projections'
import { sqliteStore } from 'turnwise/sqlite'
import { script, scriptedModel } from 'turnwise/testing'

const id = 'release'
const store = sqliteStore('.turnwise/approvals.db')

const deploy = defineTool({
  name: 'deploy',
  approval: { prompt: 'Deploy to production?', expiresMs: 24 * 60 * 60 * 1000 },
  run: () => 'deployed',
})
const registry = createRegistry({
  store,
  keepApprovals: true, // a turn that waits for an approval is left open, and taken over by whoever resumes it
  factory: ({ how }) => ({
    tools: [deploy],
    model: scriptedModel(
      how === 'startup'
        ? [[script.call('c1', 'deploy', { version: '2.0' })]]
        : [[script.text('Version 2.0 is out.')]],
    ),
  }),
})

const roles = {
  async ask() {
    const agent = await registry.create({ id })
    const asked = new Promise<void>((resolve) => {
      agent.subscribe({}, ({ type }) => type === 'approval/asked' && resolve())
    })
    agent.followup('Release 2.0.')
    await asked
    console.log('waits:', agent.approvals.open[0]?.question.prompt)
  },
  async answer() {
    const { events } = await store.read(id)
    for (const { call } of fold(approvals, events).open)
      await approveInSession(store.events, id, { call: call.key, answer: 'allow', by: 'ann' })
  },
  async resume() {
    const agent = await registry.resume(id)
    const end = new AbortController()
    const serving = serveInbox(store.events, agent, end.signal)
    await agent.whenIdle()
    end.abort()
    await serving
    for (const { type, data } of agent.log.read())
      if (type === 'approval/decided' || type === 'tool/result')
        console.log(type, data.call.providerId)
  },
}

await roles[process.argv[2] as keyof typeof roles]()
await registry.close() // suspends: what waits goes on waiting in the store
await store.close()
