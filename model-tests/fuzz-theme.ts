/**
 * What a world is mostly about: so that windows deep in a step are reached as often as those at its door.
 *
 * @module
 */
import type { Dice } from './fuzz-chance.ts'

export interface Theme {
  /** Numbers of calls a model may make. */
  readonly calls: readonly number[]
  /** Scale of all waits that are not short. */
  readonly rudeness: number
  /** Scale of throws, bad answers, broken streams and refusing gates. */
  readonly faults: number
  /** Scale of cancel, abort and dispose among the commands. */
  readonly endings: number
  /** Scale of approvals among the commands. */
  readonly approvals: number
  /** Probability that `toolPre` asks. */
  readonly asks: number
  /** One place at which commands, mostly endings, are issued often. */
  readonly target: string | undefined
  /** Commands from outside a round, at most. */
  readonly pace: number
}

const TARGETS = [
  'inbox/claimed',
  'live claimed',
  'step/start',
  'user/message',
  'request/header',
  'assistant/chunk',
  'request/failed',
  'assistant/message',
  'tool/call',
  'tool/settled',
  'tool/result',
  'approval/asked',
  'approval/decided',
  'step/end',
  'gate/decided',
  'turn/start',
  'turn/end',
  'cancel/requested',
  'context/message',
  'live error',
  'live status idle',
  'live status running',
  'live discarded',
  'stream',
  'body',
  'body later',
  'abort listener',
  'maintenance',
  'parallelism',
  'gate preStep later',
  'gate request later',
  'gate requestError later',
  'gate stepResult later',
  'gate toolPre later',
  'gate toolPost later',
  'gate continuation later',
  'gate turnStopping later',
] as const

/** The theme of a world. */
export function fuzzTheme(dice: Dice): Theme {
  const about = dice.weighted({ everything: 4, tools: 4, approvals: 2, requests: 2, inbox: 2 })
  const calm = dice.chance(0.5)
  const base: Theme = {
    calls: [0, 0, 1, 1, 2, 3, 4],
    rudeness: calm ? 0.15 : 1,
    faults: dice.pick([0.1, 0.3, 1]),
    endings: dice.pick([0.2, 0.5, 1]),
    approvals: 1,
    asks: 0.2,
    target: dice.chance(0.6) ? dice.pick(TARGETS) : undefined,
    pace: dice.pick([1, 1, 3]),
  }
  if (about === 'tools') return { ...base, calls: [1, 2, 3, 4, 5], asks: 0.1 }
  if (about === 'approvals') return { ...base, calls: [1, 2, 3], asks: 0.8, approvals: 6 }
  if (about === 'requests') return { ...base, calls: [0, 0, 1], rudeness: 0.5 }
  return about === 'inbox' ? { ...base, calls: [0, 0, 0, 1], pace: 3 } : base
}
