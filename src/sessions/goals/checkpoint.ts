/**
 * A checkpoint: everything that is known is durable, within the time that a store gets.
 *
 * @module
 */
import type { ServiceDoor } from '../../actors/service-door.ts'
import type { EventLog } from '../../log/event-log.ts'

/** @returns what it failed with; undefined when it has succeeded. */
export async function checkpoint(
  log: EventLog,
  { clock, drainGraceMs }: Pick<ServiceDoor, 'clock' | 'drainGraceMs'>,
): Promise<unknown> {
  try {
    const flush = log.flush()
    if (flush === undefined) return undefined
    if (drainGraceMs === Infinity) await flush
    else await within(flush, drainGraceMs, clock)
    return undefined
  } catch (error) {
    return error ?? new Error('the checkpoint failed without a reason')
  }
}

function within(
  flush: Promise<void>,
  ms: number,
  clock: Pick<ServiceDoor, 'clock'>['clock'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const drop = clock.after(ms, () => {
      reject(new Error(`the log was not durable within ${ms} ms`))
    })
    flush.then(resolve, reject).finally(drop)
  })
}
