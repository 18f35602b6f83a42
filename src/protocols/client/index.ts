/**
 * The client of the JSON-RPC server, for programs that drive agents in another process.
 *
 * @module
 */
export { type ClientOptions, TurnwiseClient } from './client.ts'
export {
  RefusedError,
  RequestTimeoutError,
  SdkProtocolError,
  TransportClosedError,
} from './client-errors.ts'
export type { ClientRunOptions } from './runs.ts'
export type { Graces, ServerCommand } from './server-process.ts'
export type { ServerAddress } from './server-socket.ts'
export type { Subscription } from './subscription.ts'
export { readQueue } from '../json-rpc/queue.ts'
export type * from '../json-rpc/notifications.ts'
export type * from '../json-rpc/wire.ts'
