/**
 * What every log must do for its observers.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../src/log/event-log.ts'
import type { SessionLogOptions } from '../../src/log/session-log.ts'
import { chunk, context, inserted, opening, turnEnd, turnStart } from '../events/sample.ts'

export function observerContract(
  name: string,
  open: (options?: SessionLogOptions) => Promise<EventLog>,
): void {
  describe(`${name}: observing`, () => {
    it('G2: tells each observer of each event, in order of joining, once the group is recorded', async () => {
      const log = await open()
      const seen: string[] = []
      for (const who of ['a', 'b'])
        log.observe((event) => seen.push(`${who} ${event.seq} of ${log.length}`))
      log.append([turnStart(1), turnEnd(1)], 1)
      expect(seen).toEqual(['a 0 of 2', 'b 0 of 2', 'a 1 of 2', 'b 1 of 2'])
      await log.close()
    })

    it('G2: delivers what an observer appends behind, to everybody in the same order', async () => {
      const log = await open()
      const seen: string[] = []
      const seqs: number[] = []
      log.observe((event) => {
        seen.push(`a ${event.type}`)
        if (event.type === 'turn/start') seqs.push(log.append(context(1, 'X'), 1).seq)
      })
      log.observe((event) => seen.push(`b ${event.type}`))
      log.append(turnStart(1), 1)
      expect(seqs).toEqual([1])
      expect(seen).toEqual([
        'a turn/start',
        'b turn/start',
        'a context/message',
        'b context/message',
      ])
      await log.close()
    })

    it('G2: reports a throw once, and harms nobody', async () => {
      const faults: unknown[] = []
      const log = await open({
        onFault: (error, event) => faults.push([(error as Error).message, event.seq]),
      })
      const seen: number[] = []
      log.observe(() => {
        throw new Error('bad observer')
      })
      log.observe((event) => seen.push(event.seq))
      log.append(inserted('A'), 1)
      expect([faults, seen]).toEqual([[['bad observer', 0]], [0]])
      await log.close()
    })

    it('begins with the next event, also for one that joins while others are told', async () => {
      const log = await open()
      const seen: number[] = []
      let joined = false
      log.observe(() => {
        if (joined) return
        joined = true
        log.observe((event) => seen.push(event.seq))
      })
      log.append([turnStart(1), context(1, 'X')], 1)
      log.append(turnEnd(1), 1)
      expect(seen).toEqual([2])
      await log.close()
    })

    it('ends at once, also for one that leaves while others are told', async () => {
      const log = await open()
      const seen: string[] = []
      log.observe(() => {
        leave()
      })
      const leave = log.observe((event) => seen.push(event.type))
      log.append(turnStart(1), 1)
      log.append(turnEnd(1), 1)
      expect(seen).toEqual([])
      await log.close()
    })

    it('survives a long chain of appends from observers without a deep stack', async () => {
      const log = await open()
      for (const event of opening()) log.append(event, 1)
      log.observe(() => {
        if (log.length < 20_000) log.append(chunk('1.1'), 1)
      })
      log.append(chunk('1.1'), 1)
      expect(log.length).toBe(20_000)
      await log.close()
    })
  })
}
