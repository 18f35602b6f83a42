/**
 * Streams of the chat completions interface, as a compatible server sends them.
 */

/** One event of such a stream. */
export const chatEvent = (choice: object): string => {
  const choices = [{ index: 0, ...choice }]
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** A whole stream of some deltas. */
export const chatStream = (deltas: readonly object[], finish: string): Buffer => {
  const events = deltas.map((delta) => chatEvent({ delta, finish_reason: null }))
  const last = chatEvent({ delta: {}, finish_reason: finish })
  return Buffer.from([...events, last, 'data: [DONE]\n\n'].join(''))
}
