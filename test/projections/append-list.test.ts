/**
 * The persistent list: every version keeps its items, whatever grows from it.
 *
 * @module
 */
import { array, assert, integer, nat, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppendList } from '../../src/projections/append-list.ts'

describe('AppendList', () => {
  it('two versions that grow from one do not see each other', () => {
    const base = AppendList.of([1, 2])
    const left = base.push(3)
    const right = base.push(4)
    expect(left.toArray()).toEqual([1, 2, 3])
    expect(right.toArray()).toEqual([1, 2, 4])
    expect(base.toArray()).toEqual([1, 2])
  })

  it('equals copied arrays, whichever version is pushed to', () => {
    assert(
      property(array(tuple(nat(), integer())), (pushes) => {
        const lists = [AppendList.of<number>()]
        const arrays: number[][] = [[]]
        for (const [pick, value] of pushes) {
          const from = pick % lists.length
          lists.push((lists[from] as AppendList<number>).push(value))
          arrays.push([...(arrays[from] as number[]), value])
        }
        expect(lists.map((list) => list.toArray())).toEqual(arrays)
        expect(lists.map((list) => list.length)).toEqual(arrays.map((items) => items.length))
      }),
    )
  })

  it('does not see later changes of what it was made from', () => {
    const items = [1]
    const list = AppendList.of(items)
    items.push(2)
    expect(list.toArray()).toEqual([1])
  })

  it('answers undefined outside its own length, also where a longer version has an item', () => {
    const list = AppendList.of(['a'])
    list.push('b')
    expect(list.at(1)).toBeUndefined()
    expect(list.at(-2)).toBeUndefined()
    expect(list.at(-1)).toBe('a')
  })

  it('makes its array once, and frozen', () => {
    const list = AppendList.of([1])
    expect(list.toArray()).toBe(list.toArray())
    expect(Object.isFrozen(list.toArray())).toBe(true)
    expect(JSON.stringify({ list })).toBe('{"list":[1]}')
    expect([...list]).toEqual([1])
  })
})
