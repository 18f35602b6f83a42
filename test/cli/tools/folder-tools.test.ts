/**
 * The tools find what is there, and say what they left out.
 */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callTool } from './call-tool.ts'
import { count, list, put, read, root, tools, useFolder } from './folder-rig.ts'

useFolder()

describe('list_files', () => {
  it('lists files and folders in a fixed order, with the number of files below each folder', async () => {
    put('b.txt')
    put('a/deep/x.ts')
    put('a/y.ts')
    mkdirSync(join(root, 'empty'))
    expect(await list()).toEqual({
      path: '.',
      totalFiles: 3,
      totalFolders: 3,
      folders: [
        { path: 'a', files: 2 },
        { path: 'empty', files: 0 },
        { path: 'a/deep', files: 1 },
      ],
      files: ['b.txt', 'a/y.ts', 'a/deep/x.ts'],
    })
  })

  it('stops at the asked depth and says how many files it did not show', async () => {
    put('a/b/c.txt')
    put('top.txt')
    const listing = await list({ depth: 1 })
    expect(listing.files).toEqual(['top.txt'])
    expect(listing.folders).toEqual([{ path: 'a', files: 1 }])
    expect(listing.note).toBe('1 of 2 files are shown')
  })

  it('caps a long list and says so', async () => {
    for (let i = 0; i < 850; i += 1) put(`f${i}.txt`)
    const listing = await list()
    expect(listing.totalFiles).toBe(850)
    expect(listing.files).toHaveLength(800)
    expect(listing.note).toBe('800 of 850 files are shown')
  })

  it('leaves out version control, packages, secrets, logs of agents and what .gitignore names plainly', async () => {
    for (const path of [
      '.git/config',
      'node_modules/x/index.js',
      '.turnwise/a.jsonl',
      '.env',
      '.env.local',
      'server.pem',
      'sub/private.key',
      'id_rsa',
      'id_ed25519.pub',
      'credentials.json',
      '.npmrc',
      '.netrc',
      '.aws/config',
      'dist/main.js',
      'sub/only-top/kept.txt',
      'only-top/left-out.txt',
      'pack.tgz',
    ]) {
      put(path)
    }
    put('.gitignore', '# made\ndist/\n/only-top\n*.tgz\n')
    put('src/id_map.ts')
    expect((await list()).files).toEqual(['.gitignore', 'src/id_map.ts', 'sub/only-top/kept.txt'])
  })

  it('keeps unicode names, and names with spaces and line breaks, as they are', async () => {
    const names = ['naïve café.md', '日本語/ファイル.txt', 'line\nbreak.txt', '🎉.txt']
    for (const name of names) put(name, 'x')
    expect((await list()).files.toSorted()).toEqual(names.toSorted())
    expect((await read('日本語/ファイル.txt')).text).toBe('x')
  })

  it('shows a link to a file inside and leaves out links to folders and to the outside', async () => {
    put('docs/real.md', 'real')
    symlinkSync('docs/real.md', join(root, 'linked.md'))
    symlinkSync('docs', join(root, 'linked-folder'))
    symlinkSync('..', join(root, 'up'))
    symlinkSync('../outside.txt', join(root, 'escape.txt'))
    symlinkSync('nowhere', join(root, 'broken'))
    symlinkSync('circle', join(root, 'circle'))
    expect((await list()).files).toEqual(['linked.md', 'docs/real.md'])
    expect((await read('linked.md')).text).toBe('real')
  })
})

describe('count', () => {
  it('counts lines and words in all, by ending, by folder, and of the largest files', async () => {
    put('a.ts', 'one two\nthree')
    put('src/b.ts', 'x\n\ny z\n')
    put('src/deep/c.md', '# é ü\n')
    put('LICENSE', '')
    expect(await count()).toEqual({
      path: '.',
      files: 4,
      lines: 6,
      words: 9,
      byEnding: [
        { name: '.ts', files: 2, lines: 5 },
        { name: '.md', files: 1, lines: 1 },
        { name: '(none)', files: 1, lines: 0 },
      ],
      byFolder: [
        { name: 'src', files: 2, lines: 4 },
        { name: '.', files: 2, lines: 2 },
      ],
      largest: [
        { path: 'src/b.ts', lines: 3, words: 3 },
        { path: 'a.ts', lines: 2, words: 3 },
        { path: 'src/deep/c.md', lines: 1, words: 3 },
        { path: 'LICENSE', lines: 0, words: 0 },
      ],
    })
    expect(await count({ path: 'src' })).toMatchObject({
      files: 2,
      byFolder: [{ name: '.' }, { name: 'deep' }],
    })
    expect(await count({ path: 'a.ts' })).toMatchObject({ files: 1, lines: 2, words: 3 })
  })

  it('counts a word at the edge of two pieces once', async () => {
    put('edge.txt', `${'a'.repeat(65_534)}bcd e`)
    expect(await count()).toMatchObject({ words: 2, lines: 1 })
  })
})

describe('each tool', () => {
  it('may run beside others and be repeated', () => {
    expect(tools.map(({ name, parallel, repeatable }) => ({ name, parallel, repeatable }))).toEqual(
      ['list_files', 'read_file', 'search_text', 'count'].map((name) => ({
        name,
        parallel: true,
        repeatable: true,
      })),
    )
  })

  it('stops when its signal aborts', async () => {
    for (let i = 0; i < 50; i += 1) put(`f${i}.txt`, 'x')
    const stop = AbortSignal.abort(new Error('stopped'))
    await expect(callTool(tools, 'list_files', {}, stop)).rejects.toThrow('stopped')
    await expect(callTool(tools, 'search_text', { text: 'x' }, stop)).rejects.toThrow('stopped')
    await expect(callTool(tools, 'count', {}, stop)).rejects.toThrow('stopped')
    await expect(callTool(tools, 'read_file', { path: 'f1.txt' }, stop)).rejects.toThrow('stopped')
  })
})
