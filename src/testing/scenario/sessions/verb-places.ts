/**
 * Where commands about sessions find what they are about.
 *
 * @module
 */
import type { Ctx } from '../verb.ts'
import type { ScenarioHouse } from './house.ts'

/** Sessions by the names that commands give them. */
const IDS: Readonly<Record<string, string>> = { a: 's1', b: 's2', missing: 'missing' }
/** The id behind a name. */
export const idOf = (name: string): string => IDS[name] ?? name

/** @throws Error where the scenario has no registry. */
export function houseOf({ world }: Pick<Ctx, 'world'>): ScenarioHouse {
  if (world.house !== undefined) return world.house
  throw new Error('the scenario has no registry')
}
