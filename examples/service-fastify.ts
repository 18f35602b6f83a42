/** The same service with Fastify: it is given the web-standard request, and streams the web-standard body. */
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { createRegistry } from 'turnwise'
import { createHttpHandler } from 'turnwise/http'
import { scriptedModel } from 'turnwise/testing'

const registry = createRegistry({
  factory: () => ({ model: scriptedModel(['text "Hello from Fastify."']) }),
})
const handle = createHttpHandler({
  registry,
  authenticate: ({ request }) => {
    return request.headers.get('authorization') === 'Bearer secret' ? { actor: 'ada' } : null
  },
})

const app = Fastify()
// The handler reads bodies itself, and bounds them.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
app.all('/sessions/*', async (request, reply) => {
  const url = `${request.protocol}://${request.host}${request.url}`
  const { method, headers, body } = request
  const answer = await handle(
    new Request(url, {
      method,
      headers: headers as Record<string, string>,
      ...(body instanceof Readable && {
        body: Readable.toWeb(body) as ReadableStream,
        duplex: 'half',
      }),
    }),
  )
  reply.status(answer.status).headers(Object.fromEntries(answer.headers))
  return reply.send(answer.body === null ? '' : Readable.fromWeb(answer.body as never))
})

console.log(await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' }))

process.once('SIGTERM', () => {
  void app.close().then(() => registry.close())
})
