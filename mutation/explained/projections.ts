/**
 * Mutants of the projections that no test can or need tell from the original; see `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/projections')

const IN_BOUNDS = 'always there: the compiler cannot know that the index is inside the list'

export const EXPLAINED_PROJECTIONS: readonly Explained[] = [
  ...because('append-list.ts', 'the shared array only saves copying', [
    'this.#shared.length === this.length',
    'false',
  ]),
  ...because(
    'contained-observable.ts',
    'it was asked for before, where the compiler does not see it',
    ['plain.error?.(thrown)', 'plain.error(thrown)'],
  ),
  ...because(
    'history.ts',
    IN_BOUNDS,
    ['-1', '+1'],
    ['items[index]?.[1]', 'items[index][1]'],
    ['entry?.role', 'entry.role'],
    ['hit[0]?.[1]', 'hit[0][1]'],
  ),
  ...because('history.ts', 'behind the end there is no entry, and the search goes on', [
    'items.length - 1',
    'items.length + 1',
  ]),
  ...because('history.ts', 'no other block has an empty text: the question is for the compiler', [
    "block.type === 'text' || block.type === 'reasoning'",
    'true',
  ]),
  ...because(
    'history.ts',
    'what is rebuilt holds a message: a summary, or the one that a changed outcome stands behind',
    [
      "items.findLast(([, entry]) => entry.role !== 'tool')?.[1]",
      "items.findLast(([, entry]) => entry.role !== 'tool')[1]",
    ],
    ['last?.role', 'last.role'],
  ),
  ...because(
    'history.ts',
    'behind a message that is not the tail stands another one that ends its outcomes',
    ['items[end]?.[1]', 'items[end][1]'],
  ),
  ...because(
    'history.ts',
    'the tail only saves searching: the search finds the same message',
    ['state.tail === null', 'true'],
    ['name !== undefined', 'false'],
  ),
  ...because('history.ts', 'the first entry is never an outcome, so that it is always set', [
    'false',
    'true',
  ]),
  ...because(
    'inbox-state.ts',
    'both ways tell the same: a set only saves time',
    ['ids.length < 8', 'true'],
    ['ids.length < 8', 'false'],
    ['ids.length < 8', 'ids.length <= 8'],
    ['ids.length < 8', 'ids.length >= 8'],
  ),
  ...because('inbox.ts', 'an id that is not pending is passed over', [
    '[]',
    '["Stryker was here"]',
    'parked?.ids ?? []',
  ]),
  ...because('background-wakes.ts', 'it only saves looking up who spoke: zero is set to zero', [
    'state.count === 0',
    'false',
  ]),
  ...because('open-work.ts', 'it was added if it was not there', ['found !== undefined', 'true']),
  ...because('read-model.ts', 'it is set whenever somebody watches', [
    'this.#leave?.()',
    'this.#leave()',
  ]),
  ...because('read-model.ts', 'the same folding is kept again', ['known === undefined', 'true']),
  ...because(
    'session-state.ts',
    'it only saves asking the parts, which answer the same',
    ["event.type === 'assistant/chunk' && state.progress === 'request'", 'false'],
    ["'assistant/chunk'", '""'],
    ["'request'", '""'],
  ),
  ...because(
    'transcript.ts',
    IN_BOUNDS,
    ['entry?.kind', 'entry.kind'],
    ['entries.at(middle)?.seq', 'entries.at(middle).seq'],
    ['entry === undefined', 'false'],
  ),
  ...because(
    'transcript.ts',
    'only the kind that is asked for has the field: the question is for the compiler',
    ["entry.kind === 'summary'", 'true'],
    ["entry.kind === 'tool'", 'true'],
  ),
  ...because('transcript.ts', 'no range covers what is undefined', ['seq === undefined', 'false']),
  ...because('transcript.ts', 'it was named by a message, which therefore is there', [
    'of?.seq',
    'of.seq',
  ]),
  ...because(
    'transcript.ts',
    'behind the end there is no entry, and nothing is found there',
    ['entries.length - 1', 'entries.length + 1'],
    ['index < state.length', 'index <= state.length'],
  ),
]
