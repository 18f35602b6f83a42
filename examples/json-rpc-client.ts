/** A program that drives an agent in another process: it watches, steers, edits the queue and reads what is left. */
import { TurnwiseClient } from 'turnwise/client'

/** What a prompt holds. */
const text = (words: string) => ({ contentBlocks: [{ type: 'text' as const, text: words }] })

/** @param server - how the server is started, such as `['turnwise', 'serve', '--stdio']`. */
export async function drive(server: readonly string[], model: string): Promise<string[]> {
  const [command = 'turnwise', ...args] = server
  const lines: string[] = []
  const client = new TurnwiseClient({ server: { command, args }, provider: 'mock', model })
  try {
    const first = await client.run('demo', 'Hello', {
      observer: ({ method, params }) => {
        if (method === 'session.status') lines.push(`${params.sessionId} is ${params.status}`)
      },
    })
    lines.push(first.finalResponse)

    // A prompt is answered with a receipt; what becomes of it is told by events.
    const { messageId } = await client.call('session/prompt', {
      sessionId: 'demo',
      ...text('Wait'),
    })
    await client.call('session/prompt', { sessionId: 'demo', ...text('And then?') })
    await client.call('session/cancel', { sessionId: 'demo', keepInbox: true })
    await client.call('session/whenIdle', { sessionId: 'demo' })
    const { pending, parked } = await client.call('session/inbox', { sessionId: 'demo' })
    lines.push(`${pending.length} waits, parked by ${parked?.reason}`)

    const about = { sessionId: 'demo', name: 'lineage', messageId }
    const { state } = await client.call('session/projection', about)
    lines.push(`the first one is ${(state as { standing: string }).standing}`)

    const { turns } = await client.run('demo', 'Go on')
    lines.push(`${turns.length} turns followed`)
  } finally {
    await client.close()
  }
  return lines
}
