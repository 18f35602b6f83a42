/**
 * Every mix of what a cancel names and wants, at rest, before the first step, in a step and with parked input: all that it
 * answers, appends and holds back.
 */
import { expect, it } from 'vitest'
import type { CancelReceipt } from '../../src/actors/agent-handle.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, type Rig, rig, say } from './rig.ts'

const NAMED = ['none', 'open', 'finished', 'future'] as const
const BOTH = [false, true] as const

const held = { reason: 'cancel', ids: ['B'] }

type Named = (typeof NAMED)[number]

const ELSEWHERE: readonly Named[] = ['finished', 'future']

/** Agents whose first turn is over and for which B waits. Numbers: the turn that is open, and the last one that is over. */
interface Moment {
  readonly name: string
  readonly open: number | null
  readonly over: number
  readonly parked: typeof held | null
  readonly come: (made: Rig) => Promise<void> | void
}

const MOMENTS: readonly Moment[] = [
  {
    name: 'at rest',
    open: null,
    over: 1,
    parked: null,
    come: ({ agent }) => {
      agent.inbox.append('next-turn', say('B'))
    },
  },
  {
    name: 'before the first step',
    open: 2,
    over: 1,
    parked: null,
    come: ({ agent }) => {
      agent.followup(say('A'))
      agent.followup(say('B'))
    },
  },
  {
    name: 'in a step',
    open: 2,
    over: 1,
    parked: null,
    come: async ({ agent }) => {
      agent.followup(say('A'))
      await settle()
      agent.followup(say('B'))
    },
  },
  {
    name: 'with parked input',
    open: null,
    over: 2,
    parked: held,
    come: async ({ agent }) => {
      agent.followup(say('A'))
      await settle()
      agent.followup(say('B'))
      agent.cancel('user', { keepInbox: true })
      await agent.whenIdle()
    },
  },
]

interface Wants {
  readonly keepInbox: boolean
  readonly resume: boolean
  readonly restoreClaimed: boolean
}

const WANTS: readonly Wants[] = BOTH.flatMap((keepInbox) =>
  BOTH.flatMap((resume) => BOTH.map((restoreClaimed) => ({ keepInbox, resume, restoreClaimed }))),
)

const CASES = MOMENTS.flatMap((moment) =>
  NAMED.filter((named) => named !== 'open' || moment.open !== null).flatMap((named) =>
    WANTS.map((wants) => [moment.name, named, wants, moment] as const),
  ),
)

const numberOf = (named: Named, { open, over }: Moment): number | undefined =>
  ({ none: undefined, open: open ?? undefined, finished: over, future: over + 2 })[named]

/** What a cancel that has something to do appends. */
function appendedBy(wants: Wants, keepInbox: boolean, open: number | null, discarded: string[]) {
  const cleared = {
    type: 'inbox/discarded',
    data: { ids: discarded, reason: 'cleared', actor: 'ann' },
  }
  const data = {
    cause: { kind: 'user' },
    actor: 'ann',
    keepInbox,
    resume: wants.resume,
    ...(wants.restoreClaimed && { restoreClaimed: true }),
    turn: open,
    discarded,
  }
  const requested = { type: 'cancel/requested', data }
  return keepInbox ? [requested] : [cleared, requested]
}

const effectOf = (open: number | null, discarded: readonly string[]): CancelReceipt =>
  open === null ? { effect: 'discarded', discarded } : { effect: 'aborted', discarded, turn: open }

/** What contract section 11 says of it. */
function expectedOf(named: Named, wants: Wants, { open, parked }: Moment) {
  const untouched = { appended: [], parked }
  const none: CancelReceipt = { effect: 'none', discarded: [] }
  if (ELSEWHERE.includes(named))
    return { receipt: { ...none, code: 'TURN_FINISHED' }, ...untouched }
  const keepInbox = wants.keepInbox || wants.restoreClaimed
  if (open === null && keepInbox) return { receipt: none, ...untouched }
  const discarded = keepInbox ? [] : ['B']
  return {
    receipt: effectOf(open, discarded),
    appended: appendedBy(wants, keepInbox, open, discarded),
    parked: keepInbox && !wants.resume ? held : null,
  }
}

it.each(CASES)('a cancel %s, with turn named: %s, and %j', async (_, named, wants, moment) => {
  const made = rig({ model: ['text "one"', 'hang "x"'] })
  const { agent } = made
  agent.followup(say('first'))
  await agent.whenIdle()
  await moment.come(made)
  const { length } = agent.log
  const turn = numberOf(named, moment)
  const receipt = agent.cancel('user', {
    ...wants,
    actor: 'ann',
    ...(turn !== undefined && { turn }),
  })
  const appended = agent.log.read(length).map(({ type, data }) => ({ type, data }))
  expect({ receipt, appended, parked: agent.parked }).toStrictEqual(
    expectedOf(named, wants, moment),
  )
  await finish(agent)
})
