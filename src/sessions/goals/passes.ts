/**
 * How a round comes to be sent: at quiescence, behind a checkpoint, after a second look.
 *
 * P1 One pass at a time; what asks for one meanwhile gets another one behind it.
 * P2 While a pass is under way the agent is about to go on, so `whenIdle` waits.
 * P3 A log that has grown during the checkpoint, or work that has started, is a reason to look again from the start.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { ServiceDoor } from '../../actors/service-door.ts'
import { checkpoint } from './checkpoint.ts'

/** What a pass asks of whoever sends rounds. */
export interface PassOwner {
  /** Is another round to be sent? */
  readonly ready: boolean
  send(): void
  /** A pass has failed: nothing is tried again by itself. */
  failed(why: 'checkpoint' | 'error', error: unknown): void
}

const macrotask = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The passes of one agent. */
export class Passes {
  private readonly agent: Agent
  private readonly door: ServiceDoor
  private readonly owner: PassOwner
  private passing = false
  /** Somebody asked while a pass was under way. */
  private again = false

  constructor(agent: Agent, door: ServiceDoor, owner: PassOwner) {
    this.agent = agent
    this.door = door
    this.owner = owner
  }

  /** Sends a round at the next quiescence, if there is one to be sent. */
  go(): void {
    this.again = this.passing
    if (this.passing || !this.owner.ready) return
    this.passing = true
    void this.pass()
  }

  private async pass(): Promise<void> {
    const release = this.door.hold()
    try {
      while (this.owner.ready && !(await this.attempt())) await macrotask()
    } catch (error) {
      this.owner.failed('error', error)
    } finally {
      this.passing = false
      if (this.again) this.go()
      release()
    }
  }

  /** @returns is this pass over? */
  private async attempt(): Promise<boolean> {
    const { agent, door, owner } = this
    await door.whenCalm()
    if (!owner.ready) return true
    const { length } = agent.log
    const failure = await checkpoint(agent.log, door)
    if (!owner.ready) return true
    if (failure !== undefined) {
      owner.failed('checkpoint', failure)
      return true
    }
    if (!door.calm || agent.log.length !== length) return false
    owner.send()
    return true
  }
}
