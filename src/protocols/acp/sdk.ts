/**
 * The optional package that speaks the protocol, loaded when it is needed.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'

/** Version 1, and what both versions share. */
export type Sdk = typeof import('@agentclientprotocol/sdk')
/** The draft of version 2. */
export type DraftSdk = typeof import('@agentclientprotocol/sdk/experimental/v2')

/** Both versions. */
export interface Sdks {
  readonly v1: Sdk
  readonly v2: DraftSdk
}

/** Loads the package. @throws TurnwiseError INVALID_OPTION when it is not installed. */
export async function loadSdks(): Promise<Sdks> {
  try {
    const [v1, v2] = await Promise.all([
      import('@agentclientprotocol/sdk'),
      import('@agentclientprotocol/sdk/experimental/v2'),
    ])
    return { v1, v2 }
  } catch (error) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      'expected the package @agentclientprotocol/sdk beside turnwise, could not load it; nothing was started. Run: npm install @agentclientprotocol/sdk@2',
      { cause: error },
    )
  }
}
