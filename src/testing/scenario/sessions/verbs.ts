/**
 * Commands about sessions: create, resume, fork, factories, owners, and the ways in which a process ends.
 *
 * @module
 */
import type { Agent } from '../../../actors/agent-handle.ts'
import type { ForkOptions } from '../../../sessions/fork.ts'
import type { StartOptions } from '../../../sessions/registry-port.ts'
import { createRegistry } from '../../../sessions/registry.ts'
import { looseRecord, looseValue } from '../loose-value.ts'
import { DURATION, msIn, namesIn, quotedIn, splitTop } from '../phrase.ts'
import type { Ctx, Reading, VerbRule } from '../verb.ts'
import type { ScenarioHouse } from './house.ts'

/** Sessions by the names that commands give them. */
const IDS: Readonly<Record<string, string>> = { a: 's1', b: 's2', missing: 'missing' }
const idOf = (name: string): string => IDS[name] ?? name

function houseOf({ world }: Pick<Ctx, 'world'>): ScenarioHouse {
  if (world.house !== undefined) return world.house
  throw new Error('the scenario has no registry')
}

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

/** `fork(s1)`, `fork(s1, {at: 3, closeOpen: true})`, `fork(s1, id s1)`, `fork s1 at 3`. */
function forking(args: string): Reading {
  const [parent = 's1', ...rest] = splitTop(
    args.replace(/^(\w+) (?=at |with |id |\{)/, '$1, '),
    /\s*,\s*/,
  )
  const { at, id, ...more } = optionsIn(rest.map((part) => part.replace(/^with /, '')).join(', '))
  const options = {
    ...(at === undefined ? {} : { at: Number(at) }),
    ...(typeof id === 'string' ? { id: idOf(id) } : {}),
    ...more,
  } as ForkOptions
  return {
    mode: 'awaits',
    key: `fork ${args}`,
    act: (ctx) => houseOf(ctx).fork(idOf(parent), options),
  }
}

/** What stands behind `create s1`. */
function startOptions(ctx: Ctx, text: string): StartOptions {
  const house = houseOf(ctx)
  const rejects = /setup (?:rejecting|that rejects|rejects|throwing|that throws)/.test(text)
  const reason = new Error('the reason of the signal')
  const signal = /aborted signal/.test(text) ? AbortSignal.abort(reason) : house.giveUp.signal
  return {
    ...(/signal/.test(text) ? { signal } : {}),
    ...(rejects ? { setup: failing(quotedIn(text)[0] ?? 'nope') } : {}),
    ...(/hung setup|setup that hangs/.test(text) ? { setup: () => new Promise(() => {}) } : {}),
  }
}

const failing = (message: string) => (): never => {
  throw new Error(message)
}

const PROVISIONAL = /^(?:parent |child |agent |session )/

function creating(list: string, more: string): Reading {
  const names = namesIn(list).map((name) => name.replace(PROVISIONAL, ''))
  return {
    mode: 'awaits',
    key: `create ${list}`,
    act(ctx) {
      const house = houseOf(ctx)
      const created = names.map((name) => house.create(idOf(name), startOptions(ctx, more)))
      const all = names.length === 1 ? (created[0] as Promise<unknown>) : Promise.all(created)
      if (!house.waits && !/hung|hangs/.test(more)) return all
      ctx.world.promises.set(`create ${list}`, all)
      all.catch(() => {})
      return undefined
    },
  }
}

/** `create with maxTokens 0, -1, NaN -> each rejects`: one creation for each value. */
function creatingEach(option: string, values: string): Reading {
  return {
    mode: 'awaits',
    key: `create with ${option}`,
    async act(ctx) {
      const house = houseOf(ctx)
      const errors: unknown[] = []
      for (const [i, text] of splitTop(values, /\s*,\s*/).entries()) {
        const value = text === '2^53' ? 2 ** 53 : looseValue(text)
        const creation = house.registry.create({ id: `each${i}`, agent: { [option]: value } })
        await creation.catch((error: unknown) => errors.push(error))
      }
      for (const threw of errors.slice(1))
        ctx.world.answers.push({ text: option, stated: true, threw })
      if (errors.length < splitTop(values, /\s*,\s*/).length) return 'some were accepted'
      throw errors[0]
    },
  }
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

const parenting = (parent: string, child: string): Reading => ({
  mode: 'awaits',
  act(ctx) {
    const { registry } = houseOf(ctx)
    return registry.create({ id: child, owner: registry.get(parent) as Agent })
  },
})

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
  [/^fork(?:\((.*)\)| (\w+.*))$/, ([, a, b]) => forking(a ?? b ?? 's1')],
  [/^create (?:an )?agent on the child$/, () => onChild],
  [/^create with (\w+) (.+)$/, ([, option = '', values = '']) => creatingEach(option, values)],
  [
    /^(?:begin )?create ((?:(?:parent|child|agent|session) )?\w+(?: and (?!prompt)\w+)?)((?: again)?(?: works)?(?: with .*)?)$/,
    ([, list = '', more = '']) => creating(list, more),
  ],
  [/^inside (\w+) create child (\w+)$/, ([, p = '', c = '']) => parenting(p, c)],
  [/^abort the signal$/, () => ({ act: (ctx) => houseOf(ctx).giveUp.abort() })],
  [/^unload the owner$/, () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).scope.unload() })],
  [
    /^tear (?:the )?factory down$|^tear down the factory$/,
    () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).factory?.tearDown() }),
  ],
  [/^dispose everything$/, () => disposing],
  [/^dispose (p|c|[ab]|s\d)$/, ([, name = '']) => leaving(name)],
  [
    /^dispose the (?:first|old|stale) (?:handle|agent)(?: again)?$/,
    () => ({ mode: 'awaits', act: (ctx) => houseOf(ctx).handles[0]?.dispose() }),
  ],
  [/^prompt(?: (?:both|all|it))?$/, () => prompting],
  [/^register a status listener in the scope(?: of \w+)?$/, () => listening],
  [
    /^(?:exit|stop|crash|(?:then )?abandon(?: the process)?|kill(?: the process)?|dispose (?:the )?process without .*)$/,
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
