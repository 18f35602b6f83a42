/**
 * Mutants of the table runner that no test can or need tell from the original; see `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/actors')

const IN_BOUNDS = 'always there: the compiler cannot know that the index is inside the list'
const SAVES_CLOSURES = 'it only saves closures: the other way announces and runs the same action'
const RUNNING =
  '(self as unknown as { readonly _processingStatus: number })._processingStatus === RUNNING'

export const EXPLAINED_TABLE: readonly Explained[] = [
  ...because('table-acts.ts', IN_BOUNDS, ['given[i]?.src', 'given[i].src']),
  ...because('table-acts.ts', 'an object that names an action or a guard has a type', [
    "''",
    '"Stryker was here!"',
    "'type' in ref",
  ]),
  ...because('table-acts.ts', 'names and functions have no params, asked or not', [
    "typeof ref === 'object' && 'params' in ref",
    'true',
  ]),
  ...because(
    'table-announce.ts',
    SAVES_CLOSURES,
    [RUNNING, 'false'],
    [
      `({ self }: Scope): boolean => // eslint-disable-next-line no-underscore-dangle -- XState's name (self as unknown as {...`,
      '() => undefined',
    ],
  ),
  ...because('table-perform.ts', SAVES_CLOSURES, ['!isRunning(scope)', 'true']),
  ...because('table-perform.ts', 'a target that was found is not looked for again', [
    'spawns.length === 0',
    'false',
  ]),
  ...because('table-perform.ts', 'the same children are only copied', [
    'child !== undefined',
    'true',
  ]),
  ...because(
    'table-plan.ts',
    'an act of no kind does nothing, a child of no state is sent nothing, and a list that is there is taken',
    ['[]', '["Stryker was here"]', 'leaf.path.toReversed()'],
    ['[]', '["Stryker was here"]', 'target ?? []'],
    ['[]', '["Stryker was here"]', 'spawns: []'],
    ['[]', '["Stryker was here"]', 'leaf?.path ?? []'],
    ['{ acts: [], spawns: [] }', '{}'],
  ),
  ...because(
    'table-plan.ts',
    'whatever is entered leads to a state to rest in, which has a path',
    ['leaf?.path', 'leaf.path'],
    ['node?.type', 'node.type'],
  ),
  ...because(
    'table-plan.ts',
    'a completion changes the snapshot of the first move alone, which nobody has seen before',
    ['completion !== undefined', 'false'],
  ),
  ...because('table-plan.ts', 'only a compound state has an initial target', [
    "node.type === 'compound'",
    'true',
  ]),
  ...because('table-plan.ts', 'XState itself refuses such a chart before', [
    "'a state without an inner one'",
    '""',
  ]),
  ...because('table-plan.ts', 'everything is inside of undefined, which ends the search', [
    'at !== undefined',
    'true',
  ]),
  ...because(
    'table-plan.ts',
    'fewer blocks only save time: the same acts are done in the same order',
    ['block.acts.length === 0', 'false'],
    ['last === undefined || last.spawns.length + block.spawns.length > 0', 'true'],
    [
      'last.spawns.length + block.spawns.length > 0',
      'last.spawns.length + block.spawns.length >= 0',
    ],
  ),
  ...because('table.ts', IN_BOUNDS, [
    '[...leaves.values()][0]?.value',
    '[...leaves.values()][0].value',
  ]),
  ...because(
    'table.ts',
    'the map only saves searching: the search finds the same state',
    ['[...leaves.values()]', '[]'],
    ['[leaf.nodes, leaf]', '[]'],
  ),
  ...because(
    'table-run.ts',
    'settling what rests already answers the same snapshot',
    ["taken.raised === undefined && taken.snapshot.status === 'active'", 'false'],
    ["'active'", '""'],
  ),
  ...because('table-run.ts', 'the event that stops an actor carries no error', [
    "status === 'error'",
    'true',
  ]),
]
