/**
 * What a maintenance task of a scenario does: `gated g`, `waits for abort`, `() => 42`, `() => reject x`, `followup A`.
 *
 * @module
 */
import { aborted } from '../latches.ts'
import { looseValue } from './loose-value.ts'
import { group, splitTop } from './phrase.ts'
import type { Ctx } from './verb.ts'

const DOOR = /(?:gated|waits (?:on|for)) (?!abort|its|the)"?(\w+)"?/
const FAILS = /(?:rejects?|throws?) (?:with )?"?([\w ]+?)"?$/
const VALUE = /(?:=>|returns?) (.+)$/

async function doPart(part: string, ctx: Ctx, signal: AbortSignal, deaf: boolean): Promise<void> {
  const door = group(DOOR, part)
  if (door !== undefined) await ctx.world.latches.wait(door, deaf ? undefined : signal)
  else if (/abort|signal/.test(part) && !deaf) await aborted(signal)
  else if (!FAILS.test(part) && !VALUE.test(part)) await ctx.world.readCommand(part)?.act(ctx)
}

function outcomeOf(spec: string): unknown {
  const bad = group(FAILS, spec)
  if (bad !== undefined) throw new Error(bad)
  const value = group(VALUE, spec)
  if (value !== undefined) return looseValue(value)
  return spec === 'again' ? 'again' : undefined
}

/** A task; it tells that it runs, and notes that it did. */
export function maintenanceTask(ctx: Ctx, spec: string): (signal: AbortSignal) => Promise<unknown> {
  return async (signal) => {
    ctx.world.values.set('jobRan', true)
    const over = ctx.world.wait('maintenance')
    try {
      await ctx.world.emit({ kind: 'maintenance', agent: ctx.run.name, asked: { n: 1 } })
      const deaf = spec.includes('ignor')
      for (const part of splitTop(spec, /\s*[,;]\s*(?:then )?|\s+then\s+/))
        await doPart(part, ctx, signal, deaf)
      return outcomeOf(spec)
    } finally {
      over()
    }
  }
}
