/**
 * Scenarios about child runs: a family on the stage, commands of parent and host, and what the run comes to.
 *
 * @module
 */
import { checkInvariants } from '../../check-invariants.ts'
import { valueMatches } from '../compare.ts'
import { EMPTY } from '../folded.ts'
import { splitTop } from '../phrase.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { judgeChild } from './child-prose.ts'
import { perform, waitFor } from './child-verbs.ts'
import { Family } from './family.ts'
import { readParts } from './parts.ts'
import { childVariants, isReasonMap, reasonDiffs } from './variants.ts'

const lines = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Is the scenario about child runs? */
export const isChildCase = (scenario: Scenario): boolean =>
  /\bCH-\d/.test(scenario.id) ||
  /\bstart (?:a )?child\b/.test(JSON.stringify(scenario.commands ?? []))

/** What one play of a scenario showed. */
interface Played {
  readonly family: Family
  readonly notUnderstood: string[]
  readonly diffs: string[]
}

async function play(scenario: Scenario): Promise<Played> {
  const played = { notUnderstood: [] as string[], diffs: [] as string[] }
  const family = new Family(readParts(scenario, played.notUnderstood))
  await family.open()
  for (const command of scenario.commands ?? []) {
    const when = String(command.when)
    const came = await waitFor(family, when)
    if (came === undefined) played.notUnderstood.push(`when ${JSON.stringify(when)}`)
    else if (!came) played.diffs.push(`the moment of this command never came: ${when}`)
    for (const part of splitTop(String(command.do), /\s*;\s*/)) {
      if (!(await perform(family, part))) played.notUnderstood.push(`do ${JSON.stringify(part)}`)
    }
  }
  await family.finish()
  return { family, ...played }
}

/** `structured {v:1}, completed`: each part is a word of the result. */
function wordDiffs(want: string, { result }: Family): string[] {
  const words = [result?.stopReason, `structured ${JSON.stringify(result?.structured)}`]
  return splitTop(want.replaceAll(/\{(\w+):/g, '{"$1":'), /\s*,\s*/)
    .filter((part) => !words.includes(part))
    .map((part) => `result expected: ${part}\n  got: ${words.join(', ')}`)
}

function resultDiffs(want: unknown, family: Family): string[] {
  if (typeof want === 'string') return wordDiffs(want, family)
  const result = (family.result ?? {}) as Record<string, unknown>
  return Object.entries(want ?? {})
    .filter(([key, value]) => !valueMatches(value, result[key]))
    .map(
      ([key, value]) =>
        `result.${key} expected: ${JSON.stringify(value)}\n  got: ${JSON.stringify(result[key])}`,
    )
}

/** Rules that the logs of a family break. */
const broken = ({ parent, run }: Family): string[] =>
  [parent, run?.agent].flatMap((agent) =>
    agent === undefined ? [] : checkInvariants(agent.log).map(({ message }) => message),
  )

/** What every variant of a case shows. */
async function playAll(scenario: Scenario): Promise<Played[]> {
  const plays: Played[] = []
  for (const { name, scenario: variant, want } of childVariants(scenario)) {
    const played = await play(variant)
    const found = [...resultDiffs(want, played.family), ...broken(played.family)]
    played.diffs.push(...found)
    const diffs = played.diffs.map((text) => (name === '' ? text : `${name}: ${text}`))
    plays.push({ ...played, diffs })
  }
  return plays
}

/** Sentences that do not hold, and those that no rule reads. */
function judgeProse(expect: NonNullable<Scenario['expect']>, families: readonly Family[]) {
  const wrong: string[] = []
  const unchecked: string[] = []
  for (const sentence of lines(expect['also'])) {
    const verdict = judgeChild(sentence, families)
    if (verdict === undefined) unchecked.push(`also: ${sentence}`)
    else if (!verdict) wrong.push(`also does not hold: ${sentence}`)
  }
  unchecked.push(...lines(expect['never']).map((sentence) => `never: ${sentence}`))
  return { wrong, unchecked }
}

/** Plays a case, or each of its variants. */
export async function runChildCase(scenario: Scenario): Promise<ScenarioResult> {
  const { id, title = '', expect = {} } = scenario
  const isMap = isReasonMap(scenario)
  const plays = isMap ? [] : await playAll(scenario)
  const families = plays.map(({ family }) => family)
  const { wrong, unchecked } = judgeProse(expect, families)
  const mapped = isMap ? reasonDiffs(expect['result']) : []
  const diffs = [...plays.flatMap((played) => played.diffs), ...mapped, ...wrong]
  const notUnderstood = plays.flatMap((played) => played.notUnderstood)
  const ok = diffs.length + notUnderstood.length === 0
  return { ...EMPTY, id, title, ok, diffs, notUnderstood, unchecked, ...seenOf(families.at(-1)) }
}

/** What was seen of the last family. */
function seenOf(family: Family | undefined): Pick<ScenarioResult, 'log' | 'observed' | 'events'> {
  const agents = [family?.parent, family?.run?.agent].filter((agent) => agent !== undefined)
  return {
    log: [...(family?.linesOf(family.run?.agent) ?? [])],
    observed: { result: family?.result },
    events: Object.fromEntries(agents.map((agent) => [agent.id, [...agent.log.read()]])),
  }
}
