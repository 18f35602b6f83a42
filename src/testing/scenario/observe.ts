/**
 * Finds what the probe of a scenario is asked for: `turnStoppingCalls`, `statusBeforeC2Drains`, `afterFirstIdle`, …
 *
 * @module
 */
import { factsOf, type Facts } from './facts.ts'
import { describeAnswer } from './answers.ts'
import { EXACT, found } from './observed-keys.ts'
import { atMoment, checked, type Found } from './observed-moments.ts'
import { gateNamed } from './parse-place.ts'
import type { AgentRun, Answered, World } from './world.ts'

/** The gate a key such as `requestGateCalls` or `preStepCalls` counts. */
export function countedGate(key: string): ReturnType<typeof gateNamed> {
  const hit = /^(\w+?)(?:Gate|Hook)?(?:Calls|Asked|Times)$/.exec(key)
  return hit === null ? undefined : gateNamed(hit[1] ?? '')
}

/** A command by its text: `followup B` as `throws AgentDisposedError`. */
function byCommand(key: string, want: unknown, world: World): Found | undefined {
  const answered: Answered | undefined = world.answers.findLast(
    (one) => one.text === key || one.text.startsWith(`${key} `),
  )
  if (answered === undefined) return undefined
  const words = describeAnswer(answered)
  const wanted = /^(?:throws|rejects) (.*)$/.exec(String(want))?.[1]
  return {
    value: words,
    passes:
      wanted === undefined
        ? words === String(want)
        : answered.threw !== undefined && words.includes(wanted),
  }
}

function recorded(key: string, want: unknown, world: World): Found | undefined {
  if (!world.values.has(key)) return undefined
  const value = world.values.get(key)
  return found(Array.isArray(value) && !Array.isArray(want) ? value.at(-1) : value)
}

/** The last event that carries the key. */
function inEvents(key: string, run: AgentRun): Found | undefined {
  const event = run.events.findLast((one) => key in (one.data as object))
  return event === undefined
    ? undefined
    : found((event.data as unknown as Record<string, unknown>)[key])
}

/** What could be read when a command looked, or at the end. */
function fact(key: string, world: World, run: AgentRun): Found | undefined {
  const facts = checked(world)?.facts ?? factsOf(world, run)
  return key in facts ? found(facts[key as keyof Facts]) : undefined
}

/** Finds the value of a key; undefined if nobody knows what the key means. */
export function observe(
  key: string,
  want: unknown,
  world: World,
  run: AgentRun,
): Found | undefined {
  const exact = EXACT[key]?.(world, run, want)
  if (exact !== undefined) return exact
  const gate = countedGate(key)
  if (gate !== undefined) return found(world.asked.get(gate) ?? [])
  return elsewhere(key, want, world, run)
}

function elsewhere(key: string, want: unknown, world: World, run: AgentRun): Found | undefined {
  return (
    recorded(key, want, world) ??
    atMoment(key, want, world) ??
    byCommand(key, want, world) ??
    fact(key, world, run) ??
    inEvents(key, run)
  )
}
