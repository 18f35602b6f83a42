/**
 * What every log must do, whatever it is kept in: named cases that need no test runner.
 *
 * ```ts
 * for (const { name, skip, run } of logContract({ create: (id) => myLog(id) })) test(name, { skip }, run)
 * ```
 *
 * @module
 */
import { appending } from './log-contract/appending.ts'
import { disk } from './log-contract/disk.ts'
import { keeping } from './log-contract/keeping.ts'
import { leasing } from './log-contract/leasing.ts'
import { storing } from './log-contract/storing.ts'
import { subscribing } from './log-contract/subscribing.ts'
import type { LogCase, LogSubject } from './log-contract/subject.ts'

export type { CutAt, Damage, LogCase, LogSubject, SmallDisk } from './log-contract/subject.ts'

/** The cases for one kind of log. @param makeLog - the log to try, or how to make an empty one. */
export function logContract(makeLog: LogSubject | LogSubject['create']): LogCase[] {
  const subject = typeof makeLog === 'function' ? { create: makeLog } : makeLog
  const chapters = [appending, keeping, disk, storing, leasing, subscribing]
  return chapters.flatMap((chapter) => chapter(subject))
}
