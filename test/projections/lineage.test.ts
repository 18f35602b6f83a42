/**
 * What became of one message.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { lineage } from '../../src/projections/lineage.ts'
import { fold } from '../../src/projections/projection.ts'
import { LogScript } from '../support/log-script.ts'
import { textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const of = (id: string) => fold(lineage(id), log.events)
const kinds = (id: string) => of(id).facts.map(({ kind }) => kind)

describe('the lineage of a message', () => {
  it('is unknown before its insertion', () => {
    log.turn('A', 'one')
    expect(of('B')).toEqual({ id: 'B', standing: 'unknown', facts: [] })
  })

  it('tells insertion, move, claim and commit with their places', () => {
    log.followup('A')
    log.move('next-turn', 'A', 'next-step', 0)
    log.claim(log.start(), [])
    log.step('A')
    expect(of('A')).toEqual({
      id: 'A',
      standing: 'committed',
      facts: [
        {
          seq: 0,
          kind: 'inserted',
          list: 'next-turn',
          wake: true,
          actor: 'test',
          mark: null,
          replaces: [],
        },
        { seq: 1, kind: 'moved', from: 'next-turn', to: 'next-step', actor: 'test' },
        { seq: 3, kind: 'claimed', turn: 1 },
        { seq: 5, kind: 'committed', turn: 1, step: 1 },
      ],
    })
  })

  it('never tells how the turn went', () => {
    log.turn('A', 'one')
    expect(JSON.stringify(of('A'))).not.toContain('completed')
  })

  it('tells a discard with its reason', () => {
    log.followup('A')
    log.discard(['A'], 'cleared')
    expect(of('A')).toMatchObject({ standing: 'discarded', facts: [{}, { reason: 'cleared' }] })
  })

  it('tells which message took its place, and whose place it took', () => {
    log.followup('Q')
    const data = { ids: ['Q'], target: 'next-turn', index: 0, wake: true, actor: 'user' } as const
    log.put('inbox/replaced', { ...data, messages: [textMessage('Q2')] })
    expect(of('Q')).toMatchObject({ standing: 'replaced', facts: [{}, { by: ['Q2'] }] })
    expect(of('Q2')).toMatchObject({ standing: 'pending', facts: [{ replaces: ['Q'] }] })
  })

  it('of a message replaced under its own id goes on', () => {
    log.followup('Q')
    const data = { ids: ['Q'], target: 'next-turn', index: 0, wake: true, actor: 'user' } as const
    log.put('inbox/replaced', { ...data, messages: [textMessage('Q', 'user', 'new')] })
    expect(kinds('Q')).toEqual(['inserted', 'replaced', 'inserted'])
    expect(of('Q').standing).toBe('pending')
  })

  it('goes on when an uncommitted message is put back', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    log.end('blocked')
    expect(of('A').standing).toBe('uncommitted')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(of('A').standing).toBe('pending')
    expect(kinds('A')).toEqual(['inserted', 'claimed', 'uncommitted', 'inserted'])
  })

  it('tells the commit of a message that a gate or an injection turn brought in', () => {
    log.put('context/message', { turn: log.start(), message: textMessage('X', 'plugin') })
    log.end('completed')
    log.start()
    log.step('G')
    expect(of('X').facts).toEqual([{ seq: 1, kind: 'committed', turn: 1, step: null }])
    expect(of('G').standing).toBe('committed')
  })
})
