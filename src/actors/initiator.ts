/**
 * Who is driving: the agent whose gate, adapter, tool or maintenance task is running, known by async context.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The agent on whose behalf code runs, and for what. */
export interface Initiator {
  readonly agent: string
  readonly what: 'gate' | 'model' | 'tool' | 'maintenance'
  /** Is that call still awaited? */
  open: boolean
}

const storage = new AsyncLocalStorage<Initiator | undefined>()

/** The agent in whose gate, model, tool or maintenance task this is called; undefined outside. */
export const currentInitiator = (): Readonly<Initiator> | undefined => storage.getStore()

/** Runs `call` on behalf of `initiator`; the former one is restored afterwards. */
export const runAs = <T>(initiator: Initiator, call: () => T): T => storage.run(initiator, call)

/** Runs `call` on nobody's behalf, so that it may wait for anybody. */
export const runOutside = <T>(call: () => T): T => storage.run(undefined, call)
