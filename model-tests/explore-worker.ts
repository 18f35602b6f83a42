/**
 * Explores one room after another on a thread of its own, and says what it found.
 *
 * @module
 */
import { parentPort } from 'node:worker_threads'
import type { Counterexample, Exploration } from '../src/testing/explore/options.ts'
import { explore } from '../src/testing/explore/explore.ts'
import { type RoomName, ROOMS } from './explore-rooms.ts'

/** What a worker is asked for. */
export interface Errand {
  readonly room: RoomName
  readonly maxStates: number
  readonly seconds: number
}

/** What it found. */
export interface Report {
  readonly room: RoomName
  readonly states: number
  readonly moves: number
  readonly depth: number
  readonly seconds: number
  readonly ended: Exploration['ended']
  readonly counterexamples: readonly Counterexample[]
}

const port = parentPort
port?.on('message', ({ room, ...limits }: Errand) => {
  explore({
    ...ROOMS[room],
    ...limits,
    source: { name: room, from: './explore-rooms.ts' },
    onProgress: (progress) => {
      port.postMessage({ progress })
    },
  }).then(
    ({ states, moves, depth, seconds, ended, counterexamples }) => {
      const report: Report = { room, states, moves, depth, seconds, ended, counterexamples }
      port.postMessage({ report })
    },
    (error: unknown) => {
      port.postMessage({ failed: String(error) })
    },
  )
})
