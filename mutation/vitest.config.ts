/**
 * How a mutant is tried: the tests of its room, which end at the first failure. What hangs is soon given up, since a mutant
 * that hangs is a mutant that was noticed.
 *
 * @module
 */
import { defineConfig } from 'vitest/config'
import { alias } from '../vitest.config.ts'
import { ROOMS } from './rooms.ts'

const room = ROOMS[process.env['TURNWISE_ROOM'] ?? '']

export default defineConfig({
  resolve: { alias },
  test: {
    include: [...(room?.tests ?? [])],
    bail: 1,
    testTimeout: 20_000,
    // Files share one world: loading it anew for each of them would take most of the time.
    isolate: false,
    fileParallelism: false,
  },
})
