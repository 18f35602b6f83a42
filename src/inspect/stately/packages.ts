/**
 * The optional packages of the Stately inspector, loaded when it is asked for.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'

/** What is needed of them. */
export interface Packages {
  readonly createInspector: typeof import('@statelyai/inspect').createInspector
  readonly WebSocket: typeof import('ws').WebSocket
  readonly WebSocketServer: typeof import('ws').WebSocketServer
}

/** Loads both. @throws TurnwiseError INVALID_OPTION when one is not installed. */
export async function loadPackages(): Promise<Packages> {
  try {
    const [{ createInspector }, { WebSocket, WebSocketServer }] = await Promise.all([
      import('@statelyai/inspect'),
      import('ws'),
    ])
    return { createInspector, WebSocket, WebSocketServer }
  } catch (error) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      'expected the packages @statelyai/inspect and ws beside turnwise, could not load them; nothing was opened. Run: npm install --save-dev @statelyai/inspect ws',
      { cause: error },
    )
  }
}
