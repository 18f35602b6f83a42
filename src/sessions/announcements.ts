/**
 * Who hears what a registry announces.
 *
 * N1 Every listener hears an announcement before anything that one of them asks for because of it happens to the agent.
 * N2 A listener that throws harms nobody, but at `agent/created`: its throw is handed to whoever announces, after all
 *    have heard, so that everybody who heard of the creation hears of its end.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import type { RegistryListener, RegistryNotice } from './registry-port.ts'

interface Listening {
  readonly listener: RegistryListener
  readonly of: Agent | undefined
}

/** The listeners of a registry. */
export class Announcements {
  /** Resolves when the announcement that is being made has been heard by all; undefined if there is none. */
  over: Promise<void> | undefined
  private listening: readonly Listening[] = []
  private readonly onFault: (error: unknown) => void

  constructor(onFault: (error: unknown) => void) {
    this.onFault = onFault
  }

  add(listener: RegistryListener, of: Agent | undefined): () => void {
    const own: Listening = { listener, of }
    this.listening = [...this.listening, own]
    return () => {
      this.listening = this.listening.filter((other) => other !== own)
    }
  }

  /** Listeners of one agent go with it. */
  drop(agent: Agent): void {
    this.listening = this.listening.filter(({ of }) => of !== agent)
  }

  /** Makes several announcements as one: tear-downs wait for the last. */
  during(announce: () => void): void {
    if (this.over !== undefined) {
      announce()
      return
    }
    const ends: (() => void)[] = []
    const over = new Promise<void>((resolve) => {
      ends.push(resolve)
    })
    this.over = over
    try {
      announce()
    } finally {
      this.over = undefined
      for (const end of ends) end()
    }
  }

  /** Announces; whatever a listener throws is contained. */
  tell(notice: RegistryNotice): void {
    for (const thrown of this.ask(notice)) this.onFault(thrown)
  }

  /** @returns what listeners threw, in their order; rejections are contained. */
  ask(notice: RegistryNotice): readonly unknown[] {
    const thrown: unknown[] = []
    for (const answer of this.call(notice, thrown)) answer.catch(this.onFault)
    return thrown
  }

  /** @returns a promise of all answers; throws and rejections are contained. */
  async consult(notice: RegistryNotice): Promise<void> {
    const thrown: unknown[] = []
    const answers = this.call(notice, thrown)
    for (const error of thrown) this.onFault(error)
    await Promise.all(answers.map((answer) => answer.catch(this.onFault)))
  }

  private call(notice: RegistryNotice, thrown: unknown[]): Promise<unknown>[] {
    const answers: Promise<unknown>[] = []
    this.during(() => {
      for (const { listener, of } of this.listening) {
        if (of !== undefined && !('agent' in notice && notice.agent === of)) continue
        try {
          answers.push(Promise.resolve(listener(notice)))
        } catch (error) {
          thrown.push(error)
        }
      }
    })
    return answers
  }
}
