/**
 * Reads when a command is issued.
 *
 * @module
 */
import type { Place } from './moment.ts'
import { eventType, gateNamed, parsePlace } from './parse-place.ts'
import { count, DURATION, group, msIn, namesIn } from './phrase.ts'
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

type Test = (world: World) => boolean
type Rule = readonly [RegExp, (hit: RegExpExecArray) => When | undefined]

const reach = (test: Test): When => ({ kind: 'reach', test })
const waitsFor =
  (...names: string[]): Test =>
  (world) =>
    names.some((name) => world.waits(name))

/** Requests of one session, or of all. */
const made = (world: World, session?: string): World['requests'] =>
  world.requests.filter((one) => session === undefined || one.agent === session)

/** The first visible chunk of the current request stands in the log; any chunk, where the script shows none. */
function streaming(n: number | undefined, session?: string): Test {
  return (world) => {
    const requests = made(world, session)
    const current = n === undefined ? requests.at(-1) : requests[n - 1]
    if (current === undefined) return false
    const { turn, step, attempt } = current.context
    const run = world.run(current.agent)
    return run.events.some(
      (event) =>
        event.type === 'assistant/chunk' &&
        event.data.turn === turn &&
        event.data.step === step &&
        event.data.attempt === attempt &&
        (/text-delta|reasoning-delta/.test(event.data.chunk.kind) ||
          (current.stalled && event.data.chunk.kind !== 'usage')),
    )
  }
}

const pending =
  (n: number | undefined): Test =>
  (world) => {
    const current = n === undefined ? world.requests.at(-1) : world.requests[n - 1]
    return current?.gated === true
  }

/** A retry is recorded and its request is not made yet. */
const backingOff: Test = (world) =>
  [...world.agents.values()].some((run) => {
    const last = run.events.findLast((event) => event.type === 'request/failed')
    const retries = run.events.filter((event) => event.type === 'request/failed').length
    return (
      last?.data.action === 'retry' &&
      made(world, run.name).length <= retries &&
      world.clock.timers > 0
    )
  })

const isCount = (word: string): boolean => !Number.isNaN(count(word))

/** `c1 and c2 running`, `all three running`, `tool running`, `t running`. */
function bodiesRun(names: string): Test {
  const words = namesIn(names.replace(/^(?:tools?|calls?|body|bodies)(?: of)? (?=\S)/, ''))
  if (/^(?:all|both|all \w+)$/.test(names)) {
    const wanted = names === 'both' ? 2 : names === 'all' ? undefined : count(names.slice(4))
    return (world) => runningCount(world) > 0 && runningCount(world) >= (wanted ?? callsOf(world))
  }
  if (/^(?:(?:a|the) )?(?:tool|tool body|body)$/.test(names))
    return (world) => runningCount(world) > 0
  if (words.length === 1 && isCount(words[0] ?? ''))
    return (world) => runningCount(world) >= count(words[0] ?? '')
  return (world) =>
    words.every((word) =>
      world.bodies.some((body) => body.running && (body.call === word || body.tool === word)),
    )
}

const runningCount = (world: World): number => world.bodies.filter((body) => body.running).length

/** Calls of the last assistant message. */
function callsOf(world: World): number {
  for (const run of world.agents.values()) {
    const last = run.events.findLast((event) => event.type === 'assistant/message')
    const calls =
      last?.data.message.content.filter((block) => block.type === 'tool-call').length ?? 0
    if (calls > 0) return calls
  }
  return 1
}

/** `result c3 durable`, `turn/end 1 durable`, `tool/settled of c2`. */
function durable(words: string): When | undefined {
  const hit = /^(?:the )?([a-z/ -]+?)(?: (?:of |event )?"?([\w.]+)"?)?$/.exec(words.trim())
  const type = hit === null ? undefined : eventType(hit[1] ?? '')
  if (type === undefined || type === '') return undefined
  const name = hit?.[2]
  const pattern =
    name === undefined
      ? undefined
      : new RegExp(`(?:^|[ "])${name.replace('.', String.raw`\.`)}(?:$|[ ".])`)
  return reach((world) =>
    [...world.agents.values()].some((run) =>
      run.lines.some(
        (line) => line.type === type && (pattern === undefined || pattern.test(line.line)),
      ),
    ),
  )
}

const turnOver =
  (n: number): Test =>
  (world) =>
    [...world.agents.values()].some((run) =>
      run.events.some((event) => event.type === 'turn/end' && event.data.turn === n),
    )

const turnOpen =
  (n: number): Test =>
  (world) =>
    [...world.agents.values()].some((run) =>
      run.events.some((event) => event.type === 'turn/start' && event.data.turn === n),
    )

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

const RULES: readonly Rule[] = [
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
    /^(?:model )?request(?: (\d+))?(?: is)? (?:pending|made|gated|waiting)$/,
    ([, n]) => reach(pending(n === undefined ? undefined : Number(n))),
  ],
  [
    /^(?:the )?approval (?:pending|open|asked)$|^question (?:open|pending)$/,
    () => reach(approvalOpen),
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
    ([, words = '']) => durable(words),
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

const approvalOpen: Test = (world) =>
  [...world.agents.values()].some((run) => {
    const asked = run.events.filter((event) => event.type === 'approval/asked').length
    return asked > run.events.filter((event) => event.type === 'approval/decided').length
  })

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
