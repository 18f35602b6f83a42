/**
 * Reads the parts of one `doStream` call, and stops as soon as the signal aborts.
 *
 * R1 An abort ends the reading at once, whether or not the package heeds the signal; the connection is closed.
 * R2 Leaving early closes the connection. Behind the finish the rest is read quietly for a moment, so that the
 *    connection can be used again.
 *
 * @module
 */
import { ModelError } from '../../actors/model.port.ts'
import { recordOf, type PartReader, type StreamAnswer, type StreamPart } from './language-model.ts'

/** Ms that the end of a stream may take after its finish. */
const TAIL_MS = 1000

const ignore = (): void => {}

function close(reader: PartReader, reason?: unknown): void {
  try {
    reader.cancel(reason).catch(ignore)
  } catch {
    // A reader that cannot be cancelled is left behind.
  }
}

/** Calls `fire` once when the signal aborts, at once if it already has; the answer takes the listener away. */
function onAbort(signal: AbortSignal, fire: () => void): () => void {
  if (signal.aborted) fire()
  else signal.addEventListener('abort', fire, { once: true })
  return () => {
    signal.removeEventListener('abort', fire)
  }
}

const isAnswer = (value: unknown): value is StreamAnswer =>
  typeof recordOf(recordOf(value)?.['stream'])?.['getReader'] === 'function'

/**
 * Waits for the answer of a call, but no longer than the signal.
 *
 * @returns undefined when the signal aborted first; a later answer is closed unread.
 * @throws whatever the call throws; ModelError when it answers without a stream.
 */
export async function answerOf(
  call: () => PromiseLike<unknown>,
  signal: AbortSignal,
): Promise<StreamAnswer | undefined> {
  let stop = ignore
  const aborted = new Promise<undefined>((resolve) => {
    stop = onAbort(signal, () => {
      resolve(undefined)
    })
  })
  const pending = (async () => call())()
  const late = (answer: unknown): void => {
    if (signal.aborted && isAnswer(answer)) close(answer.stream.getReader())
  }
  void pending.then(late, ignore)
  try {
    const answer = await Promise.race([pending, aborted])
    if (signal.aborted) return undefined
    if (isAnswer(answer)) return answer
  } finally {
    stop()
  }
  throw new ModelError({ code: 'UNKNOWN', message: 'the language model answered without a stream' })
}

const isPart = (value: unknown): value is StreamPart =>
  typeof recordOf(value)?.['type'] === 'string'

async function readTail(reader: PartReader): Promise<void> {
  const timer = setTimeout(() => {
    close(reader)
  }, TAIL_MS)
  timer.unref()
  try {
    while (!(await reader.read()).done);
  } catch {
    // What happens behind the finish changes nothing.
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The parts of an answer, until its end, its `finish` part, or an abort.
 *
 * @throws whatever the stream fails with; ModelError TRANSPORT for something that is no part.
 */
export async function* partsOf(
  answer: StreamAnswer,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void> {
  const reader = answer.stream.getReader()
  const stop = onAbort(signal, () => {
    close(reader, signal.reason)
  })
  let open = true
  try {
    while (open) {
      const { done, value } = await reader.read()
      if (signal.aborted) return
      if (done) {
        open = false
        return
      }
      if (!isPart(value)) {
        throw new ModelError({
          code: 'TRANSPORT',
          message: 'the stream holds something that is no part',
        })
      }
      if (value.type === 'finish') {
        open = false
        void readTail(reader)
      }
      yield value
    }
  } finally {
    stop()
    if (open) close(reader)
  }
}
