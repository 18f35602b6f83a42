/**
 * How each move of the built-in model is made on the real agent.
 *
 * @module
 */
import type { CancelReceipt } from '../../actors/agent-handle.ts'
import type { ToolPostDecision, ToolPreDecision } from '../../actors/gates.port.ts'
import type { Message } from '../../events/message.ts'
import { approvals } from '../../projections/approvals.ts'
import { script, type ScriptItem } from '../script.ts'
import type { Move } from './model.ts'
import type { Stage } from './stage.ts'
import type { LifecycleCommand, LifecycleEvent } from './words.ts'

/** A receipt as the model writes it. */
const told = ({ effect, discarded, code }: CancelReceipt): string =>
  [effect, ...(discarded.length > 0 ? [discarded.length] : []), ...(code ? [code] : [])].join(' ')

/** The number of the latest turn, or of the first that will be. */
const turnOf = ({ agent }: Stage): number =>
  Math.max(1, agent.log.read().filter(({ type }) => type === 'turn/start').length)

const commands: { readonly [Name in LifecycleCommand]: Move } = {
  followup: (stage) => void stage.agent.followup(stage.message()),
  steer: (stage) => void stage.agent.steer(stage.message()),
  inject: (stage) => void stage.agent.inject(stage.message()),
  'inject a turn': (stage) => void stage.agent.inject(stage.message(), { turn: true }),
  clear: ({ agent }) => String(agent.inbox.clear()),
  cancel: ({ agent }) => told(agent.cancel()),
  'cancel, keep': ({ agent }) => told(agent.cancel('user', { keepInbox: true })),
  'cancel, restore': ({ agent }) => told(agent.cancel('user', { restoreClaimed: true })),
  'cancel, resume': ({ agent }) => told(agent.cancel('user', { resume: true })),
  'cancel this turn': (stage) => told(stage.agent.cancel('user', { turn: turnOf(stage) })),
  'cancel another turn': (stage) => told(stage.agent.cancel('user', { turn: turnOf(stage) + 1 })),
  abort: ({ agent }) => told(agent.abort()),
  'abort, restore': ({ agent }) => told(agent.abort('user', { restoreClaimed: true })),
  dispose: (stage) => stage.dispose(),
  'dispose, keep': (stage) => stage.dispose({ keepInbox: true }),
  maintain: (stage) => stage.maintain(),
}

/** Arms the gate `name`, then makes `move`. */
const armed =
  (name: string, move: Move): Move =>
  (stage) => {
    stage.arm(name)
    return move(stage)
  }

const says =
  (...items: readonly ScriptItem[]): Move =>
  (stage) => {
    stage.says(...items)
  }

const settles =
  (name: string, answer?: unknown): Move =>
  (stage) => {
    stage.settle(name, typeof answer === 'object' ? () => answer : answer)
  }

const fails =
  (name: string): Move =>
  (stage) => {
    stage.fail(name)
  }

const decides = (decision: ToolPreDecision): Move => settles('toolPre', decision)
const accounts = (decision: ToolPostDecision): Move => settles('toolPost', decision)

/** Answers the open question. */
const answers =
  (answer: 'allow' | 'deny'): Move =>
  ({ agent }) => {
    agent.approve(agent.read(approvals).open[0]?.call.key ?? 'none', answer)
  }

const said = says(script.text('said'))
const called = says(script.call('c1', 'held'))
const failed = says(script.text('half'), script.fail('AUTH'))
const first = settles('tool')
const restoring = ({ batch }: { readonly batch: readonly Message[] }): object => ({
  kind: 'reject',
  reason: 'not now',
  restore: batch.map(({ id }) => id),
})

/** The moves, by name. */
export const moves: { readonly [Name in LifecycleEvent]: Move } = {
  ...commands,
  hop: () => {},
  'hop, assembly waits': armed('assembly', () => {}),
  'assembly ends': settles('assembly'),
  'assembly throws': fails('assembly'),
  'gate enters': settles('preStep'),
  'gate enters, request waits': armed('request', settles('preStep')),
  'gate rejects': settles('preStep', { kind: 'reject', reason: 'not this' }),
  'gate rejects and restores': settles('preStep', restoring),
  'gate drops all': settles('preStep', { kind: 'enter', messages: [] }),
  'gate answers badly': settles('preStep', () => 'perhaps'),
  'gate throws': fails('preStep'),
  'request passes': settles('request'),
  'request gate throws': fails('request'),
  'model says': said,
  'model says nothing': says(script.finish('stop')),
  'model says, review waits': armed('stepResult', said),
  'model says, weighing waits': armed('continuation', said),
  'model is cut at its limit': says(script.text('said'), script.finish('max-tokens')),
  'model is cut in a call': says(script.call('c1', 'held'), script.finish('max-tokens')),
  'model begins': (stage) => stage.begins(script.text('half')),
  'model ends': says(script.finish('stop')),
  'model breaks off': says(script.throw('line broke')),
  'model fails': failed,
  'model fails, appeal waits': armed('requestError', failed),
  'model flakes': says(script.text('half'), script.fail('SERVER')),
  'model hangs': (stage) => stage.hangs(script.text('half')),
  'model calls': called,
  'model calls nobody': says(script.call('c1', 'nobody')),
  'model calls, policy waits': armed('toolPre', called),
  'model calls two': says(script.call('c1', 'held'), script.call('c2', 'held')),
  'model calls two at once': says(script.call('c1', 'side'), script.call('c2', 'side')),
  silence: (stage) => stage.passSilence(),
  'review passes': settles('stepResult'),
  'review throws': fails('stepResult'),
  'appeal retries': settles('requestError', { action: 'retry' }),
  'appeal is dropped': settles('requestError', () => {}),
  'appeal throws': fails('requestError'),
  'back-off ends': (stage) => stage.passBackOff(),
  'policy allows': decides({ kind: 'allow' }),
  'policy denies': decides({ kind: 'deny', reason: 'not this' }),
  'policy throws': fails('toolPre'),
  'policy asks': decides({ kind: 'ask' }),
  'person allows': answers('allow'),
  'person denies': answers('deny'),
  'tool returns': first,
  'tool returns, audit waits': armed('toolPost', first),
  'tool fails': fails('tool'),
  'tool concludes': settles('tool', 'conclude'),
  'tool time is up': (stage) => stage.passToolTime(),
  'second tool returns': settles('second tool'),
  'second tool fails': fails('second tool'),
  'audit passes': settles('toolPost'),
  'audit blocks': accounts({ kind: 'block', feedback: 'not this' }),
  'audit throws': fails('toolPost'),
  'weighing goes on': settles('continuation', () => 'continue'),
  'weighing stops': settles('continuation', () => 'stop'),
  'weighing leaves it': settles('continuation'),
  'weighing throws': fails('continuation'),
  'stop is accepted': settles('turnStopping'),
  'stop gate throws': fails('turnStopping'),
  'grace ends': (stage) => stage.passGrace(),
  'task ends': settles('task'),
  'task fails': fails('task'),
}
