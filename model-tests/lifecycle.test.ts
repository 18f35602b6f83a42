/**
 * Every edge of the lifecycle model, reached by a shortest path, drives the real agent: after each move its log must put
 * it where the model is, and the whole log must be well-formed, with one end for every message.
 */
import { describe, expect, it } from 'vitest'
import { initialTransition, transition } from 'xstate'
import type { SnapshotFrom } from 'xstate'
import { checkLog } from '../src/events/enclosure.ts'
import { answerOf, WAITS } from './lifecycle.answers.ts'
import { edgesOf } from './lifecycle.edges.ts'
import { lifecycle, UNSETTLED } from './lifecycle.model.ts'
import { lostOrTwice, pendingOf, standing } from './lifecycle.standing.ts'
import type { LifecycleEvent } from './lifecycle.words.ts'
import { World } from './lifecycle.world.ts'

type Snapshot = SnapshotFrom<typeof lifecycle>

const IDLE = /^(idle|maint|disposing a task)/

/** Statuses that are announced on the way from one state to the next. */
function announced(from: string, to: string): string[] {
  if (to === 'disposed')
    return from === to ? [] : [...(IDLE.test(from) ? [] : ['idle']), 'disposed']
  if (IDLE.test(from) === IDLE.test(to)) return []
  return [IDLE.test(to) ? 'idle' : 'running']
}

function expected({ value, context: { pending, held } }: Snapshot): string {
  return `${value} ${JSON.stringify({ pending, held })} waits for ${WAITS[value] || 'nothing'}`
}

function found({ agent, waits, disposing }: World, { value }: Snapshot): string {
  const log = agent.log.read()
  const { status } = agent
  const maintains = agent.activity === 'maintenance'
  const stopped = value === 'maintenance aborted' || value === 'disposing a task'
  const at = standing(log, { status, maintains, disposing, stopped, waits })
  return `${at} ${JSON.stringify(pendingOf(log))} waits for ${waits || 'nothing'}`
}

/** Walks the real agent along `events`. @returns where it left the model, if it did. */
async function walk(events: readonly LifecycleEvent[]): Promise<string | undefined> {
  const world = new World()
  const statuses: string[] = []
  let [model] = initialTransition(lifecycle)
  for (const [i, type] of events.entries()) {
    const from = model
    ;[model] = transition(lifecycle, from, { type })
    if (type === 'inject a turn' && from.value === 'idle') statuses.push('running', 'idle')
    statuses.push(...announced(from.value, model.value))
    let answer = world.move(type)
    // The caller lets no microtask pass where the model says so.
    if (!UNSETTLED.has(model.value)) {
      answer = await answer
      await world.rest()
    }
    const saw = [
      `answers ${JSON.stringify(answer)}`,
      found(world, model),
      `told ${world.statuses.join(' ')}`,
    ]
    const should = [
      `answers ${JSON.stringify(answerOf(from.value, from.context, type))}`,
      expected(model),
      `told ${statuses.join(' ')}`,
    ]
    const wrong = should.findIndex((line, at) => line !== saw[at])
    if (wrong === -1) continue
    return `${events.slice(0, i + 1).join(' > ')}\n  expected ${should[wrong]}\n  found    ${saw[wrong]}`
  }
  const log = await world.finish()
  checkLog(log)
  const ends = lostOrTwice(log)
  return ends.length === 0 ? undefined : `${events.join(' > ')}\n  ${ends.join('; ')}`
}

const edges = edgesOf(lifecycle)
const states = [...new Set(edges.map(({ from }) => from))]

it('the model has as many edges as it is worth to walk', () => {
  expect(edges.length).toBeGreaterThan(1000)
})

describe('the real agent follows every edge', () => {
  it.each(states)('from %s', async (state) => {
    const bad: string[] = []
    for (const { from, path } of edges) {
      const wrong = from === state ? await walk(path) : undefined
      if (wrong !== undefined) bad.push(wrong)
    }
    expect(bad).toEqual([])
  })
})
