/**
 * The last lines of a chat: they stay below everything, wrap nothing, and take nothing away but themselves.
 */
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { FootedScreen, type FootLine } from '../../../src/cli/chat/footed-screen.ts'
import { typedView } from '../../../src/cli/chat/typed-view.ts'
import { TerminalScreen } from '../../support/terminal-screen.ts'

/** A terminal, the chat on it, and what waits. */
function rig(columns = 40, rows = 24) {
  const seen = new TerminalScreen(columns)
  const waits: FootLine[] = []
  const out = {
    isTTY: true,
    columns,
    rows,
    write: (text: string) => seen.write(text.replaceAll('\n', '\r\n')),
  }
  const screen = new FootedScreen(out, {}, () => waits)
  open.push(screen)
  const resize = (to: number): void => {
    out.columns = to
    seen.columns = to
    screen.redraw()
  }
  return { seen, waits, out, screen, resize }
}

const open: FootedScreen[] = []
afterEach(() => {
  for (const screen of open.splice(0)) screen.close()
})

describe('the last lines', () => {
  it('stay below text that comes in pieces, with the cursor in the typed line', () => {
    const { seen, screen, waits } = rig()
    waits.push({ mark: 'dim', text: 'queued: and then?' })
    screen.status(() => 'running')
    screen.typed('half a line', 4)
    screen.text('some te')
    expect(seen.rows).toEqual(['some te', '● running', 'queued: and then?', '> half a line'])
    screen.text('xt\nmore')
    expect(seen.rows).toEqual([
      'some text',
      'more',
      '● running',
      'queued: and then?',
      '> half a line',
    ])
    expect(seen.cursor).toEqual([4, 6])
  })

  it('leave the text alone when they are taken away', () => {
    const { seen, screen } = rig()
    screen.line('one')
    screen.text('two')
    screen.close()
    expect(seen.rows).toEqual(['one', 'two', ''])
    screen.line('three')
    expect(seen.rows).toEqual(['one', 'two', 'three', ''])
  })

  it('are cut to the columns there are, and to the rows', () => {
    const { seen, screen, waits } = rig(12, 6)
    for (let i = 1; i <= 5; i += 1) waits.push({ mark: 'dim', text: `queued: message ${i}` })
    screen.refresh()
    expect(seen.rows).toEqual(['○ idle · /…', 'queued: me…', 'queued: me…', '>'])
  })

  it('write nothing where nothing changed', () => {
    const { out, screen } = rig()
    screen.refresh()
    const written: string[] = []
    out.write = (text) => {
      written.push(text)
    }
    screen.refresh()
    screen.typed('', 0)
    expect(written).toEqual([])
  })

  it('are taken back whole whatever is written, typed and resized, and the text stays as it was', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('text' as const), text: fc.stringMatching(/^[a-z \n]{0,30}$/) }),
      fc.record({ do: fc.constant('type' as const), text: fc.stringMatching(/^[a-z ]{0,60}$/) }),
      fc.record({ do: fc.constant('resize' as const), to: fc.integer({ min: 5, max: 60 }) }),
      fc.record({ do: fc.constant('wait' as const), count: fc.integer({ min: 0, max: 9 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { seen, screen, waits, resize } = rig(30)
        let text = ''
        for (const one of steps) {
          if (one.do === 'text') {
            screen.text(one.text)
            text += one.text
          } else if (one.do === 'type') screen.typed(one.text, one.text.length >> 1)
          else if (one.do === 'resize') resize(one.to)
          else {
            waits.length = 0
            for (let i = 0; i < one.count; i += 1) waits.push({ mark: 'dim', text: `waits ${i}` })
            screen.refresh()
          }
        }
        screen.close()
        // Long lines are broken; no character is lost, doubled, or left behind by what was taken back.
        expect(seen.text.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a typed line', () => {
  it('is seen around its cursor', () => {
    expect(typedView('abc', 3, 10)).toEqual({ text: 'abc ', column: 3 })
    expect(typedView('abcdefghijkl', 12, 6)).toEqual({ text: '…ijkl ', column: 5 })
    expect(typedView('abcdefghijkl', 0, 6)).toEqual({ text: 'abcdef', column: 0 })
    expect(typedView('漢字漢字', 4, 6)).toEqual({ text: '…漢字 ', column: 5 })
  })

  it('moves no cursor by what was pasted into it', () => {
    expect(typedView('a\u001B[2Jb\tc', 7, 20).text).toBe('a\uFFFD[2Jb c')
  })
})
