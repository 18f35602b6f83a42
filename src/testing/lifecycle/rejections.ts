/**
 * Hears the rejections that nobody handles while a path is walked.
 *
 * @module
 */
import process from 'node:process'

/** Rejections that were heard so far, until it is stopped. */
export interface HeardRejections {
  readonly heard: () => readonly unknown[]
  readonly stop: () => void
}

/** Starts to listen. Others that listen go on hearing them too. */
export function heardRejections(): HeardRejections {
  const heard: unknown[] = []
  const listener = (reason: unknown): void => {
    heard.push(reason)
  }
  process.on('unhandledRejection', listener)
  return {
    heard: () => heard,
    stop: () => {
      process.off('unhandledRejection', listener)
    },
  }
}
