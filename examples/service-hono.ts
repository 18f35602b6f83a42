/** A service with Hono: agents over HTTP, each caller known by a token. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRegistry, fileStore } from 'turnwise'
import { createHttpHandler } from 'turnwise/http'
import { scriptedModel } from 'turnwise/testing'

const TOKENS = new Map([[process.env['SERVICE_TOKEN'] ?? 'secret', 'ada']])

const registry = createRegistry({
  store: fileStore('.turnwise'),
  // A real one names a model and tools.
  factory: () => ({ model: scriptedModel(['text "Hello from the service."']) }),
})
const handle = createHttpHandler({
  registry,
  basePath: '/agents',
  authenticate: ({ request }) => {
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    const actor = TOKENS.get(token)
    return actor === undefined ? null : { actor }
  },
})

const app = new Hono()
app.all('/agents/*', ({ req }) => handle(req.raw))
const server = serve(
  { fetch: app.fetch, port: Number(process.env['PORT'] ?? 0), hostname: '127.0.0.1' },
  ({ port }) => console.log(`http://127.0.0.1:${port}/agents`),
)

process.once('SIGTERM', () => {
  server.close()
  // Suspends: what waits still waits when the service comes back.
  void registry.close()
})
