/**
 * Real receivers of @statelyai/inspect, and a run that comes through tools, a cancel and a second turn.
 *
 * @module
 */
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect'
import { afterEach } from 'vitest'
import {
  inspectWithStately,
  type StatelyInspection,
} from '../../../src/inspect/stately/inspect-with-stately.ts'
import { script } from '../../../src/testing/script.ts'
import { heldTool, rig, type Rig, type RigOptions } from '../../actors/rig.ts'

type Actor = Extract<StatelyInspectionEvent, { type: '@xstate.actor' }>
type Snapshot = Extract<StatelyInspectionEvent, { type: '@xstate.snapshot' }>

/** What a test leaves to be undone. */
export const undos: (() => unknown)[] = []

/** Undoes after each test, the latest first. */
export function useInspection(): void {
  afterEach(async () => {
    for (const undo of undos.splice(0).toReversed()) await undo()
  })
}

/** An inspection that ends with its test. */
export async function inspecting(
  options: Parameters<typeof inspectWithStately>[0],
): Promise<StatelyInspection> {
  const stately = await inspectWithStately(options)
  undos.push(() => stately.stop())
  return stately
}

/** A receiver of the package, which keeps what it gets. */
export class Viewer {
  readonly got: StatelyInspectionEvent[] = []
  #told: (() => void)[] = []

  constructor(server: string) {
    createWebSocketReceiver({ server }).subscribe((event) => {
      this.got.push(event)
      for (const tell of this.#told.splice(0)) tell()
    })
  }

  /** Waits until something that was got is like this. */
  async until(wanted: (event: StatelyInspectionEvent) => boolean): Promise<void> {
    while (!this.got.some(wanted)) {
      await new Promise<void>((resolve) => {
        this.#told.push(resolve)
      })
    }
  }

  actors(): Actor[] {
    return this.got.filter((event) => event.type === '@xstate.actor')
  }

  /** `name state` of each snapshot. */
  states(): string[] {
    const names = new Map(this.actors().map(({ sessionId, name }) => [sessionId, name]))
    return this.got
      .filter((event): event is Snapshot => event.type === '@xstate.snapshot')
      .map(
        ({ sessionId, snapshot }) =>
          `${names.get(sessionId)} ${JSON.stringify((snapshot as { value?: unknown }).value)}`,
      )
  }
}

/** A viewer that is connected: it has seen an agent that does nothing. */
export async function watching(stately: StatelyInspection): Promise<Viewer> {
  const { agent } = rig({ id: 'first', inspect: stately.inspect })
  undos.push(() => agent.dispose())
  const viewer = new Viewer(stately.url)
  await viewer.until(isState('idle'))
  viewer.got.length = 0
  return viewer
}

/** A snapshot in this state. */
export const isState =
  (value: unknown) =>
  (event: StatelyInspectionEvent): boolean =>
    event.type === '@xstate.snapshot' &&
    JSON.stringify((event.snapshot as { value?: unknown }).value) === JSON.stringify(value)
/** The last snapshot of an agent. */
export const disposed = isState('disposed')

/** Something that must not be seen. */
export const SECRET = 'the secret of the house'

/** A run with tools, a cancel in a tool, and a second turn; everything that is said is `said`. */
export async function drive(
  inspect: RigOptions['inspect'],
  said = SECRET,
  id = 'a1',
): Promise<Rig> {
  const held = heldTool('held')
  const made = rig({
    id,
    model: [
      [
        script.text(said),
        script.call('c1', 'plain', { said }),
        script.call('c2', 'held', { said }),
      ],
      [script.text(said)],
    ],
    tools: [{ name: 'plain', run: () => said }, held.tool],
    ...(inspect !== undefined && { inspect }),
  })
  const { agent } = made
  agent.subscribe({}, ({ type, data }) => {
    if (type === 'tool/call' && data.name === 'held') agent.cancel({ kind: 'user', why: said })
  })
  agent.followup(said)
  await agent.whenIdle()
  agent.followup(said)
  await agent.whenIdle()
  return made
}
