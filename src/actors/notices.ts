/**
 * Live notifications: told as they happen, never stored, never awaited.
 *
 * A throwing listener harms nobody: it is reported once for each throw. What listeners send meanwhile goes through the
 * mailbox, so a listener never sees a notice inside another one.
 *
 * @module
 */
import type { LiveNotice } from './agent-handle.ts'

type Listener = (notice: LiveNotice) => unknown

/** The listeners of one agent. */
export class Notices {
  private listeners: readonly Listener[] = []
  private readonly onFault: (error: unknown) => void

  /** @param onFault - told what a listener threw, or what a promise it returned was rejected with. */
  constructor(onFault: (error: unknown) => void) {
    this.onFault = onFault
  }

  add(listener: Listener): () => void {
    const own: Listener = (notice) => listener(notice)
    this.listeners = [...this.listeners, own]
    return () => {
      this.listeners = this.listeners.filter((other) => other !== own)
    }
  }

  tell(notice: LiveNotice): void {
    for (const listener of this.listeners) contained(() => listener(notice), this.onFault)
  }
}

/** Calls foreign code that is not awaited; a throw, and a rejection of what it returns, go to `onFault`. */
export function contained(call: () => unknown, onFault: (error: unknown) => void): void {
  try {
    const returned = call()
    if (isThenable(returned)) returned.then(undefined, onFault)
  } catch (error) {
    onFault(error)
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { then?: unknown }).then === 'function'
