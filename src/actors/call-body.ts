/**
 * Runs the body of a call: guards, validation, time limit, outcome.
 *
 * A body that succeeds after the abort is `ABORTED`; a more specific error is kept. What settles after the outcome was
 * given otherwise (time limit, grace) is recorded nowhere.
 *
 * @module
 */
import type { StepAt } from '../events/event.ts'
import type { CallRef, MessageInput, Outcome, Source } from '../events/message.ts'
import { parseMessage } from '../events/parse-message.ts'
import { errorOutcome, outcomeOf } from '../events/parse-outcome.ts'
import { CancelSignal } from './cancel-signal.ts'
import type { Core } from './core.ts'
import { ABORTED, invalidArguments, timeoutOutcome } from './synthetic.ts'
import type { ToolCall } from './tool-call.ts'
import type { AnyTool, ToolContext } from './tool.port.ts'

/** Starts a body. `settled` is called once in the mailbox, `broke` instead when the dispatch itself failed. */
export function runBody(
  core: Core,
  at: StepAt,
  call: ToolCall,
  tool: AnyTool,
  settled: (outcome: Outcome) => void,
  broke: (error: unknown) => void,
): void {
  const limit = tool.timeoutMs ?? core.settings.toolTimeoutMs
  const cancel = limit === Infinity ? core.cancel : new CancelSignal(core.cancel)
  const { activity } = core
  let outcome: Outcome | undefined
  const settle = (given: Outcome): void => {
    if (outcome !== undefined) return
    outcome = given
    call.dropTimeout?.()
    core.signal(() => {
      settled(given)
    }, activity)
  }
  if (limit !== Infinity) {
    call.dropTimeout = core.after(limit, () => {
      if (cancel.aborted) return
      cancel.abort(
        Object.assign(new Error(`the call took longer than ${limit} ms`), { code: 'TIMEOUT' }),
      )
      settle(timeoutOutcome(limit))
    })
  }
  const body = (): Promise<void> => perform(core, at, call, tool, cancel).then(settle)
  dispatch(core, call, tool, cancel, body).catch((error: unknown) => {
    if (outcome !== undefined) return
    call.dropTimeout?.()
    core.signal(() => {
      broke(error)
    }, activity)
  })
}

async function dispatch(
  core: Core,
  call: ToolCall,
  tool: AnyTool,
  cancel: CancelSignal,
  body: () => Promise<void>,
): Promise<void> {
  const own = core.settings.dispatch
  if (own === undefined) return body()
  let ran: Promise<void> | undefined
  // However often the dispatcher asks, one call is one run.
  const once = (): Promise<void> => (ran ??= body())
  await core.call('tool', () =>
    own({ call: call.streamed.call, tool: tool.name, signal: cancel.signal }, once),
  )
  if (ran === undefined) throw new Error('the dispatcher never ran the body')
}

async function perform(
  core: Core,
  at: StepAt,
  call: ToolCall,
  tool: AnyTool,
  cancel: CancelSignal,
): Promise<Outcome> {
  try {
    const checked = call.validate(tool)
    const input = checked instanceof Promise ? await checked : checked
    if (!input.ok) return invalidArguments(input.message)
    const context = new BodyContext(core, at, call, tool, cancel)
    const returned: unknown = await core.call('tool', () => tool.run(input.value as never, context))
    return cancel.aborted ? ABORTED : concluded(call, outcomeOf(returned))
  } catch (error) {
    return cancel.aborted && isAbort(error, cancel) ? ABORTED : errorOutcome(error)
  }
}

const concluded = (call: ToolCall, outcome: Outcome): Outcome =>
  call.concludes && outcome.kind === 'ok' ? Object.freeze({ ...outcome, concludes: true }) : outcome

/** The body gave up because of the signal, and says no more than that. */
const isAbort = (error: unknown, cancel: CancelSignal): boolean =>
  error === cancel.reason || (error instanceof Error && error.name === 'AbortError')

/** What a body may use; its signal is an own property, made when somebody looks. The two functions may be taken out of it. */
class BodyContext implements ToolContext {
  static readonly #signal: PropertyDescriptor & ThisType<BodyContext> = {
    enumerable: true,
    get() {
      return this.#cancel.signal
    },
  }

  declare readonly signal: AbortSignal
  readonly agent: string
  readonly turn: number
  readonly step: number
  readonly call: CallRef
  readonly concludeTurn: () => void
  readonly addContext: (message: MessageInput) => void
  readonly #cancel: CancelSignal

  constructor(
    core: Core,
    { turn, step }: StepAt,
    call: ToolCall,
    tool: AnyTool,
    cancel: CancelSignal,
  ) {
    this.agent = core.id
    this.turn = turn
    this.step = step
    this.call = call.streamed.call
    this.#cancel = cancel
    Object.defineProperty(this, 'signal', BodyContext.#signal)
    this.concludeTurn = () => {
      call.concludes = true
    }
    this.addContext = (message) => {
      const source: Source = { kind: 'tool', tool: tool.name }
      call.contexts.push(parseMessage(message, core.settings.ids, source))
    }
  }
}
