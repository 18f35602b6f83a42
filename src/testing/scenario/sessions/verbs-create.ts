/**
 * Commands that create sessions.
 *
 * @module
 */
import type { Agent } from '../../../actors/agent-handle.ts'
import type { StartOptions } from '../../../sessions/registry-port.ts'
import { looseValue } from '../loose-value.ts'
import { group, namesIn, quotedIn, splitTop } from '../phrase.ts'
import type { Ctx, Reading, VerbRule } from '../verb.ts'
import { houseOf, idOf } from './verb-places.ts'

/** What stands behind `create s1`. */
function startOptions(ctx: Ctx, text: string): StartOptions {
  const house = houseOf(ctx)
  const rejects = /setup (?:rejecting|that rejects|rejects|throwing|that throws)/.test(text)
  const does = group(/setup that ((?:injects|steers|sends|followups?|sleeps) .+)$/, text)
  const reason = new Error('the reason of the signal')
  const signal = /aborted signal/.test(text) ? AbortSignal.abort(reason) : house.giveUp.signal
  return {
    ...(/signal/.test(text) ? { signal } : {}),
    ...(does === undefined ? {} : { setup: (agent) => performIn(ctx, agent, does) }),
    ...(rejects ? { setup: failing(quotedIn(text)[0] ?? 'nope') } : {}),
    ...(/hung setup|setup that hangs/.test(text) ? { setup: () => new Promise(() => {}) } : {}),
  }
}

/** A command that a setup issues. */
function performIn({ world }: Ctx, agent: Agent, phrase: string): unknown {
  return world.readCommand(phrase)?.act({ world, run: world.run(agent.id), agent })
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

/** Two creations of one id in one tick. */
const creatingTwice = (name: string): Reading => ({
  mode: 'awaits',
  key: `create ${name} twice`,
  async act(ctx) {
    const house = houseOf(ctx)
    const both = [house.create(idOf(name)), house.create(idOf(name))]
    for (const one of await Promise.allSettled(both))
      if (one.status === 'rejected') throw one.reason
  },
})

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

const parenting = (parent: string, child: string): Reading => ({
  mode: 'awaits',
  act(ctx) {
    const { registry } = houseOf(ctx)
    return registry.create({ id: child, owner: registry.get(parent) as Agent })
  },
})

export const CREATE_RULES: readonly VerbRule[] = [
  [/^create (\w+) twice(?: at once| in one tick)?$/, ([, name = '']) => creatingTwice(name)],
  [/^create with (\w+) (.+)$/, ([, option = '', values = '']) => creatingEach(option, values)],
  [
    /^(?:begin )?create ((?:(?:parent|child|agent|session) )?\w+(?: and (?!prompt)\w+)?)((?: again)?(?: works)?(?: with .*)?)$/,
    ([, list = '', more = '']) => creating(list, more),
  ],
  [/^inside (\w+) create child (\w+)$/, ([, p = '', c = '']) => parenting(p, c)],
]
