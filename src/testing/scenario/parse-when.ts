/**
 * Reads when a command is issued.
 *
 * @module
 */
import type { Place } from './moment.ts'
import {
  waitsFor,
  streaming,
  pending,
  backingOff,
  bodiesRun,
  durable,
  turnOver,
  turnOpen,
  approval,
  converging,
  type Test,
} from './moments.ts'
import { gateNamed, parsePlace } from './parse-place.ts'
import { DURATION, group, msIn, ORDINAL, ordinal } from './phrase.ts'
import type { World } from './world.ts'

export type When =
  | { readonly kind: 'now' }
  | { readonly kind: 'then' }
  | { readonly kind: 'microtask' }
  /** After `session` has become quiescent. */
  | { readonly kind: 'idle'; readonly session: string; readonly label: string }
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'reach'; readonly test: (world: World) => boolean }
  | { readonly kind: 'inside'; readonly place: Place; readonly micro: boolean }

type Rule = readonly [RegExp, (hit: RegExpExecArray) => When | undefined]

const reach = (test: Test): When => ({ kind: 'reach', test })
const idle = (session = 's1', label = 'idle'): When => ({ kind: 'idle', session, label })

const WAITERS: Readonly<Record<string, string>> = {
  assembly: 'assembly',
  'system prompt': 'assembly',
  'request hook': 'request',
  'request composition': 'request',
  recovery: 'requestError',
  'stop gate': 'turnStopping',
  'stop hook': 'turnStopping',
}

function gateWaits(name: string): When | undefined {
  if (/^(?:a |the )?(?:gate|hook)$/.test(name)) return reach(waitsFor('gate'))
  const gate = WAITERS[name] ?? gateNamed(name)
  return gate === undefined ? undefined : reach(waitsFor(gate))
}

function whenDurable(words: string): When | undefined {
  const test = durable(words)
  return test === undefined ? undefined : reach(test)
}

/** The nth of the events or notices that match, counted from the start. */
const nthOf = (
  text: string,
  nth: number,
  kind: Place['kind'],
  matches: Place['matches'],
): When => ({
  kind: 'inside',
  micro: false,
  place: { text, nth, fixed: true, kind, matches },
})

const RULES: readonly Rule[] = [
  [
    /^(?:in |inside )?(?:a |the )?(?:listener|observer) of the (?:goal|round) insertion$/,
    ([text]) =>
      nthOf(
        text,
        1,
        'notice',
        (m) =>
          m.kind === 'notice' &&
          m.notice.type === 'inserted' &&
          m.notice.message.source.kind === 'goal',
      ),
  ],
  [
    /^(?:the )?round (?:is )?streaming$/,
    ([text]) => nthOf(text, 1, 'request', (m) => m.kind === 'request'),
  ],
  [
    /^(?:after|in|during) round (\d+)$/,
    ([text, n]) =>
      nthOf(text, Number(n), 'event', (m) => m.kind === 'event' && m.event.type === 'step/end'),
  ],
  [/^(?:the )?setup (?:is )?(?:pending|waiting|hung)$/, () => reach(waitsFor('setup'))],
  [
    /^(?:model )?request (\d+)(?: is| was)? (?:made|sent|running)$/,
    ([, n]) => reach((world) => world.requests.length >= Number(n)),
  ],
  [/^(c\d+) settled$/, ([, call = '']) => whenDurable(`settled ${call}`)],
  [
    /^(?:while )?converging$|^(?:while |during )?(?:disposing|disposal|tear-?down)(?: under way)?$/,
    () => reach(converging),
  ],
  [
    new RegExp(`^(?:the )?(${ORDINAL}) (?:model )?request (pending|streaming)$`),
    ([, nth = '', how]) =>
      reach(how === 'pending' ? pending(ordinal(nth)) : streaming(ordinal(nth))),
  ],
  [
    /^turn (\d+) streaming$/,
    ([, n]) =>
      reach(
        (world) => world.requests.at(-1)?.context.turn === Number(n) && streaming(undefined)(world),
      ),
  ],
  [/^(?:both|all) (?:approvals|questions) (?:pending|open|asked)$/, () => reach(approval(2))],
  [
    /^(?:the )?(?:approval|question) (?:for|of|about) (\w+) (?:pending|open|asked)$/,
    ([, call]) => reach(approval(1, call)),
  ],
  [/^after (?:the )?maintenance(?: task)?$/, () => idle('s1', 'after idle')],
  [/^(?:the )?(?:second|third|next) idle$/, () => idle('s1', 'after idle')],
  [/^(?:the )?next macrotask$|^two microtasks later$/, () => ({ kind: 'microtask' })],
  [
    /^after (?:the )?(turn\/(?:start|end)|step\/(?:start|end)) ?(\S+)?$/,
    ([, type = '', at]) => whenDurable(at === undefined ? type : `${type} ${at}`),
  ],
  [/^(?:idle|start|at start)$/, () => idle('s1', 'idle')],
  [/^(?:same tick|in the same tick|at once|immediately|concurrently)$/, () => ({ kind: 'now' })],
  [/^(?:then|next|afterwards)$/, () => ({ kind: 'then' })],
  [/^(?:the )?next microtask$|^one microtask later$/, () => ({ kind: 'microtask' })],
  [
    /^(?:after|once) (?:the )?(?:first |second |third )?(?:idle|quiescence|whenIdle)$|^(?:agent|status) (?:is )?idle$|^idle again$|^at idle$/,
    () => idle('s1', 'after idle'),
  ],
  [/^(?:after|once) agent (\d) (?:is )?idle$/, ([, n]) => idle(`s${n ?? '1'}`, 'after idle')],
  [
    new RegExp(`^(?:after )?${DURATION}(?: later)?$`),
    (hit) => ({ kind: 'later', ms: msIn(hit[0]) ?? 0 }),
  ],
  [
    /^(?:model|request|round|stream)(?: request)?(?: (\d+))?(?: is)? streaming(?: (?:in|of) turn \d+)?$/,
    ([, n]) => reach(streaming(n === undefined ? undefined : Number(n))),
  ],
  [/^(?:model )?request (\d+) streaming$/, ([, n]) => reach(streaming(Number(n)))],
  [/^model (?:of )?agent (\d) streaming$/, ([, n]) => reach(streaming(undefined, `s${n ?? '1'}`))],
  [
    /^(?:model )?request(?: (\d+))?(?: is)? (?:pending|gated|waiting)$/,
    ([, n]) => reach(pending(n === undefined ? undefined : Number(n))),
  ],
  [
    /^(?:the )?approval (?:pending|open|asked)$|^question (?:open|pending)$/,
    () => reach(approval(1)),
  ],
  [/^(?:the )?back-?off (?:pending|waiting|running)$/, () => reach(backingOff)],
  [
    /^(?:the )?maintenance(?: task)? (?:running|runs|waiting)$/,
    () => reach(waitsFor('maintenance')),
  ],
  [
    /^(?:the )?(?:store )?(?:flush|checkpoint)(?: before .*)?(?: (?:is )?(?:waiting|pending))?$/,
    () => reach(waitsFor('flush')),
  ],
  [/^(.+?) (?:is )?waiting$/, ([, name = '']) => gateWaits(name)],
  [/^turn (\d+) (?:running|open|started)$/, ([, n]) => reach(turnOpen(Number(n)))],
  [
    /^(?:after turn (\d+)|turn (\d+) (?:over|ended|finished|done))$/,
    ([, a, b]) => reach(turnOver(Number(a ?? b))),
  ],
  [
    /^(?:when |once |while )?(.+?) (?:is |are )?(?:running|runs|run|started)$/,
    ([, names = '']) => reach(bodiesRun(names)),
  ],
  [
    /^(?:when |once |after )?(.+?) (?:is )?(?:durable|recorded|committed)$/,
    ([, words = '']) => whenDurable(words),
  ],
  [
    /^(?:after (?:dispose|disposal)|disposed|after it is disposed)$/,
    () => reach((world) => world.run().agent.status === 'disposed'),
  ],
  [
    /^(?:after )?(?:the )?(?:cancel|abort)(?: (?:has )?converged)?$/,
    () => idle('s1', 'after idle'),
  ],
]

const MICRO = /^(?:in )?(?:a |the )?microtask (?:scheduled|queued) (?:by|from|in|inside) (.+)$/
const INSIDE = /^(?:inside|synchronously inside|in|from|within) (.+)$/

/** `inside X`, or a microtask scheduled there. */
function readInside(phrase: string): When | undefined {
  const micro = group(MICRO, phrase)
  const where = micro ?? group(INSIDE, phrase)
  const place = where === undefined ? undefined : parsePlace(where)
  return place === undefined ? undefined : { kind: 'inside', place, micro: micro !== undefined }
}

/** Reads a `when`; undefined if it says nothing. */
export function parseWhen(text: string): When | undefined {
  const phrase = text.trim()
  const inside = readInside(phrase)
  if (inside !== undefined) return inside
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(phrase)
    const when = hit === null ? undefined : make(hit)
    if (when !== undefined) return when
  }
  return undefined
}
