/**
 * Commands that stop, wait, and open doors: cancel, abort, dispose, release, maintenance, runs, approvals.
 *
 * @module
 */
import type { RunOptions } from '../../actors/agent-handle.ts'
import type { RetryPolicy } from '../../actors/agent-options.ts'
import { unloadRetry } from '../../actors/retry-policy.ts'
import type { Cause } from '../../events/message.ts'
import { looseRecord, looseValue } from './loose-value.ts'
import { maintenanceTask } from './maintenance-task.ts'
import { messagePhrase } from './message-phrase.ts'
import { namesIn, ORDINAL, ordinal, quotedIn } from './phrase.ts'
import type { Ctx, Reading, VerbRule } from './verb.ts'

const optionsIn = (text: string): Record<string, unknown> => {
  const braces = /\{(.*)\}/s.exec(text)?.[1]
  const words = /\bwith (keepInbox|resume|restoreClaimed)\b(?: and (\w+))?/.exec(text)
  const turn = /\b(?:aimed at |of |for )?turn (\d+)\b/.exec(text.replace(/\{.*\}/s, ''))?.[1]
  return {
    ...(braces === undefined ? {} : looseRecord(braces)),
    ...(words === null
      ? {}
      : { [words[1] ?? '']: true, ...(words[2] === undefined ? {} : { [words[2]]: true }) }),
    ...(turn === undefined ? {} : { turn: Number(turn) }),
  }
}

const KINDS = /\b(user|parent|hook|disposed)\b/

/** The cause as an object of the caller, so that its identity can be looked at. */
function causeIn(ctx: Ctx, text: string): Cause {
  const record = /\{[^}]*\bkind:? [^}]*\}/.exec(text)?.[0]
  const kind = (KINDS.exec(text)?.[1] ?? 'user') as Cause['kind']
  const cause = record === undefined ? { kind } : (looseValue(record) as Cause)
  if (!ctx.world.values.has('first cause')) ctx.world.values.set('first cause', cause)
  return cause
}

function canceling(text: string): Reading {
  const cause = text.replace(/\{(?![^}]*\bkind)[^}]*\}/, '')
  const options = optionsIn(text.replace(/\{[^}]*\bkind[^}]*\}/, ''))
  return {
    key: `cancel ${KINDS.exec(cause)?.[1] ?? 'user'} ${JSON.stringify(options)}`,
    act: (ctx) => ctx.agent.cancel(causeIn(ctx, cause), options),
  }
}

function aborting(text: string): Reading {
  const options = optionsIn(text)
  return {
    key: `abort ${KINDS.exec(text)?.[1] ?? 'user'} ${JSON.stringify(options)}`,
    act: (ctx) => ctx.agent.abort(causeIn(ctx, text), options),
  }
}

const disposing = (text: string): Reading => {
  const options = optionsIn(text)
  return {
    key: `dispose ${JSON.stringify(options)}`,
    act(ctx) {
      ctx.run.disposing = true
      const done = ctx.agent.dispose(options)
      ctx.world.promises.set('dispose', done)
      return done
    },
  }
}

function releasing(list: string): Reading {
  const names = namesIn(list.replace(/^(?:gate|the gate|tool|body|call|the tool|the body) /, ''))
  return {
    key: `release ${list}`,
    act({ world }) {
      if (names.length === 0 || /^(?:it|all|everything|them|the tool|both)$/.test(list))
        return world.latches.openAll()
      for (const name of names) {
        const calls = world.bodies.filter((body) => body.call === name).length
        if (calls > 1) world.latches.admit(name)
        else world.latches.open(name)
      }
    },
  }
}

const maintaining = (spec: string): Reading => ({
  key: `runMaintenance ${spec}`,
  act(ctx) {
    const done = ctx.agent.runMaintenance(maintenanceTask(ctx, spec))
    ctx.world.promises.set('maintenance', done)
    return done
  },
})

function running(args: string): Reading {
  const options = looseRecord(/,\s*\{(.*)\}$/s.exec(args)?.[1] ?? '') as RunOptions
  const message = messagePhrase(quotedIn(args)[0] ?? args.replace(/,\s*\{.*$/s, ''))
  return { key: `run ${message.text}`, act: (ctx) => ctx.agent.run(message.input, options) }
}

/** The key of the last question about a call. */
function callKey(ctx: Ctx, name: string | undefined): string {
  const asked = ctx.run.events.findLast(
    (event) =>
      event.type === 'approval/asked' &&
      (name === undefined || event.data.call.providerId === name),
  )
  return asked?.type === 'approval/asked' ? asked.data.call.key : (name ?? '')
}

const answering = (answer: string, call: string | undefined): Reading => ({
  key: `${answer} ${call ?? ''}`,
  act: (ctx) =>
    ctx.agent.approve(callKey(ctx, call), /^(?:approve|allow|yes)/.test(answer) ? 'allow' : 'deny'),
})

/** Flushes fail from here on: `once`, `the second flush`, or all of them. */
function failing(which: string): Reading {
  const nth = new RegExp(`\\b(${ORDINAL})\\b`).exec(which)?.[1]
  const only = /once/.test(which) ? 1 : nth === undefined ? undefined : ordinal(nth)
  return {
    act: ({ run }) =>
      run.refusals.add({
        refuses: (n) => only === undefined || n === only,
        message: () => quotedIn(which)[0] ?? 'store broke',
      }),
  }
}

const BRACES = String.raw`\{[^}]*\}`
const CAUSE = `(?:"?(?:user|parent|hook|disposed)"?|${BRACES})`
const WITH = `(?:(?: with)? ?${BRACES}| with (?:keepInbox|resume|restoreClaimed)(?: and \\w+)?)`
const TURN = String.raw`(?: (?:aimed at |of |for )?turn \d+)`
const CANCEL = new RegExp(`^cancel((?: ${CAUSE})?${WITH}?${TURN}?${WITH}?)$`)
const ABORT = new RegExp(`^abort((?: ${CAUSE})?${WITH}?${TURN}?)$`)

export const CONTROL_RULES: readonly VerbRule[] = [
  [/^cancel\((.*)\)$/s, ([, args = '']) => canceling(args)],
  [CANCEL, ([, args = '']) => canceling(args)],
  [/^abort\((.*)\)$/s, ([, args = '']) => aborting(args)],
  [ABORT, ([, args = '']) => aborting(args)],
  [
    /^(?:start )?(?:the )?(?:dispos(?:e|al|ing)|suspend|asyncDispose)(?:\(\)|\(?\s?\{[^}]*\}\)?| with keepInbox)?(?: (?:it|(?:of )?(?:the |its |its own )?(?:handle|agent)(?: from the host)?))?$/,
    (hit) => disposing(/suspend/.test(hit[0]) ? '{keepInbox: true}' : hit[0]),
  ],
  [/^release(?:\((.*)\)| (.+))?$/, ([, args = '', list = '']) => releasing(args + list)],
  [/^open(?: gate)? "?(\w+)"?$/, ([, name = '']) => releasing(name)],
  [
    /^let "?(\w+)"? (?:reject|fail|settle|return|finish|go)(?:.*)$/,
    ([, name = '']) => releasing(name),
  ],
  [/^runMaintenance again(?: works)?$/, () => ({ ...maintaining('again'), mode: 'awaits' })],
  [/^runMaintenance\((.*)\)(?: synchronously)?$/s, ([, spec = '']) => maintaining(spec)],
  [
    /^(?:start |run )?(?:a )?maintenance(?: (?:task|job))?(?: that)? ?\(?(.*?)\)?$/,
    ([, spec = '']) => maintaining(spec),
  ],
  [/^run\((.*)\)$/s, ([, args = '']) => running(args)],
  [/^run "?([\w ]+)"?$/, ([, args = '']) => running(args)],
  [
    /^(approve|deny|allow)\(?\s?"?(c\w*)?"?\)?$/,
    ([, answer = '', call]) => answering(answer, call),
  ],
  [
    /^(?:the )?(?:late )?answer "?(allow|deny|yes|no)"?(?: (?:for|to) (\w+))?(?: arrives)?$/,
    ([, answer = '', call]) => answering(answer, call),
  ],
  [
    /^unload (?:the )?(?:retry )?policy$/,
    () => ({ act: ({ world }) => unloadRetry(world.values.get('retry policy') as RetryPolicy) }),
  ],
  [/^heal (?:the )?log\b.*$/, () => ({ act: ({ run }) => run.refusals.heal() })],
  [/^(?:the log|log|store) heals?$/, () => ({ act: ({ run }) => run.refusals.heal() })],
  [
    /^(?:the )?store (?:rejects|refuses|fails)(?: (?:every|each|the) flush)?(.*)$/,
    ([, which = '']) => failing(which),
  ],
  [/^flush(?:\(\))?$/, () => ({ mode: 'awaits', act: ({ agent }) => agent.log.flush() })],
]
