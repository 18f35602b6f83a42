/**
 * The RunResult as lines for a person.
 *
 * @module
 */
import type { RunResult } from '../../actors/agent-handle.ts'
import type { Answer } from '../answer.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { Usage } from '../../events/message.ts'
import { amount, plural } from '../offline/words.ts'
import { fitted, oneLine } from './printable.ts'
import { reasonOf } from './reasons.ts'
import type { Screen } from './screen.ts'

/** Writes what a run came to, and where it is kept. */
export function showResult(screen: Screen, result: Answer, logFile: string): void {
  const rows: readonly (readonly [string, string])[] = [
    ['sessionId', result.sessionId],
    ['messageId', result.messageId],
    ['turns', turns(result)],
    ['usage', usage(result.usage)],
    ['events', events(result)],
    ['finalResponse', finalResponse(result)],
    ...output(result),
    ['log', logFile],
  ]
  screen.line()
  screen.line(screen.paint('bold', 'RunResult'))
  for (const [name, value] of rows) {
    const room = screen.columns - 17
    // A path is there to be copied, so it is never cut.
    const shown = name === 'log' ? oneLine(value) : fitted(value, room)
    screen.line(`  ${screen.paint('dim', name.padEnd(13))}  ${shown}`)
  }
}

/** The data that was asked for, or why there is none. */
function output({ output: data, outputFault }: Answer): readonly (readonly [string, string])[] {
  if (outputFault !== undefined)
    return [['output', `none: ${outputFault.code}: ${outputFault.message}`]]
  return data === undefined ? [] : [['output', JSON.stringify(data)]]
}

const turns = ({ turns: ended }: RunResult): string =>
  ended.length === 0
    ? 'none'
    : ended.map(({ turn, reason }) => `${turn} ${reasonOf(reason)}`).join(', ')

function usage({ inputTokens, outputTokens, totalTokens }: Usage): string {
  const known = [
    inputTokens === undefined ? '' : `${amount(inputTokens)} in`,
    outputTokens === undefined ? '' : `${amount(outputTokens)} out`,
    totalTokens === undefined ? '' : `${amount(totalTokens)} in all`,
  ].filter((part) => part !== '')
  return known.length === 0 ? 'not reported' : `${known.join(', ')} (tokens)`
}

const events = ({ events: all }: RunResult): string => {
  const first = all[0]?.seq
  const last = all.at(-1)?.seq
  return `${amount(all.length)}${first === undefined ? '' : ` (seq ${first} to ${last})`}`
}

/** The text itself has been shown under its step. */
function finalResponse({ finalResponse: text, events: all }: RunResult): string {
  if (text === '') return 'empty'
  const source = all.findLast((event) => event.type === 'assistant/message' && hasText(event.data))
  const where =
    source?.type === 'assistant/message'
      ? `, the text of turn ${source.data.turn}, step ${source.data.step}`
      : ''
  return `${plural(text.length, 'character')}${where}`
}

const hasText = ({ message }: StoredEvent<'assistant/message'>['data']): boolean =>
  message.content.some((block) => block.type === 'text' && block.text.trim() !== '')
