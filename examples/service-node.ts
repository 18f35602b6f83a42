/** The same service with nothing but node:http. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createRegistry } from 'turnwise'
import { createHttpHandler } from 'turnwise/http'
import { scriptedModel } from 'turnwise/testing'

const registry = createRegistry({
  factory: () => ({ model: scriptedModel(['text "Hello from Node."']) }),
})
const handle = createHttpHandler({
  registry,
  authenticate: ({ request }) => {
    return request.headers.get('authorization') === 'Bearer secret' ? { actor: 'ada' } : null
  },
})

const server = createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  void handle(
    new Request(`http://${headers.host ?? 'localhost'}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
    }),
  ).then(async ({ status, headers: answered, body }) => {
    response.writeHead(status, Object.fromEntries(answered))
    if (body === null) response.end()
    // A reader that goes away ends the stream, and nothing else.
    else await pipeline(Readable.fromWeb(body as never), response).catch(() => {})
  })
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void registry.close()
})
