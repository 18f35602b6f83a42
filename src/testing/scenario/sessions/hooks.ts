/**
 * Hooks of a setup that stand at moments of the registry: `session-start injects X`, `setup waits on g`, `agent/created
 * throws "veto"`.
 *
 * @module
 */
import { applies, readClauses } from '../clauses.ts'
import { match } from '../phrase.ts'
import type { Setup } from '../setup.ts'
import { isEnd, readAct, readPlain, readThrow, readWait, type Step, type StepCtx } from '../step.ts'
import type { AgentRun } from '../world.ts'
import type { HouseHook } from './house.ts'

const AT =
  /^(?:an? |the )?(session-start|session\/created|agent\/created|agent\/disposed|session\/disposed|setup)(?: listener| callback| hook| observer)?s? (.+)$/

/** Installs a hook of the registry; false if the phrase is about something else. */
export function readHouseHook(phrase: string, setup: Setup): boolean {
  const hit = match(AT, phrase)
  if (hit === undefined) return false
  const at = hit.at(1) as HouseHook['at']
  const unread: string[] = []
  const clauses = readClauses<Step>(
    hit.at(2),
    (part) => readWait(part) ?? readThrow(part, setup) ?? readPlain(part) ?? readAct(part, setup),
    isEnd,
    unread,
  )
  setup.unread.push(...unread.map((part) => `hook ${JSON.stringify(phrase)}: ${part}`))
  let n = 0
  // A listener must throw at once where it throws; only what waits is waited for.
  const run = (of: AgentRun): unknown => {
    n += 1
    const { signal } = new AbortController()
    const ctx: StepCtx = { setup, run: of, signal, n, waits: [at] }
    const steps = clauses.clauses.filter((clause) => applies(clauses, clause, { n }))
    return inTurn(
      steps.map(({ step }) => step),
      ctx,
    )
  }
  setup.houseHooks.push({ at, run })
  return true
}

function inTurn(steps: readonly Step[], ctx: StepCtx): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return undefined
  const done = step.run(ctx, {})
  return done instanceof Promise ? done.then(() => inTurn(rest, ctx)) : inTurn(rest, ctx)
}
