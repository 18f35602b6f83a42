/**
 * Rules for the prose of `also` and `never`: what can be read is checked, the rest is left to a reader.
 *
 * @module
 */
import { judgeGoal } from './goals/goal-prose.ts'
import { judgeSessions } from './sessions/prose.ts'
import type { World, AgentRun } from './world.ts'

/** Whether a sentence holds; undefined if no rule reads it. */
export type Verdict = boolean | undefined

type Rule = readonly [RegExp, (hit: RegExpExecArray, world: World, run: AgentRun) => Verdict]

const linesOf = (run: AgentRun): string[] => run.lines.map(({ line }) => line)
const count = (run: AgentRun, type: string): number =>
  run.events.filter((event) => event.type === type).length
const some = (run: AgentRun, pattern: RegExp): boolean =>
  linesOf(run).some((line) => pattern.test(line))

/** What must not have occurred. */
const NEVER: readonly Rule[] = [
  [
    /^(?:a |the )?model request(?: (\d+))?$/,
    ([, n], world) => world.requests.length < Number(n ?? 1),
  ],
  [/^(?:an? )?error notification$/, (_hit, _world, run) => run.errors.length === 0],
  [/^status (\w+)$/, ([, status = ''], _world, run) => !run.statuses.includes(status)],
  [/^(?:a )?tool body$/, (_hit, world) => world.bodies.length === 0],
  [
    /^tool body (c\d+)(?: or (c\d+))?$/,
    ([, a, b], world) => world.bodies.every((body) => body.call !== a && body.call !== b),
  ],
  [
    /^insertion of "?(\w+)"?$/,
    ([, text = ''], _world, run) =>
      !linesOf(run).some((line) => line.startsWith('inbox ') && line.includes(`+["${text}"`)),
  ],
  [
    /^claim of "?(\w+)"?$/,
    ([, id = ''], _world, run) =>
      run.events.every(
        (event) =>
          event.type !== 'inbox/claimed' ||
          ![...event.data.nextTurn, ...event.data.nextStep].includes(id),
      ),
  ],
  [
    /^action (retry|fail)$/,
    ([, action = ''], _world, run) =>
      run.events.every((event) => event.type !== 'request/failed' || event.data.action !== action),
  ],
  [/^(?:a |any )?timer$/, (_hit, world) => world.clock.timers === 0],
  [
    /^turn\/end (aborted|completed|blocked|error|limit)$/,
    ([, reason = ''], _world, run) => !some(run, new RegExp(`^turn/end \\d+ ${reason}`)),
  ],
  [/^a turn containing both user messages$/, (_hit, _world, run) => oneMessageATurn(run)],
  [
    /^(\w+) in any request$/,
    ([, text = ''], world) =>
      !world.requests.some((made) => made.history.some((entry) => entry.endsWith(`:${text}`))),
  ],
  [/^(\w+) lost$/, ([, id = ''], _world, run) => some(run, new RegExp(`^user/message "${id}"`))],
  [
    /^a call without an outcome(?: in any request)?$|^dangling tool call in derived history$/,
    (_hit, world) => world.requests.every((made) => paired(made.history)),
  ],
  [
    /^([a-z]+\/[a-z]+(?: .+)?)$/,
    ([, line = ''], _world, run) => !linesOf(run).some((one) => saysAll(one, line)),
  ],
]

/** Do the words of `wanted` stand in `line`, in their order, the first at its head? */
function saysAll(line: string, wanted: string): boolean {
  const words = line.split(' ')
  const [type, ...rest] = wanted.split(' ')
  let from = 1
  return (
    words[0] === type &&
    rest.every((word) => {
      const at = words.indexOf(word, from)
      from = at + 1
      return at >= 0
    })
  )
}

function oneMessageATurn(run: AgentRun): boolean {
  const turns = run.events.flatMap((event) =>
    event.type === 'user/message' ? [event.data.turn] : [],
  )
  return new Set(turns).size === turns.length
}

const sorted = (ids: readonly (string | undefined)[]): string =>
  ids.toSorted((a = '', b = '') => a.localeCompare(b)).join()

/** Does every call of the history have its outcome? */
function paired(history: readonly string[]): boolean {
  const asked = history.flatMap((entry) =>
    [...entry.matchAll(/assistant:call (\S+)/g)].map((hit) => hit[1]),
  )
  const answered = history
    .filter((entry) => entry.startsWith('tool-result '))
    .map((entry) => entry.split(' ')[1])
  return sorted(asked) === sorted(answered)
}

/** What must hold besides. */
const ALSO: readonly Rule[] = [
  [
    /^(?:one|1) (?:turn only|turn\/start|turn)(?:, no step)?$|^one turn only$/,
    (hit, _world, run) =>
      count(run, 'turn/start') === 1 && (!/no step/.test(hit[0]) || count(run, 'step/start') === 0),
  ],
  [
    /^exactly one running and one idle notification$|^one status pair$/,
    (_hit, _world, run) => run.statuses.join() === 'running,idle',
  ],
  [
    /^no error notification(?:; the exception appears once in diagnostics)?$/,
    (hit, _world, run) =>
      run.errors.length === 0 && (!/diagnostics/.test(hit[0]) || run.diagnostics.length === 1),
  ],
  [
    /exception of the listener appears once in diagnostics$/,
    (_hit, _world, run) => run.diagnostics.length === 1,
  ],
  [
    /^(?:one cancel request in the log\b.*|one agent\/disposed, one cancel request)$/,
    (_hit, _world, run) => count(run, 'cancel/requested') === 1,
  ],
  [
    /^no chunk, no model request$/,
    (_hit, world, run) => count(run, 'assistant/chunk') === 0 && world.requests.length === 0,
  ],
  [/^(?:tool body never ran|bodies started: none)$/, (_hit, world) => world.bodies.length === 0],
  [
    /^log stays empty$|^nothing is written to the log$/,
    (_hit, _world, run) => run.events.length === 0,
  ],
  [
    /^discard reason (\w+)$/,
    ([, reason], _world, run) =>
      run.events.some((event) => event.type === 'inbox/discarded' && event.data.reason === reason),
  ],
  [
    /^status stays running(?: between the two turns)?$|^status stays running; .*$/,
    (_hit, _world, run) => run.statuses.join() === 'running,idle',
  ],
  [/^status trace ([\w, ]+)$/, ([, list = ''], _world, run) => run.statuses.join(', ') === list],
  [
    /^two running\/idle pairs$/,
    (_hit, _world, run) => run.statuses.join() === 'running,idle,running,idle',
  ],
  [/^the same transient/, () => undefined],
  [
    /^settles without advancing the clock$/,
    (_hit, world) => new Set(world.snapshots.map(({ facts }) => facts.time)).size <= 1,
  ],
  [
    /^'?final order ([\w, ]+)$|^order ([\w, ]+)$/,
    ([, a, b], _world, run) =>
      run.agent.inbox.nextTurn.map((entry) => entry.message.id).join(', ') === (a ?? b),
  ],
  [/^turn aborted:disposed$/, (_hit, _world, run) => some(run, /^turn\/end \d+ aborted:disposed/)],
  [
    /^c\d outcome ABORTED_BEFORE_DISPATCH; approval recorded as asked and decided cancelled; the body never ran$/,
    (_hit, world, run) =>
      some(run, /error:ABORTED_BEFORE_DISPATCH/) &&
      some(run, /^approval\/decided \S+ \S+ cancelled/) &&
      world.bodies.length === 0,
  ],
  [
    /^the late answer is refused with APPROVAL_CLOSED/,
    (_hit, world) =>
      world.answers.some(
        (one) => (one.threw as { code?: string } | undefined)?.code === 'APPROVAL_CLOSED',
      ),
  ],
  [
    /^'?request\/failed 1\.1 #1 (\w+) (fail|retry)(?:; turn error (\w+))?'?$/,
    ([, code, action, end], _world, run) =>
      some(run, new RegExp(`^request/failed 1.1 #1 ${code ?? ''} ${action ?? ''}`)) &&
      (end === undefined || some(run, new RegExp(`^turn/end 1 error:${end}`))),
  ],
  [/^one assistant\/message/, (_hit, _world, run) => count(run, 'assistant/message') === 1],
  [
    /^(?:the )?seq continues without a gap$/,
    (_hit, _world, run) => run.events.every((event, i) => event.seq === i),
  ],
]

const judge = (rules: readonly Rule[], sentence: string, world: World, run: AgentRun): Verdict => {
  for (const [pattern, test] of rules) {
    const hit = pattern.exec(sentence.trim())
    const verdict = hit === null ? undefined : test(hit, world, run)
    if (verdict !== undefined) return verdict
  }
  return undefined
}

export const judgeNever = (sentence: string, world: World, run: AgentRun): Verdict =>
  judgeGoal('never', sentence, world, run) ?? judge(NEVER, sentence, world, run)
export const judgeAlso = (sentence: string, world: World, run: AgentRun): Verdict =>
  judgeGoal('also', sentence, world, run) ??
  judgeSessions(sentence, world, run) ??
  judge(ALSO, sentence, world, run)
