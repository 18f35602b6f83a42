import { expect, it } from 'vitest'
import { findDriver } from '../../src/log/sqlite/driver.ts'
import { SqliteWriter } from '../../src/log/sqlite/sqlite-writer.ts'

function open() {
  const db = findDriver()(':memory:')
  db.exec('create table t (n integer primary key)')
  const insert = db.prepare('insert into t values (?)')
  const all = () =>
    db
      .prepare('select n from t order by n')
      .all()
      .map((row) => (row as { n: number }).n)
  return { db, writer: new SqliteWriter(db), add: (n: number) => insert.run(n), all }
}

it('what is asked for in one turn of the event loop is one transaction', async () => {
  const { db, writer, add, all } = open()
  const both = [1, 2].map((n) =>
    writer.write(() => {
      add(n)
      return n
    }),
  )
  expect(all()).toEqual([])
  expect(await Promise.all(both)).toEqual([1, 2])
  expect(all()).toEqual([1, 2])
  expect(() => db.exec('commit')).toThrow('no transaction is active')
})

it('a part that throws is undone alone', async () => {
  const { writer, add, all } = open()
  const good = writer.write(() => add(1))
  const bad = writer.write(() => {
    add(2)
    throw new Error('half done')
  })
  const later = writer.write(() => add(3))
  await expect(bad).rejects.toThrow('half done')
  await Promise.all([good, later])
  expect(all()).toEqual([1, 3])
})

it('a transaction that cannot be committed rejects all its parts, and the next one goes through', async () => {
  const { db, writer, add, all } = open()
  const parts = [
    writer.write(() => add(1)),
    // What SQLite does by itself when the disk is full.
    writer.write(() => db.exec('rollback')),
    writer.write(() => add(2)),
  ]
  const outcomes = await Promise.allSettled(parts)
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  expect(all()).toEqual([])
  await writer.write(() => add(4))
  expect(all()).toEqual([4])
})
