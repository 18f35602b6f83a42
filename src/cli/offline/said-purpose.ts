/**
 * What a file says it is for, in its own words: the first sentence of its heading comment or first paragraph.
 *
 * @module
 */
const MAX_SENTENCE = 150
/** Characters of a file that are looked at; no pattern here may run over a whole file. */
const MAX_LOOK = 8000

/** The first sentence in which a file speaks of itself; undefined where it does not. */
export function saidPurpose(path: string, text: string): string | undefined {
  const start = text.slice(0, MAX_LOOK)
  if (/\.json$/i.test(path)) return fieldOf(start, 'description')
  if (/\.(md|markdown|rst|txt)$/i.test(path)) return ofProse(start)
  return ofCode(start)
}

/** A string field of a JSON text that may be cut off or broken; undefined where it is empty or cannot be read. */
export function fieldOf(text: string, field: string): string | undefined {
  const found = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1]
  try {
    const value = JSON.parse(found ?? '""') as string
    return value.trim() === '' ? undefined : value
  } catch {
    return undefined
  }
}

/** The first paragraph that is neither a heading, a list, a badge, a rule, a comment nor code. */
function ofProse(text: string): string | undefined {
  const plain = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replaceAll(/^\s*(#+ .*|[=-]{3,}|\[?!\[.*|<.*|\|.*)$/gm, '')
  const paragraph = plain
    .split(/\n\s*\n/)
    .find((part) => /\p{L}{3}/u.test(part) && !/^\s*([-*+]|\d+\.) /.test(part))
  return paragraph === undefined
    ? undefined
    : firstSentence(paragraph.replaceAll(/^\s*[>*-] ?/gm, ''))
}

function ofCode(text: string): string | undefined {
  const start = text.replace(/^#!.*\n/, '').trimStart()
  const block =
    /^\/\*\*?([\s\S]*?)\*\//.exec(start)?.[1] ?? /^[ru]?("""|''')([\s\S]*?)\1/.exec(start)?.[2]
  if (block !== undefined) return firstSentence(block.replaceAll(/^\s*\* ?/gm, ''))
  const lines = /^((?:(?:\/\/|#|--|;)[^\n]*\n)+)/.exec(`${start}\n`)?.[1]
  return lines === undefined
    ? undefined
    : firstSentence(lines.replaceAll(/^(\/\/+!?|#+|--|;+)/gm, ''))
}

/** The first sentence of a text, on one line, without Markdown marks, of a readable length. */
export function firstSentence(text: string): string | undefined {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .trim()
  if (!/\p{L}{2}/u.test(line)) return undefined
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  if (sentence.length <= MAX_SENTENCE) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', MAX_SENTENCE))} …`
}
