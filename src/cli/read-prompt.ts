/**
 * The prompt of a run: the word on the command line, or standard input.
 *
 * @module
 */
import { UsageFault } from './fault.ts'
import type { Surroundings } from './surroundings.ts'

/** Characters; more is no question any more. */
const MAX_PROMPT = 1_000_000

/** Reads the prompt. @throws UsageFault when there is none, it is blank, or it is too long. */
export async function readPrompt(
  asked: string | undefined,
  stdin: Surroundings['stdin'],
): Promise<string> {
  const prompt = asked === undefined || asked === '-' ? await readAll(asked, stdin) : asked
  if (prompt.trim() === '') throw new UsageFault('the prompt is blank')
  return prompt
}

async function readAll(asked: string | undefined, stdin: Surroundings['stdin']): Promise<string> {
  if (asked === undefined && stdin.isTTY === true) throw new UsageFault('a prompt is missing')
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stdin) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text.length > MAX_PROMPT)
      throw new UsageFault(`the prompt is longer than ${MAX_PROMPT} characters`)
  }
  return text + decoder.decode()
}
