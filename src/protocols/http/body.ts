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

function refuseOtherTypes({ headers }: Request): void {
  if (/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) return
  throw new HttpRefusal(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'expected a body of type application/json; nothing was done.',
  )
}

/** @param empty - what an empty body stands for; undefined refuses it. */
async function parsed(request: Request, most: number, empty?: object): Promise<unknown> {
  refuseOtherTypes(request)
  try {
    const text = await textOf(request, most)
    return text === '' && empty !== undefined ? empty : (JSON.parse(text) as unknown)
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    throw new HttpRefusal(400, 'BAD_REQUEST', 'expected a body of JSON in UTF-8; nothing was done.')
  }
}

/** The body as data. @throws HttpRefusal */
export const jsonBody = (request: Request, most: number): Promise<unknown> => parsed(request, most)

/**
 * The fields of a body; an empty one has none. It must say that it is JSON all the same: a page of somebody else cannot say
 * that without being asked first by the browser.
 *
 * @throws HttpRefusal
 */
export const fieldsOf = async (request: Request, most: number): Promise<Given> =>
  new Given(await parsed(request, most, {}))
