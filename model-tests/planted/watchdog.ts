/**
 * A thread beside a tier: ends the process when it has worked far longer than a sound library would let it, also when
 * it spins and answers nobody. Work is counted, not time: on a busy machine everything takes longer.
 *
 * @module
 */
import { writeSync } from 'node:fs'

const LIMIT_US = 90_000_000
const EVERY_MS = 1000

setInterval(() => {
  const { user, system } = process.cpuUsage()
  if (user + system < LIMIT_US) return
  writeSync(1, '{"found":"it does not end"}\n')
  process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
