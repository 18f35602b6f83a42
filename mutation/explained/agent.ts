/**
 * Mutants of the agent, its inbox and its mailbox that no test can or need tell from the original; see `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/actors')

export const EXPLAINED_AGENT: readonly Explained[] = [
  ...because(
    'adoption.ts',
    'always there: the log takes no word of a call that its message does not hold',
    ['call !== undefined', 'true'],
  ),
  ...because('adoption.ts', 'always there: a turn is taken over only where one is open', [
    'opened === undefined',
    'false',
  ]),
  ...because(
    'adoption.ts',
    'the message of the step stands before every question, and its batch takes the place of this one',
    ['{ turn: turn.turn, step: 0 }', '{}'],
    ['false', 'true', 'step: 0'],
  ),
  ...because('adoption.ts', 'it only saves looking at what other turns have left', [
    'events .slice(opened.seq)',
    'events',
  ]),
  ...because('agent.ts', 'a log whose id is undefined makes one of its own', [
    'options.id === undefined',
    'false',
  ]),
  ...because('cancel-signal.ts', 'one that is told twice has its reason already', [
    'true',
    'false',
    'this.joined',
  ]),
  ...because(
    'subscription.ts',
    'the log calls nobody who has left, and nobody can leave before all that is stored was told',
    ['false', 'true', 'live = false'],
  ),
  ...because(
    'schema-issues.ts',
    'whoever calls it has asked for the export before, and without one it throws either way',
    ["schema['~standard'].jsonSchema?.input", "schema['~standard'].jsonSchema.input", 'TARGET'],
  ),
  ...because('agent-desk.ts', 'the machine rests on every word that is none of its others', [
    "'rest'",
    '""',
  ]),
  ...because('agent-desk.ts', 'the machine leaves on every word but flush', ["'leave'", '""']),
  ...because('agent-desk.ts', 'the log is waited for alike at every barrier but that of a step', [
    "'turn'",
    '""',
  ]),
  ...because('agent-desk.ts', 'every list that is not next-turn is next-step', [
    "'next-step'",
    '""',
  ]),
  ...because(
    'agent-desk.ts',
    'running and idle take turns: the count may begin anew at either, or at both',
    ["status === 'running'", 'true'],
    ["status === 'running'", "status !== 'running'"],
  ),
  ...because('agent-desk.ts', 'always there: whoever tells of maintenance has set the task', [
    'task === undefined',
    'false',
  ]),
  ...because(
    'cancel-desk.ts',
    'the machine hears no cancel in maintenance or at rest, and a turn that is taken over was hit',
    ["typeof hit?.turn === 'number'", 'true'],
  ),
  ...because('core.ts', 'a group of one is read from the log alike: the question only saves it', [
    'last.seq === from',
    'false',
  ]),
  ...because('core.ts', 'what the call throws where nobody listens is caught on the next line', [
    'this.reportTo?.(diagnostic)',
    'this.reportTo(diagnostic)',
  ]),
  ...because('core.ts', 'an id of which nothing is pending holds nothing back', [
    '[]',
    '["Stryker was here"]',
  ]),
  ...because(
    'live-parking.ts',
    'other events leave the pending messages alone, so that the same ids are found: the question only saves the search',
    ["!event.type.startsWith('inbox/')", 'false'],
    ["'inbox/'", '""'],
  ),
  ...because(
    'mailbox.ts',
    'it only lets the memory of entries go that have run',
    ['{ this.entries.length = 0 this.head = 0 }', '{}'],
    ['this.head === this.entries.length', 'false'],
  ),
  ...because(
    'open-brackets.ts',
    'always there: a turn is open, so the ledger holds its record',
    ['[]', '["Stryker was here"]'],
    ['ledger.turn?.claimed', 'ledger.turn.claimed'],
  ),
]
