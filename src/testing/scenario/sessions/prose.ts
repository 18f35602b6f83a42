/**
 * Sentences of `also` about sessions that can be checked.
 *
 * @module
 */
import { group } from '../phrase.ts'
import type { AgentRun, World } from '../world.ts'
import type { ScenarioHouse } from './house.ts'

type Rule = readonly [
  RegExp,
  (hit: RegExpExecArray, house: ScenarioHouse, run: AgentRun) => boolean,
]

const listOf = (text: string): string[] => text.split(/, /).filter((name) => name !== '')
const same = (names: readonly string[], text: string): boolean =>
  names.join(', ') === listOf(text).join(', ')

const RULES: readonly Rule[] = [
  [/^creation rejects$/, (_hit, { asked }) => asked.at(-1)?.error !== undefined],
  [
    /^create (\w+) rejects with ([A-Z_]+)$/,
    ([, id = '', code = ''], { asked }) =>
      asked.some(
        (one) => one.id === id && (one.error as { code?: string } | undefined)?.code === code,
      ),
  ],
  [
    /^no created notification, no registry entry$/,
    (_hit, house) => house.count('agent/created') === 0 && house.registry.list().length === 0,
  ],
  [
    /^(\w+) turn ends aborted:disposed$/,
    (_hit, _house, run) =>
      run.lines.some(({ line }) => /^turn\/end \d+ aborted:disposed/.test(line)),
  ],
  [
    /^roots\(\) = \[(.*?)\]; list\(\) = \[(.*?)\]; (\w+) is owned by (\w+)\b/,
    ([, roots = '', list = '', child = '', owner = ''], { registry }) =>
      same(
        registry.roots().map(({ id }) => id),
        roots,
      ) &&
      same(
        registry.list().map(({ id }) => id),
        list,
      ) &&
      registry.ownerOf(child)?.id === owner,
  ],
  [
    /^boot 2 continues turn numbering$/,
    (_hit, { registry }) => registry.list()[0]?.log.ledger.lastTurn === 2,
  ],
  [
    /^listener called only for the first \w+$/,
    (_hit, { world, registry }) => {
      const heard = (world.values.get('heard statuses') ?? []) as unknown[]
      return heard.length > 0 && registry.list().every((agent) => !heard.includes(agent))
    },
  ],
  [/(?:^|; )no second session\/created$/, (_hit, house) => house.count('session/created') === 1],
  [/^session-start says resume$/, (_hit, { order }) => order.includes('session-start:resume')],
  [
    /^(?:'?after resume: )?status idle; no request; nothing was put back because .*$/,
    (_hit, _house, run) => run.agent.status === 'idle' && run.agent.inbox.nextTurn.length === 0,
  ],
]

/** Codes that a sentence names must have been seen. */
function codesSeen(sentence: string, world: World): boolean | undefined {
  const list = group(/^codes? ([A-Z_]+(?:(?:, | and )[A-Z_]+)*)\b/, sentence)
  if (list === undefined) return undefined
  const seen = world.answers.map(({ threw }) => (threw as { code?: string } | undefined)?.code)
  return list.split(/, | and /).every((code) => seen.includes(code))
}

/** Whether a sentence about sessions holds; undefined if no rule reads it, or the scenario has no registry. */
export function judgeSessions(sentence: string, world: World, run: AgentRun): boolean | undefined {
  const { house } = world
  if (house === undefined) return undefined
  for (const [pattern, test] of RULES) {
    const hit = pattern.exec(sentence.trim())
    if (hit !== null) return test(hit, house, run)
  }
  return codesSeen(sentence, world)
}
