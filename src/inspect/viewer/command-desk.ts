/**
 * Commands from the page, given to the living agent like those of anybody else.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import type { Agent } from '../../actors/agent-handle.ts'
import { HttpRefusal } from './front-door.ts'
import type { CommandReceipt, ViewerCommand } from './wire.ts'

/** Bytes of the longest body that is read. */
const LONGEST_BODY = 1024 * 1024
/** Who the log names as the one that asked. */
const ACTOR = 'viewer'

/** Reads the body of a request. @throws HttpRefusal */
export async function readCommand(request: IncomingMessage): Promise<ViewerCommand> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new HttpRefusal(415, 'BAD_REQUEST', 'expected a body of type application/json.')
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > LONGEST_BODY)
      throw new HttpRefusal(413, 'BAD_REQUEST', `expected at most ${LONGEST_BODY} bytes.`)
    pieces.push(piece)
  }
  return commandOf(Buffer.concat(pieces).toString('utf8'))
}

const WORDS: readonly ViewerCommand['do'][] = [
  'followup',
  'steer',
  'inject',
  'cancel',
  'approve',
  'deny',
]

function commandOf(text: string): ViewerCommand {
  const given = fieldsOf(text)
  const word = WORDS.find((known) => known === given['do'])
  if (word === undefined) throw wrong('do', WORDS.join(', '))
  if (word === 'cancel') {
    return {
      do: word,
      ...optional(given, 'keepInbox', 'true or false', isFlag),
      ...optional(given, 'turn', 'the number of a turn', isTurn),
    }
  }
  if (word === 'approve' || word === 'deny') {
    return {
      do: word,
      call: needed(given, 'call'),
      ...optional(given, 'text', 'a text', isText),
    }
  }
  return { do: word, text: needed(given, 'text') }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {
    // Said below.
  }
  throw wrong('the body', 'a JSON object')
}

const wrong = (name: string, expected: string): HttpRefusal =>
  new HttpRefusal(400, 'BAD_REQUEST', `${name} must be ${expected}; nothing was done.`)

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isText = (value: unknown): value is string => typeof value === 'string'
const isTurn = (value: unknown): value is number => Number.isSafeInteger(value)

function needed(given: Fields, name: string): string {
  const value = given[name]
  if (!isText(value) || value === '') throw wrong(name, 'a text that is not empty')
  return value
}

function optional<K extends string, T>(
  given: Fields,
  name: K,
  expected: string,
  is: (value: unknown) => value is T,
): { [key in K]?: T } {
  const value = given[name]
  if (value === undefined) return {}
  if (!is(value)) throw wrong(name, expected)
  return { [name]: value } as { [key in K]: T }
}

/** Gives the command to the agent. @throws what the agent throws. */
export function perform(agent: Agent, command: ViewerCommand): CommandReceipt {
  const by = { actor: ACTOR }
  if ('call' in command) {
    const answer = command.do === 'approve' ? 'allow' : 'deny'
    const reason = command.text === undefined ? {} : { reason: command.text }
    agent.approve(command.call, answer, { by: ACTOR, ...reason })
    return { call: command.call, answer }
  }
  if (command.do === 'cancel') {
    const turn = command.turn === undefined ? {} : { turn: command.turn }
    const options = { keepInbox: command.keepInbox === true, ...turn, ...by }
    return agent.cancel({ kind: 'user', by: ACTOR }, options)
  }
  return { id: agent[command.do](command.text, by) }
}
