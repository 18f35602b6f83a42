/**
 * `turnwise chat` in a terminal of its own, with an agent that a test writes into a file.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { built, cwd, useOneShot } from './one-shot-rig.ts'
import { KEYS, Terminal } from './pty.ts'

const terminals: Terminal[] = []

/** As `useOneShot`; what a test leaves behind is ended. */
export function useChat(): void {
  useOneShot()
  afterEach(() => {
    for (const one of terminals.splice(0)) one.kill()
  })
}

interface Size {
  readonly columns?: number
  readonly rows?: number
  readonly term?: string
}

function opened(program: string, words: readonly string[], size: Size): Terminal {
  const made = new Terminal(program, words, { cwd, ...size })
  terminals.push(made)
  return made
}

/** A terminal with the command in it. */
export const terminal = (words: readonly string[], size: Size = {}): Terminal =>
  opened(process.execPath, [built.main, ...words], size)

/** A terminal with a shell that stops jobs, and leaves the editing of lines to the terminal. */
export const shell = (): Terminal =>
  opened('bash', ['--norc', '--noprofile', '--noediting', '-i'], { columns: 200 })

/** A chat with the agent of the file, once it listens. */
export async function chat(words: readonly string[] = [], size: Size = {}): Promise<Terminal> {
  const made = terminal(['chat', '--agent', 'agent.mjs', '--session', 's', ...words], size)
  await made.shows('\n>')
  return made
}

/** Leaves a chat; its log is complete then. */
export async function left(chatting: Terminal): Promise<void> {
  chatting.type(KEYS.ctrlD)
  expect(await chatting.ended()).toBe(0)
}

/** The stored events of a session. */
export const stored = (id = 's'): readonly StoredEvent[] =>
  readFileSync(join(cwd, '.turnwise', `${id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as StoredEvent)

/** What was said to the model, in order, and in which turn. */
export const said = (id = 's'): readonly string[] =>
  stored(id).flatMap((event) =>
    event.type === 'user/message'
      ? [
          `${event.data.turn} ${event.data.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`,
        ]
      : [],
  )

/** How the turns of a session ended. */
export const ends = (id = 's'): readonly string[] =>
  stored(id).flatMap((event) => (event.type === 'turn/end' ? [event.data.reason.kind] : []))

export const sessions = (): readonly string[] =>
  readdirSync(join(cwd, '.turnwise'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .toSorted()

/** An agent that asks before it works, then answers. Its call holds the run until it is answered. */
export const ASKING = `{
  model: scriptedModel([
    [script.text('I ask first.'), script.call('c1', 'deploy', { version: '2.0' })],
    [script.text('First answer.')],
    [script.text('Second answer.')],
    [script.text('Third answer.')],
  ]),
  tools: [{ name: 'deploy', approval: { prompt: 'Deploy?' }, run: () => 'deployed' }],
}`

/** An agent whose first answer never ends. */
export const STALLING = `{
  model: scriptedModel([
    [script.text('half an answer '), script.stall()],
    [script.text('First answer.')],
    [script.text('Second answer.')],
    [script.text('Third answer.')],
  ]),
}`
