/**
 * Moments a command can wait for: a stream, a pending request, a running body, an event, an open question.
 *
 * @module
 */
import { eventType } from './parse-place.ts'
import { count, match, namesIn } from './phrase.ts'
import type { AgentRun, World } from './world.ts'

/** Has the moment come? */
export type Test = (world: World) => boolean

/** Something of that name waits. */
export const waitsFor =
  (...names: string[]): Test =>
  (world) =>
    names.some((name) => world.waits(name))

/** Requests of one session, or of all. */
const made = (world: World, session?: string): World['requests'] =>
  world.requests.filter((one) => session === undefined || one.agent === session)

/** The first visible chunk of the current request stands in the log; any chunk, where the script shows none. */
export function streaming(n: number | undefined, session?: string): Test {
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

/** The request was made and waits at a gate of its script. */
export const pending =
  (n: number | undefined): Test =>
  (world) => {
    const current = n === undefined ? world.requests.at(-1) : world.requests[n - 1]
    return current?.gated === true
  }

/** A retry is recorded and its request is not made yet. */
export const backingOff: Test = (world) =>
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
export function bodiesRun(names: string): Test {
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
export function durable(words: string): Test | undefined {
  const hit = match(/^(?:the )?([a-z/ -]+?)(?: (?:of |event )?"?([\w.]+)"?)?$/, words.trim())
  const type = hit === undefined ? undefined : eventType(hit.at(1))
  if (hit === undefined || type === undefined || type === '') return undefined
  const name = hit.at(2).replace('.', String.raw`\.`)
  const pattern = new RegExp(name === '' ? '' : `(?:^|[ "])${name}(?:$|[ ".])`)
  return (world) =>
    [...world.agents.values()].some((run) =>
      run.lines.some((line) => line.type === type && pattern.test(line.line)),
    )
}

/** The turn has ended. */
export const turnOver =
  (n: number): Test =>
  (world) =>
    [...world.agents.values()].some((run) =>
      run.events.some((event) => event.type === 'turn/end' && event.data.turn === n),
    )

/** The turn was opened. */
export const turnOpen =
  (n: number): Test =>
  (world) =>
    [...world.agents.values()].some((run) =>
      run.events.some((event) => event.type === 'turn/start' && event.data.turn === n),
    )

/** Questions that are asked and not decided. */
const openQuestions = (run: AgentRun): string[] => {
  const decided = run.events.flatMap((event) =>
    event.type === 'approval/decided' ? [event.data.call.key] : [],
  )
  return run.events.flatMap((event) =>
    event.type === 'approval/asked' && !decided.includes(event.data.call.key)
      ? [event.data.call.providerId]
      : [],
  )
}

/** So many questions are open, among them that about `call`. */
export const approval =
  (least: number, call?: string): Test =>
  (world) =>
    [...world.agents.values()].some((run) => {
      const open = openQuestions(run)
      return open.length >= least && (call === undefined || open.includes(call))
    })

/** Something is aborted and still running. */
export const converging: Test = (world) =>
  [...world.agents.values()].some(
    (run) =>
      run.agent.status === 'running' && run.lines.some(({ type }) => type === 'cancel/requested'),
  )
