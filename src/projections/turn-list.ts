/**
 * A list with one record a turn, of which the last one changes often and the others hardly ever.
 *
 * Changing the last record and adding one is O(1); changing an earlier one, as repair does, costs the length.
 *
 * @module
 */
import { AppendList } from './append-list.ts'

/** Records by turn, oldest first. */
export interface TurnList<R extends { readonly turn: number }> {
  readonly before: AppendList<R>
  readonly last: R | null
}

/** A list without turns. */
export const noTurns = <R extends { readonly turn: number }>(): TurnList<R> => ({
  before: AppendList.of(),
  last: null,
})

/** Adds the record of a turn that opens. */
export const addTurn = <R extends { readonly turn: number }>(
  { before, last }: TurnList<R>,
  record: R,
): TurnList<R> => ({ before: last === null ? before : before.push(last), last: record })

/** Changes the record of `turn`; nothing happens if there is none. */
export function changeTurn<R extends { readonly turn: number }>(
  list: TurnList<R>,
  turn: number,
  change: (record: R) => R,
): TurnList<R> {
  const { before, last } = list
  if (last?.turn === turn) {
    const changed = change(last)
    return changed === last ? list : { before, last: changed }
  }
  const records = before.toArray()
  const index = records.findLastIndex((record) => record.turn === turn)
  const record = records[index]
  if (record === undefined) return list
  const changed = change(record)
  if (changed === record) return list
  return { before: AppendList.of(records.with(index, changed)), last }
}

/** All records, oldest first. */
export const turnRecords = <R extends { readonly turn: number }>({
  before,
  last,
}: TurnList<R>): readonly R[] =>
  last === null ? before.toArray() : Object.freeze([...before.toArray(), last])
