/**
 * Finds what an expectation asks of one moment: `statusBeforeC2Drains`, `turnsWhenWSettles`, `afterFirstIdle`.
 *
 * @module
 */
import type { Facts } from './facts.ts'
import { match, type Match } from './phrase.ts'
import type { Snapshot, World } from './world.ts'

/** A value that was found; `passes` judges it where comparing would not do. */
export interface Found {
  readonly value: unknown
  readonly passes?: boolean
}

const found = (value: unknown): Found => ({ value })

const FACTS: Readonly<Record<string, keyof Facts>> = {
  started: 'bodiesStarted',
  bodies: 'bodiesStarted',
  running: 'bodiesStarted',
  pending: 'inbox',
  settled: 'resolved',
}

const SPLIT =
  /^(turns|turnsEnded|requests|status|activity|log|started|bodies|bodiesStarted|inbox|pending|parked|resolved|settled|steps|turnEnded)?(When|Before|After|While|At|Then|Until|In|During)(.*)$/

const bySuffix = (world: World, prefix: string, suffix: string): Snapshot | undefined =>
  world.snapshots.find(({ label }) => label.startsWith(prefix) && label.endsWith(suffix))

/** The last snapshot that a command took on purpose. */
export const checked = (world: World): Snapshot | undefined =>
  world.snapshots.findLast(({ label }) =>
    /^(?:check|assert|read|look|compare|verify|expect|status|inbox)\b/.test(label),
  )

type MomentRule = readonly [
  RegExp,
  (hit: Match, world: World, relation: string) => Snapshot | undefined,
]

const RULES: readonly MomentRule[] = [
  [
    /^(?:(\w+) )?(?:settles|settled|resolves|resolved)$/,
    (hit, world) => settledAt(world, hit.maybe(1)),
  ],
  [/(\d+) ?ms/, (hit, world) => bySuffix(world, `after ${hit.at(1)} ms`, '')],
  [/\bc (\d)/, (hit, world) => beforeRelease(world, hit.at(1)) ?? checked(world)],
  [
    /release/,
    (_hit, world, relation) =>
      bySuffix(world, relation === 'After' ? 'release' : 'before release', ''),
  ],
  [/^(\w+) returns?$/, (hit, world) => bySuffix(world, hit.at(1), ' returned')],
  [/.*idle.*/, (hit, world) => idleAt(world, hit.at(0))],
  [/^$/, (_hit, world) => checked(world) ?? bySuffix(world, '', ' returned')],
]

/** The snapshot of a moment such as `FirstIdle`, `WSettles`, `10ms`, `FirstRelease`. */
function snapshotAt(world: World, relation: string, moment: string): Snapshot | undefined {
  const words = moment
    .replaceAll(/([A-Z]|\d+)/g, ' $1')
    .trim()
    .toLowerCase()
  for (const [pattern, find] of RULES) {
    const hit = match(pattern, words)
    if (hit !== undefined) return find(hit, world, relation)
  }
  return checked(world)
}

const beforeRelease = (world: World, call: string): Snapshot | undefined =>
  world.snapshots.find(({ label }) => new RegExp(`^before release .*c${call}`).test(label))

const settledAt = (world: World, name: string | undefined): Snapshot | undefined =>
  name === undefined
    ? world.snapshots.find(({ label }) => label.endsWith(' settled'))
    : bySuffix(world, name, ' settled')

function idleAt(world: World, words: string): Snapshot | undefined {
  const idles = world.snapshots.filter(
    ({ label }) => label === 'after idle' || label === 'await whenIdle settled',
  )
  if (/second/.test(words)) return idles[1]
  return /last/.test(words) ? idles.at(-1) : idles[0]
}

const RELATION_FIRST = /^(after|before|at|while|when|during|then)(?=[A-Z\d])/

/** A fact of a snapshot; without a name its lists, or everything. */
function factOf(snapshot: Snapshot, name: string | undefined, want: unknown): unknown {
  const { facts } = snapshot
  if (name === undefined) return wantsLists(want) ? facts.inbox : facts
  const value = facts[FACTS[name] ?? (name as keyof Facts)]
  return typeof want === 'boolean' && Array.isArray(value) ? value.length > 0 : value
}

/** A key such as `afterFirstIdle` or `turnsWhenWSettles`. */
export function atMoment(key: string, want: unknown, world: World): Found | undefined {
  const spelled = key.replace(
    RELATION_FIRST,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  )
  const hit = match(SPLIT, spelled)
  if (hit === undefined) return undefined
  const snapshot = snapshotAt(world, hit.at(2), hit.at(3))
  return snapshot === undefined ? undefined : found(factOf(snapshot, hit.maybe(1), want))
}

const wantsLists = (want: unknown): boolean =>
  typeof want === 'object' && want !== null && ('next-turn' in want || 'next-step' in want)
