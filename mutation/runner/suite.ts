/**
 * The tests of a file as they were written down when it was loaded.
 *
 * @module
 */

/** What runs before or after a test; what it answers runs when the test is over. */
export type Hook = () => unknown

export interface Test {
  /** The names of what holds it, and its own. */
  readonly name: string
  readonly body: () => unknown
  /** Outermost first. */
  readonly before: readonly Hook[]
  /** Innermost first. */
  readonly after: readonly Hook[]
}

/** A `describe`, or the file itself: its hooks hold for the tests that it names, wherever in it they stand. */
interface Scope {
  readonly outer?: Scope
  readonly name: string
  readonly before: Hook[]
  readonly after: Hook[]
}

let tests: Test[] = []
let scope: Scope = { name: '', before: [], after: [] }

const scopesOf = (of: Scope | undefined): Scope[] =>
  of === undefined ? [] : [...scopesOf(of.outer), of]

/** What `load` writes down. */
export async function collect(load: () => Promise<unknown>): Promise<readonly Test[]> {
  const collected: Test[] = []
  tests = collected
  scope = { name: '', before: [], after: [] }
  await load()
  return collected
}

export function enter(name: string, body: () => void): void {
  const outer = scope
  scope = { outer, name, before: [], after: [] }
  try {
    body()
  } finally {
    scope = outer
  }
}

export function add(name: string, body: () => unknown): void {
  const scopes = scopesOf(scope)
  tests.push({
    name: [...scopes.map((each) => each.name), name].filter(Boolean).join(' > '),
    body,
    // Read when the test runs: a hook may be written down after it.
    get before() {
      return scopes.flatMap((each) => each.before)
    },
    get after() {
      return scopes.toReversed().flatMap((each) => each.after)
    },
  })
}

export const addBefore = (hook: Hook): void => void scope.before.push(hook)

export const addAfter = (hook: Hook): void => void scope.after.push(hook)
