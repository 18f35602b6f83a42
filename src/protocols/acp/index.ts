/**
 * ACP: sessions driven by an editor, over the Agent Client Protocol. Needs the package `@agentclientprotocol/sdk`.
 *
 * @module
 */
export { createAcpAgent, serveAcp } from './acp-agent.ts'
export type * from './acp-port.ts'
