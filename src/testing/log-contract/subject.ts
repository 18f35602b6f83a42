/**
 * What the contract of logs asks of the log it is tried on. Only `create` has to be there; each further part adds the cases
 * that need it, and a case that cannot be tried says so.
 *
 * @module
 */
import type { EventLog } from '../../log/event-log.ts'
import type { SessionLogOptions } from '../../log/session-log.ts'
import type { EventStore } from '../../log/store/event-store.ts'

/** How one stored event is spoiled: its text is no JSON any more, or it is gone. */
export type Damage = 'text' | 'missing'
/** Where a connection is cut: before the request of an append arrives, or before its answer does. */
export type CutAt = 'request' | 'answer'

/** A disk that can be made to fail. */
export interface SmallDisk {
  /** A new log on it; its failures are not thrown by `append`. */
  create(id: string): Promise<EventLog>
  open(id: string): Promise<EventLog>
  /** Leaves no free byte. */
  fill(): void
  free(): void
  readOnly(on: boolean): void
}

/** A kind of log to try. */
export interface LogSubject {
  /** A new, empty log. */
  create(id: string, options?: SessionLogOptions): Promise<EventLog>
  /** Opens what is stored, as a later process would. Leave it out for a log that keeps nothing. */
  open?(id: string): Promise<EventLog>
  /** Opens it although its owner has it open, which makes that one a zombie. */
  takeOver?(id: string): Promise<EventLog>
  /** Spoils the stored event `seq` of a closed log. */
  damage?(id: string, seq: number, how: Damage): Promise<void>
  /** What a reader must say about the spoiled event `seq`: the position in its error. Default: the seq. */
  positionOf?(seq: number): number
  /** The file of a session, for a log that is one. */
  fileOf?(id: string): string
  /** The store behind the log. */
  readonly store?: () => Promise<EventStore>
  /** Another connection to it, as another process would have. The case closes it. */
  readonly other?: () => Promise<EventStore>
  /** Moves the clock of leases by so many ms. */
  moveClock?(ms: number): void
  /** Cuts the connection of `store` once, at its next append. */
  cut?(at: CutAt): void
  /** Runs `work` on a small disk. @returns why it cannot, if it cannot. */
  onSmallDisk?(work: (disk: SmallDisk) => Promise<void>): Promise<string | undefined>
}

/** One case of the contract. */
export interface LogCase {
  /** The rule. */
  readonly name: string
  /** Why it cannot be tried on this log. */
  readonly skip?: string
  /** Rejects where the rule does not hold. @returns why it could not be tried here, if so. */
  run(): Promise<string | undefined>
}

/** A subject with these parts. */
export type With<K extends keyof LogSubject> = LogSubject & { [P in K]-?: Required<LogSubject>[P] }

/** Makes the cases of one chapter, for subjects that have what it needs. */
export class Chapter {
  readonly cases: LogCase[] = []
  private readonly subject: LogSubject

  constructor(subject: LogSubject) {
    this.subject = subject
  }

  /** A rule for every log. */
  rule(name: string, run: (subject: LogSubject) => Promise<void>): void {
    this.needs([], name, run)
  }

  /** A rule that needs parts of the subject. */
  needs<const K extends keyof LogSubject>(
    parts: readonly K[],
    name: string,
    run: (subject: With<K>) => Promise<string | undefined | void>,
  ): void {
    const lacking = parts.filter((part) => this.subject[part] === undefined)
    const skip = lacking.length === 0 ? {} : { skip: `this log has no ${lacking.join(', ')}` }
    this.cases.push({
      name,
      ...skip,
      run: async () => {
        // A case may wait for nothing but a timer that lets the process end.
        const awake = setInterval(() => {}, 1000)
        try {
          return (await run(this.subject as With<K>)) ?? undefined
        } finally {
          clearInterval(awake)
        }
      },
    })
  }
}
