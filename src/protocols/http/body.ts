/**
 * Reads the body of a request: JSON, of a bounded length, with no field that nobody knows.
 *
 * @module
 */
import { Given } from '../json-rpc/given.ts'
import { HttpRefusal } from './refusal.ts'

const tooLarge = (most: number): HttpRefusal =>
  new HttpRefusal(413, 'TOO_LARGE', `expected at most ${most} bytes; nothing was done.`)

/** Reads the text of a body, no further than `most` bytes. @throws HttpRefusal */
async function textOf(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most)
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array }
    if (done || value === undefined) return text + decoder.decode()
    length += value.byteLength
    if (length > most) {
      // What is still under way is not waited for.
      void reader.cancel().catch(() => {})
      throw tooLarge(most)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const bad = (what: string): HttpRefusal =>
  new HttpRefusal(400, 'BAD_REQUEST', `expected ${what}; nothing was done.`)

/** The body as data. @throws HttpRefusal */
export async function jsonBody(request: Request, most: number): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw new HttpRefusal(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'expected a body of type application/json; nothing was done.',
    )
  try {
    return JSON.parse(await textOf(request, most)) as unknown
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    throw bad('a body of JSON in UTF-8')
  }
}

/** The fields of a body; an empty one has none. @throws HttpRefusal */
export async function fieldsOf(request: Request, most: number): Promise<Given> {
  const empty = request.body === null || request.headers.get('content-length') === '0'
  return new Given(empty ? {} : await jsonBody(request, most))
}
