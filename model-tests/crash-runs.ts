/**
 * The runs that are crashed: logs of the explorer and of the lifecycle model, and what is wrong behind each of their events.
 *
 * @module
 */
import type { StoredEvent } from '../src/events/event.ts'
import { explore } from '../src/testing/explore/explore.ts'
import { replay } from '../src/testing/explore/replay.ts'
import { lifecycleModel } from '../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf } from '../src/testing/lifecycle/paths.ts'
import { runPath } from '../src/testing/lifecycle/run-path.ts'
import { covering, goOnAfter } from './crash-cuts.ts'
import { type RoomName, ROOMS } from './explore-rooms.ts'

/** States of each room whose logs are looked at, and paths of the model. */
const STATES = 120
const PATHS = 150

/** Logs of a room that differ in what happens in them. */
export async function logsOf(room: RoomName): Promise<readonly StoredEvent[][]> {
  const { paths } = await explore({ ...ROOMS[room], maxStates: STATES })
  const logs: (readonly StoredEvent[])[] = []
  // The last are the longest, and hold most.
  for (const path of [...paths()].toReversed()) logs.push((await replay(ROOMS[room], path)).log)
  return covering(logs)
}

/** The same of the lifecycle model. */
export async function logsOfModel(): Promise<readonly StoredEvent[][]> {
  const paths = pathsOf(lifecycleModel)
  const every = Math.floor(paths.length / PATHS)
  const logs: (readonly StoredEvent[])[] = []
  for (let i = paths.length - 1; i >= 0; i -= every)
    logs.push((await runPath(lifecycleModel, paths[i]?.moves ?? [])).log)
  return covering(logs)
}

/** What is wrong behind every cut, with the event at which it was. */
export async function wrongAtCuts(logs: readonly StoredEvent[][]): Promise<string[]> {
  const wrong: string[] = []
  for (const log of logs)
    for (let length = 0; length <= log.length; length += 1)
      for (const words of await goOnAfter(log.slice(0, length)))
        wrong.push(`behind ${length} events, at ${log[length - 1]?.type}: ${words}`)
  return wrong
}
