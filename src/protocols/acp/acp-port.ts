/**
 * What an ACP agent is made with, and what it is once it is made.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { ToolPreDecision } from '../../actors/gates.port.ts'
import type { Json } from '../../events/json.ts'
import type { ContentBlock, FileBlock } from '../../events/message.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import type { SessionStore } from '../../sessions/session-store.ts'

/** For what session an agent is made. */
export interface AcpSession {
  /** The working folder that the client named; absolute. */
  readonly cwd: string
  /** What the client offers, as it came: nothing here starts one. */
  readonly mcpServers: readonly unknown[]
  readonly how: 'startup' | 'resume'
  /** The agent, once it was made: for tools and gates that command it. */
  readonly agent: () => Agent
}

/** Bytes of an attachment. */
export interface AttachmentData {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Where images and files are kept, so that the log holds references instead of their bytes. */
export interface Attachments {
  /** Keeps what a client sent. @returns the block that stands in the message. */
  put(block: FileBlock, signal: AbortSignal): FileBlock | Promise<FileBlock>
  /** Finds the bytes of a block that has a `url`. A throw is a failure of the output: the prompt is rejected. */
  get(block: FileBlock): AttachmentData | Promise<AttachmentData>
}

/** A message of the client before it is sent. */
export interface Admission {
  readonly sessionId: string
  readonly content: readonly ContentBlock[]
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal
}

/** Asked before a prompt is sent, one after another; may change its content. A throw refuses the prompt. */
export type AdmissionHook = (
  admission: Admission,
) => void | readonly ContentBlock[] | Promise<void | readonly ContentBlock[]>

/** What is shown of a session beside its committed text and images. Default: nothing. */
export interface Shown {
  /** Tool calls and their outcomes. */
  readonly tools?: boolean
  /** Tokens of the last request, where the size of the context window is known. */
  readonly usage?: boolean
}

export interface AcpAgentOptions {
  /** Says what the agent of a session is made with. What it throws is told to the client. */
  readonly prepare: (session: AcpSession) => AgentOptions | Promise<AgentOptions>
  /** Where the sessions live; the ACP agent ends it. Default: a new one on `store`. */
  readonly registry?: Registry
  /** Where sessions are kept and loaded from. Default: in memory, unless a registry is given. */
  readonly store?: SessionStore
  /** Default: this library and its version. */
  readonly info?: { readonly name: string; readonly title?: string; readonly version: string }
  /** Clients may also speak the draft of version 2. Default false. */
  readonly v2?: boolean
  readonly attachments?: Attachments
  readonly admit?: readonly AdmissionHook[]
  readonly show?: Shown
  /** Changes the texts of prompts before anything else sees them, such as to hide secrets. */
  readonly hide?: (text: string) => string
  /** Longest line in bytes; a longer one is passed over. Default 32 MiB. */
  readonly maxLineBytes?: number
  /** Told of what was passed over or contained. */
  readonly onDiagnostic?: (message: string, error?: unknown) => void
}

/** Where lines come from, such as a Node stream. */
export type AcpInput = AsyncIterable<Uint8Array | string> & {
  /** Ends it. */
  destroy?(): unknown
}

/** Where lines go, such as a Node stream. */
export interface AcpOutput {
  /** @param done - called when the text was handed on, or with what went wrong. */
  write(text: string, done: (error?: Error | null) => void): unknown
  on?(event: 'error', listener: (error: Error) => void): unknown
}

/** One client. */
export interface AcpConnection {
  /** Resolves when the client is gone and its sessions have ended; rejects with an AggregateError of what failed then. */
  readonly closed: Promise<void>
  /** Ends it as if the client had gone. The same promise as `closed`. */
  close(): Promise<void>
}

/** What a client is asked about. */
export interface PermissionRequest {
  /** Key of the call. Without it the client cannot be asked. */
  readonly call?: string | undefined
  readonly tool: string
  readonly arguments: Json
  readonly prompt?: string | undefined
  /** Takes the question back. */
  readonly signal?: AbortSignal
}

/** An agent that clients drive by the Agent Client Protocol. */
export interface AcpAgent {
  readonly registry: Registry
  /** Serves one client. */
  connect(streams: { readonly input: AcpInput; readonly output: AcpOutput }): AcpConnection
  /**
   * Asks the client of a session whether a call may run, for gates of your own. Anything but a plain "allow once" denies it.
   * A request without a call, or about a session that no client has open, is left to `next`.
   */
  ask(
    sessionId: string,
    request: PermissionRequest,
    next: () => Promise<ToolPreDecision>,
  ): Promise<ToolPreDecision>
  /** Ends all connections, then the registry. @throws AggregateError of what failed. */
  close(): Promise<void>
}
