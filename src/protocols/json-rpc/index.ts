/**
 * JSON-RPC: sessions driven by another process, over streams, a Unix socket or loopback.
 *
 * @module
 */
export type { ChildRuns } from './feed.ts'
export type { Listening, Place } from './listen.ts'
export { readQueue } from './queue.ts'
export { JsonRpcFailure } from './rpc-error.ts'
export { createJsonRpcServer, type JsonRpcServer, serveJsonRpc } from './server.ts'
export type { Asked, Input, JsonRpcServerOptions, Limits, Output } from './server-port.ts'
export type * from './notifications.ts'
export type * from './wire.ts'
export { PROTOCOL_VERSIONS } from './wire.ts'
