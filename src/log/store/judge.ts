/**
 * May this append be recorded where the session stands? The one rule that keeps two writers apart, for every back end.
 *
 * @module
 */
import type { QueuedAppend } from './append-queue.ts'
import type { AppendOutcome, Head } from './event-store.ts'

/** What the rule looks at. */
export type Standing = Pick<Head, 'version' | 'epoch' | 'lastAppend'>

/**
 * @returns the answer that needs no writing; undefined when the append is to be recorded.
 */
export function judge(
  append: Pick<QueuedAppend, 'id' | 'version' | 'epoch'> & { readonly count: number },
  standing: Standing | undefined,
): AppendOutcome | undefined {
  if (standing === undefined) return { ok: false, code: 'SESSION_NOT_FOUND', version: 0, epoch: 0 }
  const { version, epoch, lastAppend } = standing
  if (lastAppend === append.id && version === append.version + append.count)
    return { ok: true, version, repeated: true }
  if (epoch !== append.epoch) return { ok: false, code: 'LEASE_LOST', version, epoch }
  if (version !== append.version) return { ok: false, code: 'LOG_CONFLICT', version, epoch }
  return undefined
}
