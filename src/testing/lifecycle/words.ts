/**
 * The words of the built-in lifecycle model: what can be done to an agent from outside, what may answer it, and where
 * it can stand.
 *
 * @module
 */

/** What a caller can do. */
export const COMMANDS = [
  'followup',
  'steer',
  'inject',
  'inject a turn',
  'clear',
  'cancel',
  'cancel, keep',
  'cancel, restore',
  'cancel, resume',
  'cancel this turn',
  'cancel another turn',
  'abort',
  'abort, restore',
  'dispose',
  'dispose, keep',
  'maintain',
] as const

/** What gates, models, tools, tasks, people and the clock can do. `hop`: the microtasks behind a command have passed. */
export const ANSWERS = [
  'hop',
  'hop, assembly waits',
  'assembly ends',
  'assembly throws',
  'gate enters',
  'gate enters, request waits',
  'gate rejects',
  'gate rejects and restores',
  'gate drops all',
  'gate answers badly',
  'gate throws',
  'request passes',
  'request gate throws',
  'model says',
  'model says nothing',
  'model says, review waits',
  'model says, weighing waits',
  'model is cut at its limit',
  'model is cut in a call',
  'model begins',
  'model ends',
  'model breaks off',
  'model fails',
  'model fails, appeal waits',
  'model flakes',
  'model hangs',
  'model calls',
  'model calls nobody',
  'model calls, policy waits',
  'model calls two',
  'model calls two at once',
  'silence',
  'review passes',
  'review throws',
  'appeal retries',
  'appeal is dropped',
  'appeal throws',
  'back-off ends',
  'policy allows',
  'policy denies',
  'policy throws',
  'policy asks',
  'person allows',
  'person denies',
  'tool returns',
  'tool returns, audit waits',
  'tool fails',
  'tool concludes',
  'tool time is up',
  'second tool returns',
  'second tool fails',
  'audit passes',
  'audit blocks',
  'audit throws',
  'weighing goes on',
  'weighing stops',
  'weighing leaves it',
  'weighing throws',
  'stop is accepted',
  'stop gate throws',
  'grace ends',
  'task ends',
  'task fails',
] as const

/** A command of the built-in model. */
export type LifecycleCommand = (typeof COMMANDS)[number]

/** A move of the built-in model. */
export type LifecycleEvent = LifecycleCommand | (typeof ANSWERS)[number]

/** A state of the built-in model while a turn runs that nobody has aborted. */
export type TurnState =
  | 'opening'
  | 'assembling'
  | 'gated'
  | 'gated again'
  | 'composing'
  | 'streaming'
  | 'streaming again'
  | 'speaking'
  | 'hanging'
  | 'reviewing'
  | 'appealing'
  | 'backing off'
  | 'admitting'
  | 'asking'
  | 'tooling'
  | 'one tool of two'
  | 'two tools'
  | 'last tool'
  | 'accounting'
  | 'weighing'
  | 'stopping'

/** A state of the built-in model in which nothing may begin any more. */
export type EndingState =
  | 'converging'
  | 'cutting'
  | 'draining'
  | 'draining two'
  | 'draining last'
  | 'disposing'
  | 'disposing a stream'
  | 'disposing a tool'
  | 'disposing two tools'
  | 'disposing the last tool'
  | 'disposing a task'
  | 'disposed'

/** A state of the built-in model. */
export type LifecycleState =
  | 'idle'
  | TurnState
  | EndingState
  | 'maintaining'
  | 'maintenance aborted'
