/**
 * Commands that wait, move the clock, and look: await, advance, check, subscribe.
 *
 * @module
 */
import { factsOf } from './facts.ts'
import { DURATION, msIn } from './phrase.ts'
import type { Ctx, Reading, VerbRule } from './verb.ts'

/** Keeps what can be read now under `label`. */
export function look(ctx: Pick<Ctx, 'world' | 'run'>, label: string): void {
  ctx.world.snapshots.push({ label, facts: factsOf(ctx.world, ctx.run) })
}

const promised = (name: string): Reading => ({
  mode: 'awaits',
  key: `await ${name}`,
  act: ({ world }) =>
    name === 'it' ? [...world.promises.values()].at(-1) : world.promises.get(name),
})

const all = (names: readonly string[] | undefined): Reading => ({
  mode: 'awaits',
  act: ({ world }) => {
    const wanted = [...world.promises].filter(([name]) => names?.includes(name) ?? true)
    return Promise.allSettled(wanted.map(([, promise]) => promise))
  },
})

const idle: Reading = {
  mode: 'awaits',
  key: 'await whenIdle',
  act: ({ agent }) => agent.whenIdle(),
}

const advancing = (ms: number): Reading => ({
  mode: 'drives',
  key: `advance ${ms}`,
  async act(ctx) {
    await ctx.world.clock.advance(ms)
    look(ctx, `after ${ms} ms`)
  },
})

const looking = (label: string): Reading => ({ key: 'check', act: (ctx) => look(ctx, label) })

const subscribing = (from: number): Reading => ({
  act(ctx) {
    const seen: number[] = []
    ctx.world.values.set(`subscriber from ${from}`, seen)
    return ctx.agent.subscribe({ from }, (event) => seen.push(event.seq))
  },
})

const D = DURATION

export const WAIT_RULES: readonly VerbRule[] = [
  [/^await (?:both|all)(?: promises)?$/, () => all(undefined)],
  [/^await (it)\b.*$/, () => promised('it')],
  [
    /^await (?:the )?(?:disposal|dispose)(?:\(\))?(?: of (?:the |its own |its )?(?:agent|handle))?$/,
    () => ({
      mode: 'awaits',
      key: 'await dispose',
      act: ({ agent, run }) => ((run.disposing = true), agent.dispose()),
    }),
  ],
  [/^await (?:the )?maintenance(?: task)?$/, () => promised('maintenance')],
  [/^await (\w+) and (\w+)$/, ([, a = '', b = '']) => all([a, b])],
  [
    /^await(?:ing)?(?: (?:until )?(?:whenIdle(?:\(\))?|(?:the )?(?:agent )?idle|quiescence))?(?: of its own (?:agent|handle))?$/,
    () => idle,
  ],
  [/^whenIdle(?:\(\))?$/, () => ({ key: 'whenIdle', act: ({ agent }) => agent.whenIdle() })],
  [/^await ([a-z]\w*)(?: .*)?$/, ([, name = '']) => promised(name)],
  [
    new RegExp(`^(?:advance|wait|sleep)(?: by)? \\(?${D}\\)?$`),
    (hit) => advancing(msIn(hit[0]) ?? 0),
  ],
  [/^advance\((\d+)\)$/, ([, ms = '0']) => advancing(Number(ms))],
  [
    /^advance (?:to )?(?:the )?next timer$/,
    () => ({ mode: 'drives', act: ({ world }) => world.clock.advanceToNext() }),
  ],
  [/^(?:check|assert|read|look|expect|compare|verify|inspect)\b.*$/, (hit) => looking(hit[0])],
  [/^(?:status|activity|inbox|parked)\b.*$/, (hit) => looking(hit[0])],
  [
    /^subscribe(?:\(\{ ?from:? (\d+) ?\}\)| (?:at|from)(?: seq)? (\d+))?(?: mid-turn)?$/,
    ([, a, b]) => subscribing(Number(a ?? b ?? 0)),
  ],
  [
    /^(?:raise|lower|set|change|reduce|increase)s? (?:the )?(?:cap|pool|maxParallelToolCalls)(?: from \d+)? to (\d+)$/,
    ([, n = '1']) => ({ key: `cap ${n}`, act: ({ world }) => world.values.set('cap', Number(n)) }),
  ],
  [/^(?:nothing|no command|no further command|-)$/, () => ({ act: () => undefined })],
  [/^(?:one |a )?microtask$/, () => ({ mode: 'drives', act: () => Promise.resolve() })],
]
