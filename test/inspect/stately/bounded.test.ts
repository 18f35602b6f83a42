/**
 * Whatever is shown is small plain data, and a viewer that does not read costs nothing.
 */
import { anything, assert as check, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounded } from '../../../src/inspect/stately/bounded.ts'
import { Outlet } from '../../../src/inspect/stately/outlet.ts'

describe('a bounded value', () => {
  it('is JSON of a bounded size, whatever is given', () => {
    check(
      property(
        anything({ maxDepth: 8, withMap: true, withSet: true, withBigInt: true }),
        (value) => {
          expect(JSON.stringify(bounded(value)).length).toBeLessThan(60_000)
        },
      ),
    )
  })

  it('keeps what says something of errors, signals, maps and sets', () => {
    expect(
      bounded({
        error: new RangeError('too far'),
        signal: AbortSignal.abort(),
        map: new Map([['a', 1]]),
        set: new Set([2]),
        act: () => {},
        none: undefined,
        not: Number.NaN,
      }),
    ).toEqual({
      error: { name: 'RangeError', message: 'too far' },
      signal: { aborted: true },
      map: [['a', 1]],
      set: [2],
      act: '[function]',
      none: null,
      not: 'NaN',
    })
  })

  it('cuts long texts, lists, depths and circles', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(JSON.stringify(bounded(circle))).toContain('"…"')
    expect(bounded('x'.repeat(1000))).toBe(`${'x'.repeat(200)}…`)
    expect(bounded(Array.from({ length: 30 }, () => 0))).toHaveLength(21)
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 0]))
    expect(bounded(wide)).toMatchObject({ k19: 0, '…': 10 })
  })

  it('contains getters that throw', () => {
    const broken = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(bounded(broken)).toBe('…')
  })
})

describe('an outlet', () => {
  it('leaves messages out while its viewer does not read, then tells everything again', () => {
    const sent: string[] = []
    const socket = {
      readyState: 1,
      bufferedAmount: 0,
      send: (text: string) => void sent.push(text),
    }
    const outlet = new Outlet(socket, () => ['all'])
    outlet.greet()
    outlet.send('1')
    socket.bufferedAmount = 1 << 21
    outlet.send('2')
    outlet.send('3')
    socket.bufferedAmount = 0
    outlet.send('4')
    outlet.send('5')
    expect(sent).toEqual(['all', '1', 'all', '5'])
    socket.readyState = 3
    outlet.send('6')
    outlet.greet()
    expect(sent).toHaveLength(4)
  })
})
