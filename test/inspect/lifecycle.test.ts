/**
 * The picture of the lifecycle says what the machines say, and charts are the same in every language.
 */
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { machineDot } from '../../src/inspect/dot.ts'
import { drawingOf } from '../../src/inspect/drawing.ts'
import { lifecycleCharts, lifecycleMermaid } from '../../src/inspect/lifecycle.ts'
import { lifecycleMachines } from '../../src/inspect/lifecycle-machines.ts'
import { machinesMermaid } from '../../src/inspect/mermaid.ts'
import { readMermaid } from '../support/mermaid.ts'

const chart = (id: string) => lifecycleCharts().find((each) => each.id === id)
const ways = (id: string): string[] => chart(id)?.ways.map(({ from, to }) => `${from} ${to}`) ?? []

const told = (id: string, name: string) => chart(id)?.states.find((state) => state.name === name)

describe('the lifecycle', () => {
  it('has the ways of an ordinary run, and none that only an abort takes', () => {
    expect(ways('turn')).toEqual([
      'opening claiming',
      'claiming gating',
      'gating stepping',
      'stepping continuing',
      'continuing stopping',
      'continuing claiming',
      'stopping closing',
      'stopping claiming',
    ])
    expect(ways('step')).toEqual(
      expect.arrayContaining(['streaming committing', 'noting backingOff', 'backingOff streaming']),
    )
    expect(ways('agent')).toEqual(expect.arrayContaining(['idle running', 'running idle']))
  })

  it('says what states record or ask, and where a cancel can arrive', () => {
    expect(told('turn', 'opening')).toMatchObject({ does: 'turn/start', window: true })
    expect(told('turn', 'gating')).toMatchObject({ does: 'preStep', window: true })
    expect(told('turn', 'closing')).toMatchObject({ does: 'turn/end', window: false })
    expect(told('step', 'calling')).toMatchObject({ does: 'tool/call, tool/result', window: true })
    expect(told('agent', 'idle')).toMatchObject({ does: '', window: false })
  })

  it('is one diagram for Mermaid, with the charts inside each other', async () => {
    const { db } = await readMermaid(lifecycleMermaid())
    const drawn = lifecycleCharts().reduce((sum, { states }) => sum + states.length, 0)
    expect(lifecycleMermaid().match(/^ *state "/gm)).toHaveLength(drawn)
    expect(db.getStates?.().has('agent_running')).toBe(true)
  })
})

describe('a chart', () => {
  it.each(lifecycleMachines)('$id has the same states and ways in DOT', (machine) => {
    const { states, edges } = drawingOf(machine)
    const dot = machineDot(machine)
    expect(dot.match(/style="rounded/g)).toHaveLength(states.length)
    expect(dot.match(/" -> "/g)).toHaveLength(edges.length + 1)
    const windows = states.filter(({ tags }) => tags.includes('cancel-window'))
    expect(dot.match(/dashed/g) ?? []).toHaveLength(windows.length)
  })

  it('keeps names of any kind inside their quotes in DOT', () => {
    const machine = createMachine({
      id: 'a"b',
      initial: 'x',
      states: { x: { on: { 'say "\\"': 'y' } }, y: { type: 'final' } },
    })
    expect(machineDot(machine).split('\n')).toEqual([
      'digraph "a\\"b" {',
      '  node [shape=box, fontname="Helvetica"]',
      '  edge [fontname="Helvetica", fontsize=10]',
      '  "" [shape=point]',
      '  "x" [label="x", style="rounded"]',
      '  "y" [label="y", style="rounded", peripheries=2]',
      '  "" -> "x"',
      '  "x" -> "y" [label="say \\"\\\\\\""]',
      '}',
    ])
  })

  it('stands in a frame of its own where all are drawn', async () => {
    const text = machinesMermaid(lifecycleMachines)
    const { db } = await readMermaid(text)
    expect([...(db.getStates?.().keys() ?? [])]).toEqual(
      expect.arrayContaining(['agent', 'turn', 'step']),
    )
    expect(text.match(/^ {2}state \w+ \{$/gm)).toHaveLength(3)
  })
})
