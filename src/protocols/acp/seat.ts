/**
 * What one client may ask for, whatever version of the protocol it speaks: the methods over its sessions, and refusals in
 * the words of the protocol.
 *
 * @module
 */
import type { AcpAgentOptions } from './acp-port.ts'
import type { Client, Desk, DeskParts } from './desk.ts'
import { faultOf } from './fault.ts'
import type { SessionParts } from './live-session.ts'
import type { Sdk } from './sdk.ts'
import { listSessions, type ListPage } from './session-list.ts'
import type { SessionTable, Wanted } from './session-table.ts'

/** How an agent introduces itself. */
export type Info = NonNullable<AcpAgentOptions['info']>

interface Named {
  readonly sessionId: string
}

/** What a seat is made of. */
export interface SeatParts {
  readonly sdk: Sdk
  readonly table: SessionTable
  /** Resolves when the client is gone. */
  readonly gone: Promise<void>
  readonly info: Info
  readonly onFault: SessionParts['onFault']
}

/** One client's place. */
export class Seat {
  readonly info: Info
  private readonly parts: SeatParts

  constructor(parts: SeatParts) {
    this.parts = parts
    this.info = parts.info
  }

  /** Can sessions be found again? */
  get keeps(): boolean {
    return this.parts.table.house.store !== undefined
  }

  /** What a session needs of its client. */
  session(client: Client, desk: (parts: DeskParts) => Desk): SessionParts {
    const { gone, onFault, table } = this.parts
    return { client, options: table.house.options, gone, desk, onFault }
  }

  create(wanted: Wanted, session: SessionParts): Promise<{ sessionId: string }> {
    return this.refusing(async () => ({
      sessionId: await this.parts.table.create(wanted, session),
    }))
  }

  load(
    { sessionId, ...wanted }: Wanted & Named,
    session: SessionParts,
    replay: () => boolean,
  ): Promise<object> {
    return this.refusing(async () => {
      await this.parts.table.load(sessionId, wanted, session, replay())
      return {}
    })
  }

  list(asked: {
    readonly cwd?: string | null
    readonly cursor?: string | null
  }): Promise<ListPage> {
    const { store } = this.parts.table.house
    return this.refusing(async () =>
      store === undefined ? { sessions: [] } : listSessions(store, asked.cwd, asked.cursor),
    )
  }

  /** @returns what the desk of the session answers. */
  prompt(
    { sessionId, prompt }: Named & { readonly prompt: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<object> {
    return this.refusing(async () => this.parts.table.get(sessionId).desk.prompt(prompt, signal))
  }

  cancel({ sessionId }: Named): void {
    this.parts.table.find(sessionId)?.cancel()
  }

  close({ sessionId }: Named): Promise<object> {
    return this.refusing(async () => {
      await this.parts.table.close(sessionId)
      return {}
    })
  }

  private async refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { rpc, message, data } = faultOf(error)
      throw new this.parts.sdk.RequestError(rpc, message, data)
    }
  }
}
