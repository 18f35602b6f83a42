/**
 * Builds gates from phrases: a name, clauses, and when each applies.
 *
 * @module
 */
import type { GateAt } from '../../actors/gates.port.ts'
import type { CallRef, Failure, Message } from '../../events/message.ts'
import { textOf } from '../print-request.ts'
import { applies, readClauses, type Clauses } from './clauses.ts'
import { readAnswer } from './gate-answers.ts'
import type { GateName } from './moment.ts'
import { gateNamed } from './parse-place.ts'
import type { Asked } from './scope.ts'
import type { AnyGate, Setup } from './setup.ts'
import { isEnd, readAct, readPlain, readThrow, readWait, type Step, type StepCtx } from './step.ts'
import type { AgentRun } from './world.ts'

type Question = Record<string, unknown>

const callOf = (question: Question): string | undefined =>
  (question['call'] as CallRef | undefined)?.providerId

/** What the question says about where it is asked. */
export function askedOf(question: Question, n: number): Asked {
  const batch = question['batch'] as readonly Message[] | undefined
  const config = question['config'] as { provider?: string } | undefined
  const provider = (question['provider'] as string | undefined) ?? config?.provider
  const call = callOf(question)
  return {
    n,
    turn: question['turn'] as number,
    step: question['step'] as number,
    ...(question['attempt'] === undefined ? {} : { attempt: question['attempt'] as number }),
    ...(call === undefined ? {} : { call, tool: question['tool'] as string }),
    ...(provider === undefined ? {} : { provider }),
    ...(batch === undefined ? {} : { batch: batch.map((message) => textOf(message.content)) }),
  }
}

/** Keeps what the gate saw, for the probe. */
export function noteCall(run: AgentRun, setup: Setup, gate: GateName, question: Question): void {
  const last = run.lines.findLast(
    (line) => !/^(?:assistant\/chunk|request\/header|request\/context)$/.test(line.type),
  )
  const failure = question['failure'] as Failure | undefined
  const batch = question['batch'] as readonly Message[] | undefined
  const starts = run.events.filter((event) => event.type === 'step/start').length
  const call = callOf(question)
  setup.world.note(gate, {
    turn: question['turn'],
    step: question['step'],
    ...(batch === undefined ? {} : { batch: batch.map((message) => textOf(message.content)) }),
    ...(question['attempt'] === undefined ? {} : { attempt: question['attempt'] }),
    ...(question['provider'] === undefined ? {} : { provider: question['provider'] }),
    ...(failure === undefined ? {} : { failure: failure.code }),
    ...(call === undefined ? {} : { call }),
    ...(question['owes'] === undefined ? {} : { owes: question['owes'] }),
    stepOpen: starts > run.events.filter((event) => event.type === 'step/end').length,
    logTail: last?.line,
  })
}

/** Tells that a gate is asked; what is issued inside it may have to be waited for. */
function tell(
  setup: Setup,
  gate: GateName,
  question: Question & GateAt,
  n: number,
): Promise<unknown> | undefined {
  noteCall(setup.world.run(question.agent), setup, gate, question)
  return setup.world.emit({
    kind: 'gate',
    gate,
    agent: question.agent,
    asked: askedOf(question, n),
  })
}

/** A gate that only tells that it was asked, where no hook of the setup does. */
export function probe(setup: Setup, gate: GateName): AnyGate {
  let n = 0
  return async (question, next) => {
    n += 1
    const started = tell(setup, gate, question, n)
    if (started !== undefined) await started
    return next()
  }
}

/** Runs the clauses of one hook for one question. */
async function runClauses(
  clauses: Clauses<Step>,
  ctx: StepCtx,
  question: Question,
  asked: Asked,
): Promise<{ readonly answer: unknown } | undefined> {
  for (const clause of clauses.clauses) {
    if (!applies(clauses, clause, asked)) continue
    if (clause.step.kind === 'pass') return undefined
    const done = clause.step.run(ctx, question)
    const value: unknown = done instanceof Promise ? await done : done
    if (clause.step.kind === 'answer') return { answer: value }
  }
  return undefined
}

function makeGate(setup: Setup, name: GateName, clauses: Clauses<Step>): AnyGate {
  let n = 0
  const first = !setup.gates.has(name)
  return async (question: Question & GateAt, next) => {
    n += 1
    const started = first ? tell(setup, name, question, n) : undefined
    if (started !== undefined) await started
    const run = setup.world.run(question.agent)
    const ctx: StepCtx = { setup, run, signal: question.signal, n, waits: ['gate', name] }
    const decided = await runClauses(clauses, ctx, question, askedOf(question, n))
    return decided === undefined ? next() : decided.answer
  }
}

/** `tries to mutate …`: a frozen batch throws. */
function readMutation(text: string): Step | undefined {
  if (!/^(?:tries to )?mutates?\b|^tries to (?:change|edit)/.test(text)) return undefined
  return {
    kind: 'act',
    run(ctx, question) {
      const target = ((question['batch'] as readonly Message[] | undefined)?.[0]?.content ??
        question['config']) as { [key: string]: unknown }
      let thrown = false
      try {
        target['changed'] = 'x'
      } catch (error) {
        thrown = error instanceof TypeError
      }
      ctx.setup.world.values.set('mutationThrows', thrown)
    },
  }
}

/** `denies c2` as `denies for c2`: the call is a scope. */
const directObject = (gate: GateName, text: string): string =>
  gate.startsWith('tool')
    ? text.replaceAll(
        /\b(den(?:y|ies)|blocks?|asks?(?: about)?|allows?|accepts?|throws?) (c\d+)\b/g,
        '$1 for $2',
      )
    : text

const HEAD =
  /^((?:pre-?step|request-?error|request(?: gate| hook)?|step-?result|tool-?pre|tool-?post|continuation|turn-?stopping|recovery|stop hook|stop gate))(?:'s)?(?: gate| hook| listener)?(?: (?:of |named )?"([\w-]+)"| #?\d(?= )| [A-Z](?= )| \((?:first|second|third|one|two|[\w-]+)\)(?= ))?:?\s+/i

/** Reads a hook that names a gate. @returns whether it names one. */
export function readGateHook(phrase: string, setup: Setup): boolean {
  const head = HEAD.exec(phrase)
  const name = head === null ? undefined : gateNamed(head[1] ?? '')
  if (head === null || name === undefined) return false
  const by = head[2]
  const unread: string[] = []
  const clauses = readClauses<Step>(
    directObject(
      name,
      phrase
        .slice(head[0].length)
        .replace(/\s*\([^)]*\)/g, (note) =>
          /^\s*\(throws|^\s*\(variant|^\s*\(default/.test(note) ? '' : note,
        ),
    ),
    (text) =>
      readMutation(text) ??
      readWait(text) ??
      readAnswer(name, text, setup, by) ??
      readThrow(text, setup) ??
      readPlain(text) ??
      readAct(text, setup),
    isEnd,
    unread,
  )
  setup.unread.push(...unread.map((part) => `hook ${JSON.stringify(phrase)}: ${part}`))
  const gate = makeGate(setup, name, clauses)
  Object.defineProperty(gate, 'name', { value: by ?? name })
  setup.gates.set(name, [...(setup.gates.get(name) ?? []), gate])
  return true
}
