/**
 * `turnwise machines`: the charts as they run, in forms that other tools read.
 */
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { lifecycleMachines } from '../../src/inspect/lifecycle-machines.ts'
import { readMermaid } from '../support/mermaid.ts'
import { nodesOf, restingStates } from '../machines/chart-moves.ts'
import { call, useCommand } from './command-rig.ts'

useCommand()

type Config = Parameters<typeof createMachine>[0]

describe('turnwise machines', () => {
  it.each(lifecycleMachines)(
    'prints the definition of $id, in the order of its states',
    async (machine) => {
      const { code, out } = await call(['machines', '--format', 'json', '--machine', machine.id])
      expect(code).toBe(0)
      const read = createMachine(JSON.parse(out) as Config)
      const facts = (of: typeof machine): unknown[] =>
        nodesOf(of).map(({ id, type, tags, description, invoke, entry, exit, transitions }) => ({
          id,
          type,
          tags,
          description,
          invoke: invoke.map(({ id: child }) => child),
          entry,
          exit,
          ways: [...transitions].map(([event, list]) => [
            event,
            list.map(({ guard, actions, target }) => [guard, actions, target?.map((to) => to.id)]),
          ]),
        }))
      expect(facts(read as unknown as typeof machine)).toEqual(facts(machine))
    },
  )

  it('prints all three by default, as JSON', async () => {
    const { out } = await call(['machines'])
    expect(Object.keys(JSON.parse(out) as object)).toEqual(['agent', 'turn', 'step'])
  })

  it('prints calls of createMachine with js', async () => {
    const { out } = await call(['machines', '--format', 'js', '--machine', 'step'])
    const [, definition = ''] = /createMachine\(([\s\S]*)\)\n$/.exec(out) ?? []
    expect(out).toMatch(/^import { createMachine } from 'xstate'\n\nexport const stepMachine = /)
    expect(JSON.parse(definition)).toMatchObject({ id: 'step', initial: 'unopened' })
  })

  it('prints one diagram that Mermaid reads, of one machine or of all', async () => {
    let states = 0
    for (const machine of lifecycleMachines) {
      const { out } = await call(['machines', '--format', 'mermaid', '--machine', machine.id])
      const { db } = await readMermaid(out)
      const resting = restingStates(machine).length
      expect(db.getStates?.().size).toBeGreaterThanOrEqual(resting)
      states += resting
    }
    const all = await readMermaid((await call(['machines', '--format', 'mermaid'])).out)
    expect(all.db.getStates?.().size).toBeGreaterThanOrEqual(3)
    expect(states).toBeGreaterThan(40)
  })

  it('prints graphs for Graphviz with dot', async () => {
    const { out } = await call(['machines', '--format', 'dot'])
    expect(out.match(/^digraph "\w+" \{$/gm)).toHaveLength(3)
    expect(out).toContain('  "streaming" -> "cutting" [label="step.abort"]')
    expect(out).toContain('  "streaming" [label="streaming", style="rounded,dashed"]')
  })

  it.each<[what: string, words: readonly string[], err: RegExp]>([
    ['an unknown machine', ['--machine', 'goal'], /--machine must be one of agent, turn, step/],
    ['an unknown format', ['--format', 'png'], /--format must be one of json, js, mermaid, dot/],
    ['words behind the options', ['turn'], /nothing was expected/],
  ])('refuses %s', async (_, words, err) => {
    const called = await call(['machines', ...words])
    expect([called.code, called.out]).toEqual([2, ''])
    expect(called.err).toMatch(err)
  })
})
