/**
 * Plays commands on an agent of yours and prints what it recorded: the shortest way to a test of a life cycle.
 *
 * @module
 */
import { createAgent } from '../actors/agent.ts'
import type { Agent } from '../actors/agent-handle.ts'
import type { AgentOptions } from '../actors/agent-options.ts'
import type { Model } from '../actors/model.port.ts'
import type { StoredEvent } from '../events/event.ts'
import { printLog } from './print-event.ts'
import { printRequest } from './print-request.ts'
import { parseVerbs, readVerb } from './scenario/parse-verbs.ts'
import { parseWhen } from './scenario/parse-when.ts'
import { Performer, type Planned } from './scenario/perform.ts'
import { recordRun } from './scenario/record-run.ts'
import { Refusals } from './scenario/refusing-log.ts'
import { PhraseError } from './scenario/scenario.ts'
import { World } from './scenario/world.ts'
import type { RecordedRequest } from './scripted-model.ts'
import { settle, type VirtualClock } from './virtual-clock.ts'

/** What a play left behind. */
export interface Played {
  /** The log in the notation of scenarios, without chunks and request headers. */
  readonly log: readonly string[]
  /** The same with `status X` and `error T.S` where they were announced. */
  readonly trace: readonly string[]
  /** History of each request that was made. */
  readonly requests: readonly (readonly string[])[]
  readonly events: readonly StoredEvent[]
  readonly statuses: readonly string[]
  readonly agent: Agent
  readonly clock: VirtualClock
}

/** `moment: command`, or a command that is issued when everything before it is idle. */
function plannedOf(line: string, first: boolean): Planned {
  const at = line.indexOf(': ')
  const when = at < 0 ? undefined : parseWhen(line.slice(0, at))
  const { verbs, unread } = parseVerbs(when === undefined ? line : line.slice(at + 2))
  const idle = parseWhen(first ? 'then' : 'idle')
  if (unread.length > 0 || idle === undefined) {
    throw new PhraseError(`cannot read the command ${JSON.stringify(unread.join('; '))}`)
  }
  return { text: line, when: when ?? idle, verbs }
}

/** The model, telling the world of every request. */
function watched(model: Model, world: World): Model {
  return {
    ...model,
    stream(request, context) {
      const stream = model.stream(request, context)
      const known = (model as { readonly requests?: readonly RecordedRequest[] }).requests?.at(-1)
      const made = known ?? {
        request,
        context,
        history: printRequest(request.messages),
        gated: false,
        stalled: false,
      }
      world.requests.push(Object.assign(made, { agent: context.agent }))
      return stream
    },
  }
}

/**
 * Plays `commands` one after another on a new agent, on a virtual clock, and waits until it rests.
 *
 * A command is written as in scenarios: `followup A`, `steer S; cancel user`; `moment: command` waits for its moment
 * first: `model streaming: cancel user`, `tool running: followup B`, `inside durable turn/end observer: followup C`.
 * The id of a message is its text.
 *
 * @throws PhraseError for a command that nobody can read.
 */
export async function play(options: AgentOptions, commands: readonly string[]): Promise<Played> {
  const world = new World()
  world.readCommand = readVerb
  const planned = commands.map((line, i) => plannedOf(line, i === 0))
  const performer = new Performer(world, planned, false)
  const { model, ...rest } = options
  const agent = createAgent({
    id: 's1',
    clock: world.clock,
    ...rest,
    ...(model === undefined ? {} : { model: watched(model, world) }),
  })
  const run = recordRun(world, 's1', agent, { diagnostics: [], refusals: new Refusals() })
  await performer.perform()
  await world.settled(agent.whenIdle())
  if (run.disposing) await world.settled(agent.dispose())
  await settle()
  const never = performer.missed.map((text) => `the moment of this command never came: ${text}`)
  const [wrong] = [...performer.diffs, ...never]
  if (wrong !== undefined) throw new PhraseError(wrong)
  return {
    log: printLog(run.events),
    trace: run.trace
      .filter(({ type }) => !/^(?:assistant\/chunk|request\/(?:header|context))$/.test(type))
      .map(({ line }) => line),
    requests: world.requests.map((made) => made.history),
    events: [...run.events],
    statuses: [...run.statuses],
    agent,
    clock: world.clock,
  }
}
