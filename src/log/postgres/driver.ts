/**
 * The optional package that speaks to PostgreSQL, loaded when a store is opened.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'

/** What is needed of `pg`. */
export type Pg = Pick<typeof import('pg'), 'Client' | 'Pool'>

/** Loads it. @throws TurnwiseError INVALID_OPTION when it is not installed. */
export async function loadPg(): Promise<Pg> {
  try {
    const { Client, Pool } = await import('pg')
    return { Client, Pool }
  } catch (error) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      'expected the package pg beside turnwise, could not load it; nothing was opened. Run: npm install pg',
      { cause: error },
    )
  }
}
