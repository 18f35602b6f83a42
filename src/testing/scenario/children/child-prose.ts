/**
 * Sentences about children that can be checked.
 *
 * @module
 */
import type { Family } from './family.ts'

type Rule = readonly [RegExp, (family: Family) => boolean]

const childLines = (family: Family): readonly string[] => family.linesOf(family.run?.agent)
const parentLines = (family: Family): readonly string[] => family.linesOf(family.parent)
const has = (lines: readonly string[], pattern: RegExp): boolean =>
  lines.some((line) => pattern.test(line))

/** Do these stand in this order, among others? */
const inOrder = (order: readonly string[], ...wanted: readonly string[]): boolean => {
  const places = wanted.map((one) => order.lastIndexOf(one))
  return places.every((place, i) => place >= 0 && (i === 0 || place > (places[i - 1] ?? 0)))
}

const wakes = ({ parent }: Family): boolean[] =>
  parent.log.read().flatMap(({ type, data }) => (type === 'inbox/inserted' ? [data.wake] : []))

const RULES: readonly Rule[] = [
  [
    /^child header: parentSession, depth, cwd of the parent$/,
    ({ run, parent }) => {
      const header = run?.agent.log.header
      return (
        header?.parent === parent.id && header.depth === 1 && header.cwd === parent.log.header.cwd
      )
    },
  ],
  [
    /^child\/descriptor is the first child event after preStep of turn 1$/,
    ({ order }) => {
      const own = order.filter((entry) => entry.startsWith('child '))
      return own[own.indexOf('child inbox/claimed') + 1] === 'child child/descriptor'
    },
  ],
  [
    /^rejects; no created notification; parent unaffected$/,
    (family) =>
      family.rejected.length > 0 &&
      !family.order.some((entry) => entry.startsWith('child ')) &&
      parentLines(family).length === 0,
  ],
  [/^child turn\/end aborted:parent$/, (f) => has(childLines(f), /^turn\/end 1 aborted:parent/)],
  [
    /^child turn\/end aborted:parent; parent tool result ABORTED; parent turn\/end aborted:user$/,
    (f) =>
      has(childLines(f), /^turn\/end 1 aborted:parent/) &&
      has(parentLines(f), /^tool\/result 1\.1 c1 error:ABORTED/) &&
      has(parentLines(f), /^turn\/end 1 aborted:user/),
  ],
  [
    /^the capturing tool concludes the turn: no further request$/,
    (f) => childLines(f).filter((line) => line.startsWith('step/start')).length === 1,
  ],
  [
    /^dispose resolves after child session\/disposed$/,
    ({ order }) => order.includes('child session/disposed'),
  ],
  [
    /^order: child turn\/end, child disposed, parent disposed$/,
    ({ order }) =>
      inOrder(order, 'child turn/end', 'child agent/disposed', 'parent agent/disposed'),
  ],
  [
    /^depth exceeded rejects without creation$/,
    ({ rejected }) => (rejected[0] as { code?: string } | undefined)?.code === 'CHILD_LIMIT',
  ],
  [
    /^the child uses the options captured at start$/,
    ({ run }) => {
      const header = run?.agent.log.read().find(({ type }) => type === 'request/header')
      return header?.type !== 'request/header' || header.data.model === 'at the start'
    },
  ],
  [
    /^first three arrive as waking prompts, the fourth as non-waking context$/,
    (f) => wakes(f).join() === 'true,true,true,false',
  ],
  [
    /^busy parent: steer; idle parent: waking followup; parent being disposed: no delivery\b/,
    ({ result }) => ['steered', 'woke', 'undelivered'].includes(result?.notice ?? ''),
  ],
]

/** Does a sentence hold in what was played? Undefined if no rule reads it. */
export function judgeChild(sentence: string, families: readonly Family[]): boolean | undefined {
  const rule = RULES.find(([pattern]) => pattern.test(sentence))
  if (rule === undefined || families.length === 0) return undefined
  // What one variant is about holds in the last; what all show holds in each.
  const [pattern, holds] = rule
  const asked = pattern.source.includes('busy parent') ? families : families.slice(-1)
  return asked.every(holds)
}
