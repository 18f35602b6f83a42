/**
 * Turns the cases of a YAML file into tests, one a case, named by its id.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkInvariants } from '../../src/testing/check-invariants.ts'
import { runScenario } from '../../src/testing/scenario/run-scenario.ts'
import type { Scenario } from '../../src/testing/scenario/scenario.ts'

/** The cases of `cases/AREA.yaml` or `inferred/AREA.yaml`. */
export function casesOf(folder: 'cases' | 'inferred', area: string): readonly Scenario[] {
  const file = new URL(`${folder}/${area}.yaml`, import.meta.url)
  const { scenarios } = parse(readFileSync(file, 'utf8')) as { scenarios: readonly Scenario[] }
  return scenarios
}

/** One test a case: everything that the case states has to be understood and has to be so. */
export function testCases(folder: 'cases' | 'inferred', area: string): void {
  test.each(
    casesOf(folder, area).map(
      (scenario) => [`${scenario.id} ${scenario.title ?? ''}`, scenario] as const,
    ),
  )('%s', async (_name, scenario) => {
    const result = await runScenario(scenario)
    expect({ diffs: result.diffs, notUnderstood: result.notUnderstood }).toEqual({
      diffs: [],
      notUnderstood: [],
    })
    expect(result.ok).toBe(true)
    const atRest = scenario.expect?.['status'] !== 'running'
    for (const events of Object.values(result.events))
      expect(checkInvariants(events, { atRest })).toEqual([])
  })
}
