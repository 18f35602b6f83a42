/**
 * The waterfall of gates: each may answer by itself or look at the answer of the next one.
 *
 * @module
 */
import type { Gate } from './gates.port.ts'

/**
 * Asks `gates` one after another; `last` answers behind them. Once nobody waits for the answer no further one is asked.
 *
 * @param mark - may complete the answer of a gate, such as with its name; not asked about an answer it passed through.
 * @param isOver - does nobody wait for the answer any more? Default: the signal has aborted.
 */
export function waterfall<Q, A>(
  gates: readonly Gate<Q, A>[],
  question: Parameters<Gate<Q, A>>[0],
  last: () => A | Promise<A>,
  mark: (answer: A, gate: Gate<Q, A>) => A = (answer) => answer,
  isOver: () => boolean = () => question.signal.aborted,
): Promise<A> {
  const at = async (index: number): Promise<A> => {
    if (isOver()) throw new Error('the answer of the gates is not waited for any more')
    const gate = gates[index]
    if (gate === undefined) return last()
    let asked: Promise<A> | undefined
    // A second `next()` gives the same answer: gates behind are asked once. A gate may leave that answer unread.
    const next = (): Promise<A> => {
      if (asked === undefined) {
        asked = at(index + 1)
        asked.catch(() => {})
      }
      return asked
    }
    const answer = await gate(question, next)
    // What came through unchanged is the answer of a gate behind.
    const passed = asked !== undefined && answer === (await asked.catch(() => undefined))
    return passed ? answer : mark(answer, gate)
  }
  return at(0)
}
