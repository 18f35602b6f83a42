/**
 * This library: an agent on a log in memory, or on a file.
 *
 * @module
 */
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent } from '../../src/actors/agent-handle.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { EventLog } from '../../src/log/event-log.ts'
import { openDiskFile } from '../../src/log/disk-file.ts'
import { createFileLog } from '../../src/log/file-log.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { macrotask } from '../measure.ts'
import type { Session, Subject } from '../subject.ts'
import type { Workload } from '../workloads.ts'

/** An agent whose log is in memory. */
export const inMemory: Subject = {
  name: 'turnwise, memory',
  open: (workload) => new AgentSession(workload, createMemoryLog(), 'none', () => 0),
}

/** An agent whose log is a file. */
export const onFile = (durability: 'none' | 'strict'): Subject => ({
  name: `turnwise, file, ${durability}`,
  open: async (workload, file) => {
    let syncs = 0
    const openFile = (path: string): ReturnType<typeof openDiskFile> => {
      const disk = openDiskFile(path)
      const sync = (): Promise<void> => {
        syncs++
        return disk.sync()
      }
      return { ...disk, sync }
    }
    const log = await createFileLog(file, { durability, openFile })
    return new AgentSession(workload, log, durability, () => syncs)
  },
})

class AgentSession implements Session {
  readonly syncs: () => number
  readonly #agent: Agent
  readonly #yields: boolean

  constructor(
    workload: Workload,
    log: EventLog,
    durability: 'none' | 'strict',
    syncs: () => number,
  ) {
    const { tools } = workload
    this.#agent = createAgent({ log, model: workload.model(), tools, durability })
    this.#yields = durability === 'none' && 'file' in log
    this.syncs = syncs
  }

  async turn(): Promise<void> {
    this.#agent.followup('go on')
    await this.#agent.whenIdle()
    // The file follows by itself between two macrotasks; without one all turns would be written at once.
    if (this.#yields) await macrotask()
  }

  events(): readonly StoredEvent[] {
    return this.#agent.log.read()
  }

  async close(): Promise<void> {
    await this.#agent.dispose()
    await this.#agent.log.close()
  }
}
