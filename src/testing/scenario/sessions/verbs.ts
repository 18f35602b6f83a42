/**
 * Commands about sessions: resume, fork, factories, owners, and the ways in which a process ends.
 *
 * @module
 */
import type { ForkOptions } from '../../../sessions/fork.ts'
import { createRegistry } from '../../../sessions/registry.ts'
import { looseRecord } from '../loose-value.ts'
import { DURATION, group, msIn, splitTop } from '../phrase.ts'
import type { Ctx, Reading, VerbRule } from '../verb.ts'
import { houseOf, idOf } from './verb-places.ts'
import { CREATE_RULES } from './verbs-create.ts'

const optionsIn = (text: string): Record<string, unknown> =>
  looseRecord(text.replaceAll(/^[\s,]*(?:with )?\{?|\}?\)?$/g, ''))

function resuming(name: string, rest: string): Reading {
  const wake = optionsIn(rest)['wake'] === true || /^\s*with wake\b/.test(rest)
  return {
    mode: 'awaits',
    key: `resume ${name}`,
    act: (ctx) => houseOf(ctx).resume(idOf(name), wake),
  }
}

/** A boundary by its seq, or by the turn that ends there. */
function boundary(ctx: Ctx, parent: string, given: string | number): number {
  const at = String(given)
  const turn = group(/^(?:the )?(?:turn\/end|end of turn) (\d+)$/, at)
  if (turn === undefined) return Number(at.replace(/^seq /, ''))
  const events = houseOf(ctx).store.get(idOf(parent))?.read() ?? []
  const end = events.find((event) => event.type === 'turn/end' && event.data.turn === Number(turn))
  return end?.seq ?? Number.NaN
}

/** `fork(s1)`, `fork(s1, {at: 3, closeOpen: true})`, `fork(s1, id s1)`, `fork s1 at 3`, `fork(s1) at turn/end 1`. */
function forking(args: string): Reading {
  const [parent = 's1', ...rest] = splitTop(
    args.replace(/^\(?(\w+)\)? ?(?=at |with |id |\{)/, '$1, '),
    /\s*,\s*/,
  )
  const { at, id, ...more } = optionsIn(rest.map((part) => part.replace(/^with /, '')).join(', '))
  const fork = (ctx: Ctx): Promise<string> => {
    const options = {
      ...(at === undefined ? {} : { at: boundary(ctx, parent, at as string | number) }),
      ...(typeof id === 'string' ? { id: idOf(id) } : {}),
      ...more,
    } as ForkOptions
    return houseOf(ctx).fork(idOf(parent), options)
  }
  return { mode: 'awaits', key: `fork ${args}`, act: fork }
}

/** A registry that lacks something. */
const lacking = (what: string): Reading => ({
  mode: 'awaits',
  key: `without ${what}`,
  async act(ctx) {
    const registry = createRegistry(
      what === 'factory' ? { store: houseOf(ctx).store } : { factory: () => ({}) },
    )
    if (what === 'factory') await registry.create().catch(() => {})
    await registry.resume('s1')
  },
})

const factories: Reading = {
  mode: 'awaits',
  key: 'setFactory twice',
  async act({ world }) {
    const registry = createRegistry({})
    const first = registry.setFactory(() => ({}))
    let thrown: unknown
    try {
      registry.setFactory(() => ({}))
    } catch (error) {
      thrown = error
    }
    await first.tearDown()
    registry.setFactory(() => ({}))
    world.values.set('works', 'setFactory after clearing')
    throw thrown
  },
}

/** Everything in the process is disposed. */
const disposing: Reading = {
  mode: 'awaits',
  key: 'dispose everything',
  act: ({ world }) => Promise.all([...world.agents.values()].map(({ agent }) => agent.dispose())),
}

const leaving = (name: string): Reading => ({
  mode: 'awaits',
  key: `dispose ${name}`,
  act: (ctx) => houseOf(ctx).registry.get(idOf(name))?.dispose(),
})

/** Every agent that lives here gets a prompt. */
const prompting: Reading = {
  mode: 'awaits',
  key: 'prompt',
  act(ctx) {
    const agents = houseOf(ctx).registry.list()
    return Promise.all(agents.map((agent) => agent.run('P')))
  },
}

/** Counts the statuses of one agent, by the agent. */
const listening: Reading = {
  act({ agent, world }) {
    const heard: unknown[] = []
    world.values.set('heard statuses', heard)
    agent.listen((notice) => {
      if (notice.type === 'status') heard.push(agent)
    })
  },
}

const nothing: Reading = { key: 'end of the process', act: () => undefined }

export const SESSION_RULES: readonly VerbRule[] = [
  [
    /^resume(?:\((\w+)(.*)\)| (\w+)(?: \(adds nothing\))?(.*))$/,
    ([, a, b = '', c, d = '']) => resuming(a ?? c ?? 's1', b + d),
  ],
  [/^on a system without (persistence|a store) resume$/, () => lacking('persistence')],
  [/^create\/resume on a registry without (?:a )?factory$/, () => lacking('factory')],
  [/^create(?: or resume)? without (?:a )?factory$/, () => lacking('factory')],
  [/^setFactory twice$/, () => factories],
  [
    /^fork(?:\(([^()]*)\)(.*)| (\w+.*))$/,
    ([, a, more = '', b]) => forking(a === undefined ? (b ?? 's1') : a + more),
  ],
  [/^create (?:an )?agent on the child$/, () => onChild],
  ...CREATE_RULES,
  [/^abort the signal$/, () => ({ act: (ctx) => houseOf(ctx).giveUp.abort() })],
  [/^unload the owner$/, () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).scope.unload() })],
  [
    /^tear (?:the )?factory down$|^tear down the factory$/,
    () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).factory?.tearDown() }),
  ],
  [/^dispose everything$/, () => disposing],
  [/^dispose (p|c|[ab]|s\d)$/, ([, name = '']) => leaving(name)],
  [
    /^(?:(?:dispose|call|run) )?the (?:first|old|stale) (?:handle|agent|detach)(?: again)?$/,
    () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).handles[0]?.dispose() }),
  ],
  [/^prompt(?: (?:both|all|it))?$/, () => prompting],
  [/^register a status listener in the scope(?: of \w+)?$/, () => listening],
  [
    /^(?:exit|stop|crash|(?:then )?abandon(?: the process)?|(?:SIG)?kill(?: the process| -9)?|dispose (?:the )?process without .*)$/i,
    () => nothing,
  ],
  [/^start(?: again)?$/, () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).registry.start() })],
  [
    new RegExp(`^await ${DURATION}$`),
    (hit) => ({ mode: 'drives', act: ({ world }) => world.clock.advance(msIn(hit[0]) ?? 0) }),
  ],
]

/** The forked session gets an agent of its own. */
const onChild: Reading = {
  mode: 'awaits',
  key: 'create agent on the child',
  act(ctx) {
    const house = houseOf(ctx)
    return house.registry.resume(house.forks.child?.header.id ?? 'child')
  },
}
