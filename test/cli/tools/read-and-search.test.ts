/**
 * Reading and searching text: exact lines, honest bounds.
 */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put, read, root, search, useFolder } from './folder-rig.ts'

useFolder()

describe('read_file', () => {
  it('gives the asked lines and the number of all', async () => {
    put('a.txt', 'one\r\ntwo\nthree\n')
    expect(await read('a.txt')).toEqual({
      path: 'a.txt',
      from: 1,
      to: 3,
      text: 'one\ntwo\nthree',
      totalLines: 3,
    })
    expect(await read('./a.txt', { from: 2, lines: 1 })).toEqual({
      path: 'a.txt',
      from: 2,
      to: 2,
      text: 'two',
      note: 'the file goes on: read it with from 3',
    })
    expect(await read('a.txt', { from: 9 })).toMatchObject({
      to: 8,
      text: '',
      note: 'the file ends before line 9',
    })
  })

  it('reads an empty file', async () => {
    put('empty.txt')
    expect(await read('empty.txt')).toEqual({
      path: 'empty.txt',
      from: 1,
      to: 0,
      text: '',
      totalLines: 0,
      note: 'the file ends before line 1',
    })
  })

  it('caps a huge file, a long line and a long answer, and says so', async () => {
    put('huge.txt', 'x'.repeat(3_000_000))
    const huge = await read('huge.txt')
    expect(huge.text).toBe(`${'x'.repeat(1000)}… (1999000 more characters)`)
    expect(huge.note).toBe('only the first 2000000 characters can be read')
    put('long.txt', `${'y'.repeat(900)}\n`.repeat(1000))
    const long = await read('long.txt', { lines: 1000 })
    expect(long.text.length).toBeLessThan(50_000)
    expect(long.note).toBe(`the file goes on: read it with from ${long.to + 1}`)
  })

  it('takes broken UTF-8 for what it is', async () => {
    put('broken.txt', new Uint8Array([0x61, 0xff, 0x62]))
    expect((await read('broken.txt')).text).toBe('a\uFFFDb')
  })

  it('does not cut a character at the edge of a piece', async () => {
    put('edge.txt', `${'a'.repeat(65_535)}é\nend`)
    expect((await search('é')).matches[0]?.text).toContain('é')
    expect((await read('edge.txt', { from: 2 })).text).toBe('end')
  })

  it('says what is missing', async () => {
    await expect(read('nope/x.txt')).rejects.toThrow('there is no nope/x.txt in this folder')
  })

  it('refuses a number of lines out of range before it opens anything', async () => {
    await expect(read('a.txt', { lines: 5000 })).rejects.toThrow('INVALID_ARGS')
    await expect(read('a.txt', { from: 0 })).rejects.toThrow('INVALID_ARGS')
  })
})

describe('search_text', () => {
  it('finds a text as it is written, without case by default', async () => {
    put('a.txt', 'Hello (world)\nhello\nother')
    expect(await search('hello')).toEqual({
      text: 'hello',
      totalMatches: 2,
      filesWithMatches: 1,
      searchedFiles: 1,
      matches: [
        { path: 'a.txt', line: 1, text: 'Hello (world)' },
        { path: 'a.txt', line: 2, text: 'hello' },
      ],
    })
    expect((await search('hello', { matchCase: true })).totalMatches).toBe(1)
    expect((await search('(world)')).totalMatches).toBe(1)
    expect((await search('h.*o')).totalMatches).toBe(0)
  })

  it('caps matches of one file and of all, and says so', async () => {
    for (let i = 0; i < 10; i += 1) put(`f${i}.txt`, 'needle\n'.repeat(10))
    const found = await search('needle')
    expect(found).toMatchObject({ totalMatches: 100, filesWithMatches: 10 })
    expect(found.matches).toHaveLength(60)
    expect(found.matches.filter(({ path }) => path === 'f0.txt')).toHaveLength(8)
    expect(found.note).toBe('60 of 100 lines are shown')
  })

  it('shows the part of a long line around the match', async () => {
    put('min.js', `${'a'.repeat(5000)}needle${'b'.repeat(5000)}`)
    const { matches } = await search('needle')
    expect(matches[0]?.text).toContain('needle')
    expect(matches[0]?.text.length).toBeLessThan(200)
  })

  it('finds a match that lies across the edge of two pieces', async () => {
    put('edge.txt', `${'a'.repeat(65_533)}needle`)
    expect((await search('needle')).totalMatches).toBe(1)
  })

  it('counts a linked file once', async () => {
    put('real.txt', 'needle')
    symlinkSync('real.txt', join(root, 'link.txt'))
    expect((await search('needle')).totalMatches).toBe(1)
  })
})
