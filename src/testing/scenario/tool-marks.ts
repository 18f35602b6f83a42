/**
 * What a tool of a scenario is, apart from what its body does: parallel, repeatable, its time limit, its arguments.
 *
 * @module
 */
import type { StandardSchema } from '../../actors/tool.port.ts'
import { looseValue } from './loose-value.ts'
import { match, msIn, take, type Match } from './phrase.ts'
import type { Setup } from './setup.ts'

export interface Marks {
  /** Undefined where the phrase does not say. */
  readonly parallel: boolean | ((input: unknown) => unknown) | undefined
  readonly repeatable: boolean
  readonly timeoutMs: number | undefined
  readonly input: StandardSchema | undefined
  readonly rest: string
}

const PARALLEL = /\s*\(?\bparallel(?:-safe)?\)?(?=$|[\s,;:])/
const EXCLUSIVE = /\s*\(?\bexclusive\)?(?=$|[\s,;:])/
const CLASSIFIER =
  /[,;:]?\s*\(?(?:its |the |with a )?(?:parallel )?((?:throwing|truthy) classifier|(?:classifier|isParallel) (?:is )?(?:throws(?: "[^"]*")?|truthy|(?:returns?|answers?) (?:"[^"]*"|[^,;)(]*[^,;)( ])(?: \([^)]*\))?))\)?/
const CONDITION =
  /[,;:]?\s*\(?parallel (?:only )?(?:if|when|for|where) (?:its |the )?(?:args?(?:uments?)?\.?)? ?\{?"?(\w+)"?(?:\s*(?:is|=+|:)\s*"?(\w+)"?)?\}?\)?/
const TIMEOUT =
  /[,;]?\s*\(?\b(?:toolTimeoutMs|timeoutMs|time limit|times out after)(?: of|:)? (\d+(?:\s*ms|\s*s)?)\)?/
const SCHEMA =
  /[,;]?\s*\b(?:accepts|requires|validates|takes)(?: (?:anything|objects?(?: only)?|only objects|any object|its arguments)| (\{[^}]*\}))/

/** A classifier that throws, or answers something that is not exactly `true`. */
function classifier(text: string, setup: Setup): (input: unknown) => unknown {
  return () => {
    setup.world.tell({ kind: 'classifier', agent: 's1', asked: { n: 1 } })
    if (text.includes('throw')) throw new Error('classifier')
    if (/(?:returns?|answers?) true$/.test(text)) return true
    return /false/.test(text) ? false : 'yes'
  }
}

/** A classifier that looks at one argument. */
const conditional =
  (hit: Match) =>
  (input: unknown): unknown => {
    const value = (input as Record<string, unknown> | null)?.[hit.at(1)]
    return hit.maybe(2) === undefined ? value : value === looseValue(hit.at(2))
  }

function mode(
  text: string,
  setup: Setup,
): { readonly parallel: Marks['parallel']; readonly rest: string } {
  const condition = take(text, CONDITION)
  if (condition.hit !== undefined)
    return { parallel: conditional(condition.hit), rest: condition.rest }
  const classified = take(text, CLASSIFIER)
  const parallel = take(classified.rest, PARALLEL)
  const exclusive = take(parallel.rest, EXCLUSIVE)
  if (classified.hit !== undefined) {
    return { parallel: classifier(classified.hit.at(1), setup), rest: exclusive.rest }
  }
  if (parallel.hit !== undefined) return { parallel: true, rest: exclusive.rest }
  return { parallel: exclusive.hit === undefined ? undefined : false, rest: exclusive.rest }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Accepts objects with these members; keeps what it was asked for the probe. */
function objects(setup: Setup, members: string): StandardSchema {
  const wanted = members === '' ? {} : (looseValue(members) as Record<string, string>)
  return {
    '~standard': {
      version: 1,
      vendor: 'scenario',
      validate(value) {
        const seen = (setup.world.values.get('validatorSaw') ?? []) as unknown[]
        setup.world.values.set('validatorSaw', [...seen, value])
        const fine =
          isObject(value) &&
          Object.entries(wanted).every(([key, type]) => typeof value[key] === type)
        return fine ? { value } : { issues: [{ message: 'expected other arguments' }] }
      },
    },
  }
}

/** Takes the marks out of a description. */
export function marksOf(text: string, setup: Setup): Marks {
  const run = mode(text.replace(/\((parallel|exclusive), ([^)]*)\)/, '($1), $2'), setup)
  const repeatable = take(run.rest, /[,;]?\s*\(?\b(?:is |declared )?(repeatable)\)?/)
  const timeout = take(repeatable.rest, TIMEOUT)
  const schema = take(timeout.rest, SCHEMA)
  const limit = timeout.hit?.at(1)
  return {
    parallel: run.parallel,
    repeatable: repeatable.hit !== undefined,
    timeoutMs: limit === undefined ? undefined : (msIn(limit) ?? Number(limit)),
    input: schema.hit === undefined ? undefined : objects(setup, schema.hit.at(1)),
    rest: schema.rest.replace(/^[\s,;:]+/, ''),
  }
}

/** Does the phrase begin like a tool: a name, and what it is? */
export const toolHead = (phrase: string): Match | undefined =>
  match(
    /^"?([A-Za-z][\w-]*)"?(?:(?: and|,) "?([a-z][\w-]*)"?(?= \((?:parallel|exclusive)[^)]*\)(?:[:,]|$)))?/,
    phrase,
  )
