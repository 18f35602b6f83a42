/**
 * What the fast tiers use of vitest, for tests that run one by one in a process that stays: vitest's own expectations and
 * spies, and tests that are only written down. `modules.ts` puts it in the place of `vitest`.
 *
 * @module
 */
import { format } from 'node:util'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  getState,
  setState,
} from '@vitest/expect'
import { fn, restoreAllMocks, spyOn } from '@vitest/spy'
import * as chai from 'chai'
import { add, addAfter, addBefore, enter } from './suite.ts'

type Body = (...args: unknown[]) => unknown
type Rows = readonly unknown[]

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)
const expectOf = (value: unknown, message?: string): Chai.Assertion => chai.expect(value, message)
const worldWide = globalThis as unknown as Record<string | symbol, object>

export const expect: object = Object.assign(
  expectOf,
  chai.expect,
  worldWide[ASYMMETRIC_MATCHERS_OBJECT as unknown as symbol],
  {
    getState: () => getState(expectOf as never),
    setState: (state: object) => {
      setState(state, expectOf as never)
    },
    hasAssertions: () => {},
    assertions: () => {},
    unreachable: (message = '') => chai.assert.fail(`expected "${message}" not to be reached`),
  },
)
setState({ assertionCalls: 0, currentTestName: '' }, expectOf as never)
worldWide[GLOBAL_EXPECT as unknown as symbol] = expect

/** The types are the business of the compiler: whatever is asked of them holds. */
export const expectTypeOf = (): unknown => {
  const anything: unknown = new Proxy(() => {}, { get: () => anything, apply: () => anything })
  return anything
}

/** The body of a test stands second, or third behind its options. */
const bodyOf = (second: unknown, third?: unknown): Body =>
  (typeof second === 'function' ? second : third) as Body

const withEach =
  (take: (name: string, body: Body) => void) =>
  (rows: Rows) =>
  (name: string, second: unknown, third?: unknown): void => {
    const body = bodyOf(second, third)
    for (const [index, row] of rows.entries()) {
      const args = Array.isArray(row) ? (row as unknown[]) : [row]
      const named = args.slice(0, name.split('%').length - 1)
      take(`${format(name, ...named)} (${index})`, () => body(...args))
    }
  }

export const it = Object.assign(
  (name: string, second: unknown, third?: unknown): void => {
    add(name, bodyOf(second, third))
  },
  { each: withEach(add) },
)
export const test = it

export const describe = Object.assign(
  (name: string, second: unknown, third?: unknown): void => {
    enter(name, bodyOf(second, third))
  },
  {
    each: withEach((name, body) => {
      enter(name, body)
    }),
  },
)

export const beforeEach = addBefore
export const afterEach = addAfter
const stubbed = new Map<string, unknown>()

export const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  stubGlobal: (name: string, value: object): void => {
    if (!stubbed.has(name)) stubbed.set(name, worldWide[name])
    worldWide[name] = value
  },
  unstubAllGlobals: (): void => {
    Object.assign(globalThis, Object.fromEntries(stubbed))
    stubbed.clear()
  },
  waitUntil: async (holds: () => unknown): Promise<void> => {
    // eslint-disable-next-line no-await-in-loop -- one look after another
    while (!holds()) await new Promise(setImmediate)
  },
}
