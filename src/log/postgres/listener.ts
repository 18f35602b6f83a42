/**
 * The connection of a PostgreSQL store that listens: it hears which sessions others changed, and by its mere existence
 * tells them that this store is alive.
 *
 * @module
 */
import { randomInt } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import type { Pg } from './driver.ts'
import { ALIVE } from './statements.ts'

/** Payloads have to be shorter than 8000 bytes (sql-notify). */
const MAX_PAYLOAD = 7000
const RECONNECT_MS = 250

export class Listener {
  private readonly pg: Pick<Pg, 'Client'>
  private readonly config: ClientConfig
  private readonly channel: string
  private readonly key = randomInt(1, 2 ** 31 - 1)
  private client: Client | undefined
  private onChange: (session: string | undefined) => void = () => {}
  private changed = new Set<string>()
  private telling = false
  private retry: NodeJS.Timeout | undefined
  private closed = false

  /** @param channel - a name that needs no quotes. */
  constructor(pg: Pick<Pg, 'Client'>, config: ClientConfig, channel: string) {
    this.pg = pg
    this.config = config
    this.channel = channel
  }

  /** What other stores look for to see whether this one is alive; null while it is not connected. */
  get mark(): number | null {
    return this.client === undefined ? null : this.key
  }

  listen(onChange: (session: string | undefined) => void): void {
    this.onChange = onChange
  }

  async connect(): Promise<void> {
    const client = new this.pg.Client(this.config)
    client.on('error', () => {
      this.lose(client)
    })
    client.on('end', () => {
      this.lose(client)
    })
    client.on('notification', ({ payload }) => {
      for (const session of readPayload(payload)) this.onChange(session)
    })
    await client.connect()
    await client.query(`listen ${this.channel}`)
    await client.query('select pg_advisory_lock($1, $2)', [ALIVE, this.key])
    if (this.closed) await client.end()
    else this.client = client
  }

  /** Tells other stores, in one notification for all that changed meanwhile. It may get lost: readers look by themselves. */
  announce(sessions: readonly string[]): void {
    for (const session of sessions) this.changed.add(session)
    if (this.telling) return
    this.telling = true
    setImmediate(() => void this.tell())
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.retry)
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => {})
  }

  private async tell(): Promise<void> {
    while (this.changed.size > 0 && this.client !== undefined) {
      const text = JSON.stringify([...this.changed])
      this.changed = new Set()
      const payload = text.length > MAX_PAYLOAD ? '' : text
      await this.client.query('select pg_notify($1, $2)', [this.channel, payload]).catch(() => {})
    }
    this.telling = false
  }

  private lose(client: Client): void {
    if (this.client !== client) return
    this.client = undefined
    // The socket may be open still, and would hold the lock.
    client.end().catch(() => {})
    this.reconnect()
  }

  private reconnect(): void {
    if (this.closed) return
    this.retry = setTimeout(() => {
      this.connect().then(
        () => {
          this.onChange(undefined)
        },
        () => {
          this.reconnect()
        },
      )
    }, RECONNECT_MS)
    this.retry.unref()
  }
}

function readPayload(payload = ''): readonly (string | undefined)[] {
  try {
    return JSON.parse(payload) as string[]
  } catch {
    return [undefined]
  }
}
