/**
 * The one writer of a SQLite store: whatever was asked for in one turn of the event loop is one transaction, since it is
 * the disk that a transaction waits for.
 *
 * @module
 */
import type { SqliteDatabase } from './driver.ts'

/** A part of a transaction; it answers in `settle` once that is committed. */
interface Task {
  /** Does the work. @returns the answer, or the fault of this part alone. */
  readonly run: () => void
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

export class SqliteWriter {
  private readonly db: SqliteDatabase
  private tasks: Task[] = []
  private scheduled: NodeJS.Immediate | undefined

  constructor(db: SqliteDatabase) {
    this.db = db
  }

  /** Does `work` in the next transaction. A part that throws is undone alone; one that cannot be committed rejects all. */
  write<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle: (() => void) | undefined
      const run = (): void => {
        this.db.exec('savepoint part')
        try {
          const answer = work()
          settle = () => {
            resolve(answer)
          }
        } catch (error) {
          // Fails, and the transaction with it, where SQLite has rolled back everything, as on a full disk.
          this.db.exec('rollback to part')
          settle = () => {
            reject(error)
          }
        }
        this.db.exec('release part')
      }
      this.tasks.push({
        run,
        settle: () => settle?.(),
        reject,
      })
      this.scheduled ??= setImmediate(() => {
        this.flush()
      })
    })
  }

  /** Commits what is asked for. */
  flush(): void {
    clearImmediate(this.scheduled)
    this.scheduled = undefined
    const tasks = this.tasks
    if (tasks.length === 0) return
    this.tasks = []
    try {
      this.transaction(tasks)
    } catch (error) {
      for (const task of tasks) task.reject(error)
      return
    }
    for (const task of tasks) task.settle()
  }

  /** Takes the write lock at once: a transaction that read first could not wait for another writer. */
  private transaction(tasks: readonly Task[]): void {
    this.db.exec('begin immediate')
    try {
      for (const task of tasks) task.run()
      this.db.exec('commit')
    } catch (error) {
      this.rollBack()
      throw error
    }
  }

  private rollBack(): void {
    try {
      this.db.exec('rollback')
    } catch {
      // SQLite has done so by itself.
    }
  }
}
