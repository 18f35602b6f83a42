/**
 * The states of the three charts that a log can tell apart: by the event that a state records, and by what may follow it
 * without a record. A test holds every name against the charts themselves.
 *
 * It runs in a browser too, so the charts are not imported.
 *
 * @module
 */

/** States a chart may be in. The first one recorded the last event that tells; the others may have followed in silence. */
export type States = readonly string[]

/** What may follow in the turn chart once a step may be wanted: the admission of a batch. */
const ADMISSION = ['open.assembling', 'open.securing', 'open.gating']
/** What may follow in the step chart once a request may be made. */
const REQUEST = ['securing', 'streaming', 'recovering', 'transforming']

export const AGENT = {
  idle: ['idle'],
  woken: ['idle', 'waking', 'starting'],
  turning: ['running.turning'],
  /** Nothing more asks for work. */
  rests: ['running.turning', 'running.deciding', 'running.securing', 'idle'],
  goesOn: ['running.turning', 'running.deciding', 'running.securing'],
  maintains: ['maintenance'],
} satisfies Record<string, States>

export const TURN = {
  none: [],
  opening: ['open.opening'],
  injecting: ['open.injecting', 'open.sealing'],
  claiming: ['open.claiming', 'open.yielding', ...ADMISSION, 'open.sealing'],
  stepping: ['open.stepping'],
  /** The step has ended: the next one, or the end, is decided. */
  stepped: [
    'open.stepping',
    'open.continuing',
    'open.deciding',
    'open.stopping',
    ...ADMISSION,
    'open.sealing',
  ],
  decided: ['open.decided', 'open.stopping', ...ADMISSION, 'open.sealing'],
  closing: ['open.closing', 'open.sealing', 'open.resting'],
  restoring: ['open.restoring', 'open.closing', 'open.resting'],
  converging: ['open.stepping', 'open.continuing', 'open.converging'],
} satisfies Record<string, States>

const CALLS = ['calling.running', 'calling.accounting']

export const STEP = {
  none: [],
  unopened: ['unopened'],
  opening: ['opening', 'composing', ...REQUEST],
  heading: ['heading', ...REQUEST],
  streaming: ['streaming', 'recovering'],
  streamed: ['streaming', 'recovering', 'transforming'],
  failed: ['noting'],
  retried: ['noting', 'backingOff', 'composing', ...REQUEST],
  committing: ['committing', ...CALLS],
  finalising: ['finalising'],
  cut: ['answering'],
  announcing: [
    'calling.announcing',
    'calling.admitting',
    'calling.flushing',
    ...CALLS,
    // Of a call that is not to run.
    'calling.answering',
    'answering',
  ],
  questioning: ['calling.questioning', 'calling.approving', ...CALLS],
  answered: ['calling.approving', 'calling.admitting', 'calling.flushing', ...CALLS],
  recording: ['calling.recording', ...CALLS],
  drained: [
    'draining.recording',
    'draining.waiting',
    'draining.accounting',
    'draining.answering',
    'draining.withdrawing',
  ],
  closing: ['closing', 'ended'],
} satisfies Record<string, States>

/**
 * States that end by an answer, a timer, the disk or a command, likeliest first; all others are left in the same breath.
 */
const LASTING: States = [
  'idle',
  'running.turning',
  'maintenance',
  'running.securing',
  'open.stepping',
  'open.gating',
  'open.assembling',
  'open.deciding',
  'open.stopping',
  'open.securing',
  'open.resting',
  'calling.approving',
  'calling.running',
  'streaming',
  'backingOff',
  'cutting',
  'draining.waiting',
  'calling.admitting',
  'composing',
  'recovering',
  'transforming',
  'calling.accounting',
  'draining.accounting',
  'calling.flushing',
  'securing',
  'unopened',
  'ended',
]

/** Lists whose first state is left as soon as its event is recorded. */
const LEFT: ReadonlySet<States> = new Set<States>([
  AGENT.rests,
  AGENT.goesOn,
  TURN.stepped,
  TURN.converging,
  TURN.closing,
])

/** The states in which the chart can be found some time later, if nothing more was recorded; likeliest first. */
export function waitsOf(states: States): States {
  const left = LEFT.has(states) ? states.slice(1) : states
  const lasting = LASTING.filter((state) => left.includes(state))
  return lasting.length === 0 ? states.slice(0, 1) : lasting
}

/** States of the agent that no event tells: a log never says whether the agent is in one of them. */
export const UNTOLD: States = [
  'maintenance',
  'disposing',
  'flushing',
  'leaving',
  'disposed',
  // Of an injection turn, whose message is inserted by the turn itself.
  'starting',
]

/** The cancel window of a state of turn or step. */
export const WINDOWS: Readonly<Record<string, string>> = {
  'open.opening': 'W05',
  'open.claiming': 'W06',
  'open.yielding': 'W07',
  'open.assembling': 'W08',
  'open.securing': 'W09',
  'open.gating': 'W09',
  opening: 'W10',
  composing: 'W11',
  heading: 'W11',
  securing: 'W11',
  streaming: 'W12',
  recovering: 'W13',
  noting: 'W14',
  backingOff: 'W14',
  transforming: 'W15',
  committing: 'W16',
  answering: 'W16',
  'calling.announcing': 'W17',
  'calling.admitting': 'W17',
  'calling.questioning': 'W17',
  'calling.approving': 'W17',
  'calling.flushing': 'W17',
  'calling.withdrawing': 'W17',
  'calling.running': 'W18',
  'calling.accounting': 'W19',
  'calling.recording': 'W19',
  'calling.answering': 'W19',
  closing: 'W20',
  'open.continuing': 'W20',
  'open.deciding': 'W21',
  'open.decided': 'W21',
  'open.stopping': 'W22',
  'open.sealing': 'W23',
}
