/**
 * Printed logs where the command keeps its sessions.
 *
 * @module
 */
import { parseLog } from '../../src/testing/parse-log.ts'
import { put } from './command-rig.ts'

/** Puts a log where sessions are kept. */
export function putLog(id: string, lines: readonly string[], header: object = {}): void {
  const head = { id, formatVersion: 1, createdAt: 0, ...header }
  const text = [head, ...parseLog(lines)].map((line) => `${JSON.stringify(line)}\n`).join('')
  put(`.turnwise/${id}.jsonl`, text)
}

export const TURN = [
  'inbox next-turn @0 +["A"]',
  'turn/start 1',
  'inbox next-turn @0 -1 claimed',
  'step/start 1.1',
  'user/message "A"',
  'assistant/message 1.1 "one"',
  'step/end 1.1',
  'turn/end 1 completed',
]
export const PENDING = [...TURN, 'inbox next-turn @0 +["B"]']
export const CRASHED = TURN.slice(0, 5)
export const STRAY = [...CRASHED, 'turn/start 2', 'turn/end 2 completed']
