/**
 * What must hold of a family when all is over.
 *
 * @module
 */
import type { Agent } from '../src/actors/agent-handle.ts'
import { goal } from '../src/projections/goal.ts'
import { fold } from '../src/projections/projection.ts'
import { checkInvariants } from '../src/testing/check-invariants.ts'
import type { Family } from './family.ts'

const FORESEEN =
  /^(?:gate broke|AGENT_DISPOSED|CHILD_LIMIT|GOAL_CONFLICT|SESSION_NOT_LIVE|DUPLICATE_ID)|is disposing or disposed|changed my mind|expected /

/** What broke a promise, in words. */
export const judgeFamily = (family: Family): string[] => [
  ...[...family.agents.values()].flatMap((agent) => judgeLog(agent)),
  ...judgeGoal(family),
  ...judgeRuns(family),
  ...judgeNotices(family),
  ...family.registry.list().map(({ id }) => `${id} still lives`),
  ...family.diagnostics.filter((text) => !FORESEEN.test(text)).map((text) => `diagnostic: ${text}`),
]

function judgeLog({ id, log, status }: Agent): string[] {
  const broken = checkInvariants(log, { atRest: true }).map(({ message }) => `${id}: ${message}`)
  return status === 'disposed' ? broken : [...broken, `${id} is ${status}`]
}

/** A round starts once for a revision, never beyond the cap, and never for another sender. */
function judgeGoal({ root, goals }: Family): string[] {
  const rounds = root.log.read().flatMap(({ type, data }) => {
    if (type !== 'user/message' || data.message.source.kind !== 'goal') return []
    const { goal: name, revision, round } = data.message.source
    return [JSON.stringify([name, revision, round])]
  })
  const started = fold(goal, root.log.read())?.started ?? 0
  return [
    ...(started > 4 ? [`${started} rounds have started`] : []),
    ...(rounds.some((key) => key.startsWith('["x"')) ? ['a forged round has entered'] : []),
    ...(new Set(rounds).size < rounds.length
      ? [`a round has entered twice: ${rounds.join()}`]
      : []),
    ...(goals.of('root') === undefined ? [] : ['the goal of a disposed agent is still attached']),
  ]
}

/** Every run is over, its result is known, and an attached child knows who stopped it. */
function judgeRuns({ runs, results, children }: Family): string[] {
  const found = children.list().map(({ id }) => `${id} is still listed`)
  if (results.length !== runs.size) found.push(`${results.length} results of ${runs.size} runs`)
  for (const run of runs) {
    if (run.state !== 'closed') found.push(`${run.id} is ${run.state}`)
    if (run.agent.log.header.parent !== run.parent.id) found.push(`${run.id} has another parent`)
    const described = run.agent.log.read().filter(({ type }) => type === 'child/descriptor').length
    if (described > 1) found.push(`${run.id} is described ${described} times`)
  }
  return found
}

/** Ids of messages by who sent them, as they were inserted or as they were committed. */
function bySender(
  log: Agent['log'],
  wanted: 'inbox/inserted' | 'user/message',
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { type, data } of log.read()) {
    if (type !== wanted || ('mark' in data && data.mark !== undefined)) continue
    const { sender } = data.message.source
    if (typeof sender !== 'string') continue
    found.set(sender, [...(found.get(sender) ?? []), data.message.id])
  }
  return found
}

/** What a child tells arrives in the order in which it was told. */
const judgeNotices = ({ agents }: Family): string[] =>
  [...agents.values()].flatMap(({ id, log }) => {
    const sent = bySender(log, 'inbox/inserted')
    return [...bySender(log, 'user/message')]
      .filter(([sender, ids]) => {
        const order = (sent.get(sender) ?? []).filter((one) => ids.includes(one))
        return order.join() !== ids.join()
      })
      .map(([sender]) => `${id} has heard ${sender} out of order`)
  })
