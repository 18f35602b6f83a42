/**
 * When a hook of a scenario acts: once, for turn 2, for c1, from the third request on, when the batch contains "A".
 *
 * @module
 */
import { count, ORDINAL, ordinal, take } from './phrase.ts'

/** What a hook knows about the call it answers. */
export interface Asked {
  /** Counts the calls of this hook from 1. */
  readonly n: number
  readonly turn?: number
  readonly step?: number
  readonly attempt?: number
  /** Provider id of the tool call. */
  readonly call?: string
  readonly tool?: string
  readonly provider?: string
  /** Texts of the batch. */
  readonly batch?: readonly string[]
}

/** A test of a call; scopes that say nothing always hold. */
export interface Scope {
  readonly texts: readonly string[]
  /** Does it restrict anything? */
  readonly empty: boolean
  readonly once: boolean
  holds(asked: Asked): boolean
}

type Test = (asked: Asked) => boolean
type Rule = readonly [RegExp, (hit: RegExpExecArray) => Test]

const O = ORDINAL
const CALLED = '(?:call|time|request|attempt|question|step|failure|response|batch|turn)'

const RULES: readonly Rule[] = [
  [
    new RegExp(
      `\\b(?:from|since|starting with) (?:the )?(${O}) ${CALLED}(?: on(?:wards?)?)?\\b`,
      'i',
    ),
    ([, nth]) => from(ordinal(nth ?? '')),
  ],
  [
    /\bfrom (step|turn|attempt) (\d+) on(?:wards?)?\b/,
    ([, unit = '', n]) =>
      (a) =>
        (unitOf(a, unit) ?? 0) >= Number(n),
  ],
  [
    /\b(?:after|later than) (?:the )?first (?:call|time|request|failure|attempt|one)\b/i,
    () => (a) => a.n > 1,
  ],
  [
    /\bafter (\w+) (?:calls|times|requests|failures|attempts)\b/i,
    ([, n]) =>
      (a) =>
        a.n > count(n ?? ''),
  ],
  [
    /\b(?:only )?(?:for|at|on|in|of|during|until)? ?(?:the |its )?(?:very )?first (?:two|2) (?:calls?|times?|requests?|attempts?)\b/i,
    () => (a) => a.n <= 2,
  ],
  [
    new RegExp(`\\b(?:only )?(?:for|at|on|in|of|during) (?:the |its )?(${O}) (turn|step)\\b`, 'i'),
    ([, nth, unit = '']) => equals(unit, ordinal(nth ?? '')),
  ],
  [
    new RegExp(
      `(?:\\b(?:only )?(?:for|at|on|in|of|during) )?(?:\\bthe |\\bits )(${O}) ${CALLED}(?: only)?\\b`,
      'i',
    ),
    ([, nth]) =>
      (a) =>
        a.n === ordinal(nth ?? ''),
  ],
  [
    /\b(?:only )?(?:when|where|if|for|at|in|of|on|during)? ?\(?(?:the )?step (?:number )?(?:=|is|equals)? ?(\d+)\.(\d+)\)?/,
    ([, turn, step]) =>
      (a) =>
        a.turn === Number(turn) && a.step === Number(step),
  ],
  [
    /\b(?:only )?(?:when|where|if|for|at|in|of|on|during)? ?\(?(?:the )?(turn|step|attempt) (?:number )?(?:={1,3}|is|equals)? ?(\d+)\)?(?: only)?\b/,
    ([, unit = '', n]) => equals(unit, Number(n)),
  ],
  [
    /\b(?:on|for|at|in) every (?:step|call|turn|request|attempt|time|question)\b|\b(?:every|each) time\b|\balways\b|\bimmediately\b|\bevery step\b/,
    () => () => true,
  ],
  [
    /\b(?:(?:for|of|on|when(?: it is)?|if) )?(?:the )?call (c\d+)\b/,
    ([, call]) =>
      (a) =>
        a.call === call,
  ],
  [
    /\b(?:for|of|on|in|when|if) (c\d+)\b/,
    ([, call]) =>
      (a) =>
        a.call === call,
  ],
  [
    /\b(?:for|of) (?:the )?tool "?(\w+)"?/,
    ([, tool]) =>
      (a) =>
        a.tool === tool,
  ],
  [
    /\b(?:for|of|while|on) (?:provider )?(p\d+)\b/,
    ([, p]) =>
      (a) =>
        a.provider === p,
  ],
  [
    /\b(?:when|if|where|for) (?:the |its |a )?batch (?:contains|holds|has|containing|with) "?([\w -]+?)"?(?=$|,| and | then )/,
    ([, text]) => containing(text),
  ],
  [
    /\b(?:a |any |the |every )?batch(?:es)? (?:containing|that contains?|that holds?|with|of) "?([\w -]+?)"?(?=$|,| and | then | with )/,
    ([, text]) => containing(text),
  ],
  [/\bonly (?:for|on|when) "?([A-Z]\w*)"?/, ([, text]) => containing(text)],
  [/\b(?:only )?(?:once|the first time|at first|a single time)\b/, () => (a) => a.n === 1],
  [/\btwice\b/, () => (a) => a.n <= 2],
  [
    /\b(\w+) times\b/,
    ([, n]) =>
      (a) =>
        a.n <= count(n ?? ''),
  ],
]

const unitOf = (asked: Asked, unit: string): number | undefined =>
  unit === 'turn' ? asked.turn : unit === 'step' ? asked.step : asked.attempt
const equals =
  (unit: string, n: number): Test =>
  (asked) =>
    unitOf(asked, unit) === n
const from =
  (n: number): Test =>
  (asked) =>
    asked.n >= n
const containing =
  (text = ''): Test =>
  (asked) =>
    asked.batch?.includes(text.trim()) === true

/** Takes every scope out of a phrase. */
export function takeScope(phrase: string): { scope: Scope; rest: string } {
  const tests: Test[] = []
  const texts: string[] = []
  let rest = phrase
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(masked(rest))
    const real = pattern.exec(rest)
    if (hit === null || real?.index !== hit.index) continue
    tests.push(make(real))
    texts.push(real[0].trim())
    rest = take(rest, pattern).rest
  }
  rest = rest.replaceAll(/\s+([,;])/g, '$1').replace(/^[\s,]+|[\s,]+$/g, '')
  return {
    scope: {
      texts,
      empty: tests.length === 0,
      once: texts.some((text) => /once|first/.test(text)),
      holds: (asked) => tests.every((test) => test(asked)),
    },
    rest,
  }
}

/** Quoted texts say nothing about the scope unless a rule names them; long ones are hidden from the rules. */
const masked = (text: string): string =>
  text.replaceAll(/"([^"]*)"/g, (whole, inner: string) =>
    /^[\w-]+$/.test(inner) ? whole : `"${'_'.repeat(inner.length)}"`,
  )
