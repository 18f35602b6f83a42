/**
 * An agent with everything around it that a test wants to look at. Only the model, the tools and the clock are made up.
 *
 * @module
 */
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent, LiveNotice } from '../../src/actors/agent-handle.ts'
import type { AgentOptions, Diagnostic } from '../../src/actors/agent-options.ts'
import type { Model } from '../../src/actors/model.port.ts'
import type { AnyTool, ToolContext } from '../../src/actors/tool.port.ts'
import { defineTool } from '../../src/adapters/define-tool.ts'
import { checkLog } from '../../src/events/enclosure.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { printEvent } from '../../src/testing/print-event.ts'
import type { ScriptEntry, ScriptItem } from '../../src/testing/script.ts'
import { type ScriptedModel, scriptedModel } from '../../src/testing/scripted-model.ts'
import { type VirtualClock, virtualClock } from '../../src/testing/virtual-clock.ts'

type Script = readonly (string | readonly ScriptItem[] | ScriptEntry)[]

export interface RigOptions extends Omit<AgentOptions, 'model' | 'clock'> {
  /** Entries of a script, or a whole model; default: none. */
  readonly model?: Script | Model
  /** Default: one that stands at 0. */
  readonly clock?: VirtualClock
}

export interface Rig {
  readonly agent: Agent
  /** The scripted model; only to be read where a script was given. */
  readonly model: ScriptedModel
  readonly clock: VirtualClock
  readonly diagnostics: Diagnostic[]
  /** Durable events and live notices in the order in which they were told, printed. */
  readonly trace: string[]
  /** The printed log, without chunks and request headers. */
  readonly log: () => string[]
  /** Ends of turns, printed. */
  readonly ends: () => string[]
}

const QUIET = ['assistant/chunk', 'request/header', 'request/context']

const PRINT: {
  readonly [T in LiveNotice['type']]: (notice: Extract<LiveNotice, { type: T }>) => string
} = {
  status: ({ status }) => `status ${status}`,
  inserted: ({ message }) => `inserted ${message.id}`,
  claimed: ({ message }) => `claimed ${message.id}`,
  discarded: ({ message, reason }) => `discarded ${message.id} ${reason}`,
  error: ({ turn, step, error }) => `error ${turn}.${step} ${error.code}: ${error.message}`,
  diagnostic: ({ diagnostic }) => `diagnostic ${diagnostic.kind}`,
  chunk: ({ turn, step, chunk }) => `chunk ${turn}.${step} ${chunk.kind}`,
  'agent/disposed': ({ type }) => type,
}

/** One line for a live notice. */
const printNotice = (notice: LiveNotice): string => PRINT[notice.type](notice as never)

/** A message whose id is its text. */
export const say = (text: string) => ({ id: text, content: text })

const isScript = (model: RigOptions['model']): model is Script => Array.isArray(model)

/** Makes an agent on a virtual clock, and listens from the start. */
export function rig(options: RigOptions = {}): Rig {
  const clock = options.clock ?? virtualClock({ now: 0 })
  const { model: given = [] } = options
  const scripted = scriptedModel(isScript(given) ? given : [], { clock })
  const model = isScript(given) ? scripted : given
  const diagnostics: Diagnostic[] = []
  const agent = createAgent({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
    model,
    clock,
  })
  const trace: string[] = []
  const print = printEvent()
  agent.subscribe({}, (event) => {
    const lines = print(event)
    if (!QUIET.includes(event.type)) trace.push(...lines)
  })
  agent.listen((notice) => {
    trace.push(printNotice(notice))
  })
  const log = (): string[] => {
    const printer = printEvent()
    return agent.log
      .read()
      .flatMap((event) => [[event.type, printer(event)] as const])
      .filter(([type]) => !QUIET.includes(type))
      .flatMap(([, lines]) => lines)
  }
  const ends = (): string[] => log().filter((line) => line.startsWith('turn/end'))
  return { agent, model: scripted, clock, diagnostics, trace, log, ends }
}

/** Events of one type in the log of `agent`. */
export const ofType = <T extends StoredEvent['type']>(
  agent: Agent,
  type: T,
): Extract<StoredEvent, { type: T }>[] =>
  agent.log.read().filter((event) => event.type === type) as Extract<StoredEvent, { type: T }>[]

/** Disposes `agent` and holds its whole log to the enclosure rules. */
export async function finish(agent: Agent): Promise<void> {
  await agent.dispose()
  checkLog(agent.log.read())
}

export interface HeldTool {
  readonly tool: AnyTool
  /** Bodies that wait, in the order of their start. */
  readonly running: readonly {
    readonly context: ToolContext
    settle(value?: unknown): void
    fail(error: Error): void
  }[]
  /** Bodies started so far. */
  readonly started: number
}

/** A tool whose bodies end when the test says so. */
export function heldTool(name: string, options: Partial<AnyTool> = {}): HeldTool {
  const running: {
    context: ToolContext
    settle(value?: unknown): void
    fail(error: Error): void
  }[] = []
  let started = 0
  const tool = defineTool({
    name,
    ...(options as object),
    run: (_: unknown, context: ToolContext) =>
      new Promise<string>((resolve, reject) => {
        started += 1
        const entry = {
          context,
          settle: (value: unknown = 'ok') => {
            running.splice(running.indexOf(entry), 1)
            resolve(value as string)
          },
          fail: (error: Error) => {
            running.splice(running.indexOf(entry), 1)
            reject(error)
          },
        }
        running.push(entry)
      }),
  }) as AnyTool
  return {
    tool,
    running,
    get started() {
      return started
    },
  }
}
