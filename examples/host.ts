/** The sessions of a service: in memory only while there is something to do. */
import { createServer } from 'node:http'
import { createAgentHost, memoryStore, metricsText } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const host = createAgentHost({
  store: memoryStore(), // a service takes fileStore, sqliteStore or postgresStore
  // A real one names a model and tools.
  factory: ({ id }) => ({ model: scriptedModel([[script.text(`Hello, ${id}.`)]]) }),
  tenantOf: (session) => session.split('-')[0] ?? '',
  tenantLimits: { maxRunning: 20, maxPending: 200 },
  maxRunning: 100,
  maxResident: 2000,
})

const server = createServer((_request, response) => {
  void host.readiness().then(({ ready, reasons }) => {
    response.writeHead(ready ? 200 : 503, { 'content-type': 'text/plain; version=0.0.4' })
    response.end(ready ? metricsText(host.metrics()) : reasons.join(' '))
  })
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
// At SIGTERM: refuse, drain, suspend, write, exit.
host.onSignals(process, { onSignal: () => server.close() })

await host.send('ada-1', 'Good morning.') // created, and the receipt is durable
const { finalResponse } = await host.with('bob-1', (agent) => agent.run('Good morning.'))
console.log(finalResponse)

// A program that ends by itself closes by hand.
const { exitCode } = await host.close()
server.close()
console.log(`closed with ${exitCode}`)
