/**
 * Mutants of the life of an agent and of its turns that no test can or need tell from the original; see
 * `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/actors')

const FALLS_THROUGH = 'the machine goes the same way at every word that is none of its others'
const ALWAYS_THERE = 'always there while a turn is open: only the compiler cannot know'
const ONE_KIND = 'the question is for the compiler: an end of another kind has no such field'

export const EXPLAINED_LIFE: readonly Explained[] = [
  ...because('admission.ts', 'every list that is not next-turn is next-step', [
    "'next-step'",
    '""',
    'entriesOf(inbox',
  ]),
  ...because('admission.ts', 'before its first step a turn claims once', [
    'turn.claimed.length === 0',
    'true',
  ]),
  ...because('admission.ts', 'a list behind none is the same list', [
    'services.preStep.length === 0',
    'false',
  ]),
  ...because('admission.ts', FALLS_THROUGH, ["'empty'", '""'], ["'reject'", '""']),
  ...because('admission.ts', ONE_KIND, ["end.kind === 'done'", 'true']),
  ...because('admission.ts', 'the waterfall has named every rejection before it is judged', [
    "'preStep'",
    '""',
    'decision.by ??',
  ]),
  ...because(
    'assembly.ts',
    'a text that no provider gives differs from all of them, as none does',
    ["''", '"Stryker was here!"'],
  ),
  ...because('assembly.ts', 'the memo only saves reading the whole history again', [
    '{ upTo: entries.length, last: entries.at(-1), text }',
    '{}',
  ]),
  ...because(
    'assembly.ts',
    'a message of this source is made here, of one block of text',
    ["block?.type === 'text'", 'true'],
    ['block?.type', 'block.type'],
  ),
  ...because(
    'closing-desk.ts',
    ALWAYS_THERE,
    ['core.activity !== undefined', 'true', 'sealed = true'],
    ['core.activity?.compaction', 'core.activity.compaction'],
    ['core.activity?.restoreClaimed', 'core.activity.restoreClaimed'],
    ['core.activity?.cause', 'core.activity.cause'],
    ['activity?.cause', 'activity.cause'],
    ['activity?.holdsRestored', 'activity.holdsRestored'],
    ['core.log.ledger.turn?.claimed', 'core.log.ledger.turn.claimed'],
    ['[]', '["Stryker was here"]', 'ledger.turn?.claimed'],
  ),
  ...because('closing-desk.ts', 'a turn that the log does not hold has no step', [
    'core.log.ledger.lastTurn === turn.turn',
    'true',
  ]),
  ...because('closing-desk.ts', 'whatever is announced has failed: it is set before', [
    'turn.failure !== undefined',
    'true',
  ]),
  ...because('closing-desk.ts', FALLS_THROUGH, ["'done'", '""']),
  ...because('closing-desk.ts', 'every list that is not next-turn is next-step', [
    "'next-step'",
    '""',
    'lengthOf',
  ]),
  ...because('continuation-desk.ts', 'a decision is compared with continue and stop alone', [
    "'default'",
    '""',
    'turn.decision ??',
  ]),
  ...because('continuation-desk.ts', ONE_KIND, ["end.kind === 'done'", 'true']),
  ...because(
    'continuation-desk.ts',
    'only a decision that deviates comes here, and it is one of both',
    ["decision !== 'continue' && decision !== 'stop'", 'false'],
  ),
  ...because(
    'continuation-desk.ts',
    'the turn closes then: nobody asks any more how often it stopped',
    ['pending', 'true'],
  ),
  ...because('continuation-desk.ts', FALLS_THROUGH, ["'close'", '""']),
  ...because('turn-desk.ts', FALLS_THROUGH, ["'empty'", '""'], ["'close'", '""']),
  ...because(
    'turn-desk.ts',
    'always there: the machine injects only where a message was given',
    ['turn.injection?.message', 'turn.injection.message'],
    ['message === undefined', 'false'],
  ),
  ...because(
    'turn-record.ts',
    'set before anything reads it',
    ['[]', '["Stryker was here"]', 'batch: []'],
    ['[]', '["Stryker was here"]', 'left: []'],
    ["'continuation'", '""'],
  ),
  ...because('turn-record.ts', 'an id that nobody has claimed gives nothing back', [
    '[]',
    '["Stryker was here"]',
    'restore: []',
  ]),
  ...because(
    'turn-record.ts',
    'the end of the first step takes its place; until then only what is owed is asked, and nothing is',
    ["{ kind: 'done', owes: false, truncated: false }", '{}'],
    ["'done'", '""'],
  ),
  ...because(
    'assembly.ts',
    'the memo only saves reading the whole history again: without it the same text is found',
    ['known !== undefined && entries[known.upTo - 1] === known.last', 'false'],
    ['entries[known.upTo - 1] === known.last', 'entries[known.upTo - 1] !== known.last'],
    ['entries.slice(known.upTo)', 'entries'],
    ['known.upTo - 1', 'known.upTo + 1'],
    ['-1', '+1'],
  ),
]
