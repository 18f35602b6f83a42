/**
 * Does what a typed line asks for, with the verbs of the agent.
 *
 * O1 A line that cannot be obeyed changes nothing, says why, and ends nothing.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { causeChain, TurnwiseError } from '../../errors.ts'
import { whyNotIdle } from '../../inspect/account/why-not-idle.ts'
import type { OpenQuestion } from '../../projections/approvals.ts'
import { usage } from '../../projections/usage.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import { amount } from '../offline/words.ts'
import { readLine, SLASH_LINES, type SlashName } from './slash.ts'
import { parkedLine, pendingLines } from './words.ts'

/** What lines are about. */
export interface Desk {
  readonly agent: Agent
  readonly registry: Registry
  /** Makes the id of a fork. */
  readonly newId: () => string
  /** How a session is opened from the command line. */
  readonly opens: (id: string) => string
  /** Ends the chat. */
  readonly quit: () => void
}

type Answer = readonly string[]

/** Obeys a line. @returns what is said to it. It never rejects. */
export async function obey(desk: Desk, line: string): Promise<Answer> {
  try {
    const spoken = readLine(line)
    if (spoken.kind === 'nothing') return []
    if (spoken.kind === 'fault') return [spoken.why]
    if (spoken.kind === 'slash') return await DO[spoken.name](desk, spoken.rest)
    desk.agent.steer(spoken.text)
    return []
  } catch (error) {
    return [error instanceof TurnwiseError ? `${error.code}: ${error.summary}` : causeChain(error)]
  }
}

const DO: { readonly [name in SlashName]: (desk: Desk, rest: string) => Answer | Promise<Answer> } =
  {
    queue: ({ agent }, text) => {
      agent.followup(text)
      return []
    },
    inject: ({ agent }, text) => {
      agent.inject({ content: text, source: { kind: 'plugin', plugin: 'chat' } })
      return []
    },
    cancel: ({ agent }, rest) => cancel(agent, rest !== ''),
    inbox: ({ agent }) => inboxOf(agent),
    approve: (desk, rest) => answer(desk, 'allow', rest),
    deny: (desk, rest) => answer(desk, 'deny', rest),
    fork,
    status: ({ agent }) => standing(agent),
    help: () => SLASH_LINES,
    quit: ({ quit }) => {
      quit()
      return []
    },
  }

function cancel(agent: Agent, keepInbox: boolean): Answer {
  const { effect } = agent.cancel({ kind: 'user', by: '/cancel' }, { keepInbox })
  if (effect === 'none') return ['nothing runs and nothing waits']
  const parked = agent.status === 'idle' ? parkedLine(agent) : undefined
  return parked === undefined ? [] : [parked]
}

function inboxOf(agent: Agent): Answer {
  const lines = pendingLines(agent)
  const parked = parkedLine(agent)
  return [
    ...(lines.length === 0 ? ['nothing waits'] : lines),
    ...(parked === undefined ? [] : [parked]),
  ]
}

function answer({ agent }: Desk, decision: 'allow' | 'deny', rest: string): Answer {
  const { open } = agent.approvals
  const [word = ''] = rest.split(/\s/, 1)
  const named = open.some(({ call }) => call.key === word || call.providerId === word)
  if (named || !mayMeanOnly(open, decision, word)) {
    if (word === '') return [unnamed(open)]
    return decide(agent, decision, word, rest.slice(word.length))
  }
  return decide(agent, decision, open[0]?.call.key ?? '', rest)
}

/** Where one question is open it needs no name. Whoever allows names nothing else, so that no slip of a name allows a call. */
const mayMeanOnly = (
  open: readonly OpenQuestion[],
  decision: 'allow' | 'deny',
  word: string,
): boolean => open.length === 1 && (decision === 'deny' || word === '')

const unnamed = (open: readonly OpenQuestion[]): string =>
  open.length === 0
    ? 'no call was asked about'
    : `which one? ${open.map(({ call }) => call.key).join(', ')}`

/** @throws TurnwiseError APPROVAL_CLOSED */
function decide(agent: Agent, decision: 'allow' | 'deny', call: string, words: string): Answer {
  const reason = words.trim()
  agent.approve(call, decision, reason === '' ? {} : { reason })
  return []
}

async function fork({ agent, registry, newId, opens }: Desk): Promise<Answer> {
  const { id } = await registry.fork(agent.id, { id: newId(), closeOpen: true })
  return [`a copy of this session is ${id}; open it with: ${opens(id)}`]
}

function standing(agent: Agent): Answer {
  const { inputTokens = 0, outputTokens = 0 } = agent.read(usage).total
  const findings = whyNotIdle(agent.log.read(), Date.now(), 'alive')
  return [
    `session ${agent.id}: ${agent.status}, ${amount(agent.log.length)} events, ${amount(inputTokens)} tokens in, ${amount(outputTokens)} out`,
    ...findings.map(({ text }) => text),
  ]
}
