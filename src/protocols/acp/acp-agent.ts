/**
 * The ACP agent: one registry, and the clients that drive its sessions.
 *
 * @module
 */
import type { Stream } from '@agentclientprotocol/sdk'
import type { ToolPreDecision } from '../../actors/gates.port.ts'
import { causeChain } from '../../errors.ts'
import { memoryStore } from '../../sessions/memory-store.ts'
import { createRegistry } from '../../sessions/registry.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import { VERSION } from '../version.ts'
import type {
  AcpAgent,
  AcpAgentOptions,
  AcpConnection,
  AcpInput,
  AcpOutput,
  PermissionRequest,
} from './acp-port.ts'
import { MAX_LINE_BYTES, messageStream } from './message-stream.ts'
import { askForGate } from './permission.ts'
import { loadSdks, type Sdks } from './sdk.ts'
import { type Info, Seat } from './seat.ts'
import { type House, SessionTable } from './session-table.ts'
import { v1Agent } from './v1-agent.ts'
import { v2Agent } from './v2-agent.ts'

/**
 * Makes an ACP agent that nobody is connected to yet.
 *
 * @throws TurnwiseError INVALID_OPTION when the package `@agentclientprotocol/sdk` is not installed.
 */
export async function createAcpAgent(options: AcpAgentOptions): Promise<AcpAgent> {
  return new LocalAcpAgent(options, await loadSdks())
}

class LocalAcpAgent implements AcpAgent {
  readonly registry: Registry
  private readonly options: AcpAgentOptions
  private readonly sdks: Sdks
  private readonly house: House
  private readonly info: Info
  private readonly connections = new Map<AcpConnection, SessionTable>()
  private ended: Promise<void> | undefined

  constructor(options: AcpAgentOptions, sdks: Sdks) {
    this.options = options
    this.sdks = sdks
    const store = options.store ?? (options.registry === undefined ? memoryStore() : undefined)
    this.registry =
      options.registry ??
      createRegistry({
        ...(store !== undefined && { store }),
        factory: () => ({}),
        onDiagnostic: ({ message, error }) => this.tell(message, error),
      })
    this.house = { registry: this.registry, store, options }
    this.info = options.info ?? { name: 'turnwise', version: VERSION }
  }

  private tell(message: string, error?: unknown): void {
    try {
      this.options.onDiagnostic?.(message, error)
    } catch {
      // Nobody is left to tell.
    }
  }

  private readonly onFault = (what: string, error?: unknown): void => {
    this.tell(`acp: ${what}${error === undefined ? '' : `: ${causeChain(error)}`}`, error)
  }

  connect({ input, output }: { input: AcpInput; output: AcpOutput }): AcpConnection {
    const table = new SessionTable(this.house)
    const { maxLineBytes = MAX_LINE_BYTES } = this.options
    const lines = messageStream(input, output, maxLineBytes, this.onFault)
    let leave!: () => void
    const gone = new Promise<void>((resolve) => {
      leave = resolve
    })
    const { onFault, info } = this
    const seat = new Seat({ sdk: this.sdks.v1, table, gone, info, onFault })
    void this.serve(seat, lines.stream).then(() => {
      // Nobody reads what a client that left still had to say.
      lines.close()
      leave()
    })
    const closed = gone.then(() => table.end())
    closed.catch(() => {})
    const connection: AcpConnection = {
      closed,
      close: async () => {
        await table.end().catch(() => {})
        // Whoever was cancelled is answered in the microtasks before.
        setImmediate(() => lines.close())
        await closed
      },
    }
    this.connections.set(connection, table)
    const forget = (): void => {
      this.connections.delete(connection)
    }
    closed.then(forget, forget)
    if (this.ended !== undefined) void connection.close().catch(() => {})
    return connection
  }

  /** Resolves when the client is gone. */
  private serve(seat: Seat, stream: Stream): Promise<void> {
    const { v1, v2 } = this.sdks
    const first = v1Agent(v1, seat)
    if (this.options.v2 !== true) return first.connect(stream).closed
    const draft = v2Agent(v2, seat)
    return v2.agentProtocolRouter().withV1(first).withV2(draft).connect(stream).closed
  }

  ask(
    sessionId: string,
    request: PermissionRequest,
    next: () => Promise<ToolPreDecision>,
  ): Promise<ToolPreDecision> {
    const tables = [...this.connections.values()]
    const session = tables.map((table) => table.find(sessionId)).find((one) => one !== undefined)
    return askForGate(session?.ask, request, next)
  }

  close(): Promise<void> {
    this.ended ??= this.endAll()
    return this.ended
  }

  private async endAll(): Promise<void> {
    const closed = [...this.connections.keys()].map((connection) => connection.close())
    const settled = [
      ...(await Promise.allSettled(closed)),
      ...(await Promise.allSettled([this.registry.close()])),
    ]
    const failures = settled.flatMap((one) =>
      one.status === 'rejected' ? reasonsOf(one.reason) : [],
    )
    const different = [...new Set(failures)]
    if (different.length > 0)
      throw new AggregateError(different, 'the sessions could not be ended in good order.')
  }
}

const reasonsOf = (thrown: unknown): readonly unknown[] =>
  thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown]

/**
 * Serves one client, such as the process at the other end of standard input and output, until it goes away.
 *
 * @param signal - ends it as if the client had gone.
 * @throws TurnwiseError INVALID_OPTION when the package is not installed; AggregateError of what could not be written.
 */
export async function serveAcp({
  input,
  output,
  signal,
  ...options
}: AcpAgentOptions & {
  readonly input: AcpInput
  readonly output: AcpOutput
  readonly signal?: AbortSignal
}): Promise<void> {
  const agent = await createAcpAgent(options)
  const connection = agent.connect({ input, output })
  const end = (): void => {
    connection.close().catch(() => {})
  }
  if (signal?.aborted === true) end()
  signal?.addEventListener('abort', end)
  try {
    await connection.closed
  } finally {
    await agent.close()
    signal?.removeEventListener('abort', end)
  }
}
