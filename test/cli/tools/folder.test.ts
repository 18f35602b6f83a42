/**
 * Nothing leads out of the folder, to a secret, or into a file that would make a reader wait.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFolder } from '../../../src/cli/tools/folder.ts'
import {
  base,
  count,
  list,
  put,
  read,
  readThrough,
  root,
  search,
  useFolder,
  withoutRoot,
} from './folder-rig.ts'

useFolder()

describe('nothing outside the folder', () => {
  it.each([
    ['../outside.txt', 'holds ".."'],
    ['a/../../outside.txt', 'holds ".."'],
    ['a/..', 'holds ".."'],
    ['/etc/passwd', 'is not relative'],
    ['C:\\Windows\\win.ini', 'is not relative'],
    ['\\\\server\\share', 'is not relative'],
    ['~/.ssh/id_rsa', 'is not relative'],
    ['a\0b', 'NUL'],
  ])('refuses %j in every tool', async (path, says) => {
    put('a/inside.txt')
    await expect(read(path)).rejects.toThrow(says)
    await expect(list({ path })).rejects.toThrow(says)
    await expect(search('x', { path })).rejects.toThrow(says)
    await expect(count({ path })).rejects.toThrow(says)
  })

  it('refuses a link that leads out, to a file, a folder or a folder whose name only begins like it', async () => {
    mkdirSync(`${root}-other`)
    writeFileSync(join(`${root}-other`, 'x.txt'), 'TOP-SECRET')
    symlinkSync('../outside.txt', join(root, 'escape.txt'))
    symlinkSync('..', join(root, 'up'))
    symlinkSync(`${root}-other`, join(root, 'twin'))
    for (const path of ['escape.txt', 'up/outside.txt', 'twin/x.txt']) {
      await expect(read(path)).rejects.toThrow(`${path} leads out of the folder`)
      await expect(search('TOP-SECRET', { path })).rejects.toThrow('leads out of the folder')
      await expect(count({ path })).rejects.toThrow('leads out of the folder')
    }
    await expect(list({ path: 'up' })).rejects.toThrow('leads out of the folder')
    expect(await search('TOP-SECRET')).toMatchObject({ totalMatches: 0 })
  })

  it('never names a path outside in an error', async () => {
    symlinkSync('../outside.txt', join(root, 'escape.txt'))
    for (const path of ['escape.txt', 'missing.txt', 'missing/deeper.txt', '../outside.txt']) {
      const error = await read(path).catch((thrown: unknown) => thrown)
      expect(String(error)).not.toContain(base)
    }
  })

  it('opens a folder that is itself reached through a link', async () => {
    put('x.txt', 'inside')
    symlinkSync(root, join(base, 'link-to-root'))
    await readThrough(join(base, 'link-to-root'))
    expect((await read('x.txt')).text).toBe('inside')
  })

  it('refuses a start that is missing or no folder', async () => {
    await expect(openFolder(join(base, 'missing'))).rejects.toThrow('there is no folder')
    await expect(openFolder(join(base, 'outside.txt'))).rejects.toThrow('is not a folder')
  })
})

describe('secrets', () => {
  it.each([
    '.env',
    '.env.production',
    '.ENV',
    'deploy/server.PEM',
    'id_ed25519',
    '.git/config',
    'node_modules/a/index.js',
    '.npmrc',
    'credentials',
    '.turnwise/s.jsonl',
  ])('refuses %s, asked directly', async (path) => {
    put(path, 'TOKEN=abc')
    await expect(read(path)).rejects.toThrow('is private')
    await expect(count({ path })).rejects.toThrow('is private')
    await expect(search('TOKEN', { path })).rejects.toThrow('is private')
    expect((await search('TOKEN')).totalMatches).toBe(0)
  })

  it('refuses a link with an innocent name that leads to a secret', async () => {
    put('.env', 'TOKEN=abc')
    symlinkSync('.env', join(root, 'notes.txt'))
    await expect(read('notes.txt')).rejects.toThrow('.env is private')
    expect((await list()).files).toEqual([])
    expect((await search('TOKEN')).totalMatches).toBe(0)
  })

  it('refuses a file that begins as a private key, whatever its name', async () => {
    put('notes.txt', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n')
    await expect(read('notes.txt')).rejects.toThrow('holds a private key')
    expect((await search('b3BlbnNzaC1r')).totalMatches).toBe(0)
  })
})

describe('special files', () => {
  it('does not wait for a FIFO', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expect(read('pipe')).rejects.toThrow('no plain file')
    await expect(count({ path: 'pipe' })).rejects.toThrow('no plain file')
    expect((await list()).files).toEqual([])
    expect((await search('x')).searchedFiles).toBe(0)
  })

  it('does not wait for a FIFO in the place of .gitignore', async () => {
    execFileSync('mkfifo', [join(root, '.gitignore')])
    put('a.txt')
    expect((await list()).files).toEqual(['a.txt'])
  })

  it('refuses a socket', async () => {
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    await expect(read('socket')).rejects.toThrow('no plain file')
    expect((await list()).files).toEqual([])
    server.close()
    await once(server, 'close')
  })

  it('refuses a folder in place of a file, and passes it through to list', async () => {
    put('sub/x.txt')
    await expect(read('sub')).rejects.toThrow('sub is a folder')
    expect((await list({ path: 'sub/' })).files).toEqual(['sub/x.txt'])
  })

  it('says that a file is not readable, and goes on past files and folders of that kind', async () => {
    put('closed.txt', 'needle')
    put('shut/inner.txt', 'needle')
    put('open.txt', 'needle')
    await withoutRoot(async () => {
      await expect(read('closed.txt')).rejects.toThrow(
        'closed.txt is not readable: permission denied',
      )
      expect(await search('needle')).toMatchObject({
        totalMatches: 1,
        note: '1 files were skipped (binary, key or unreadable); 1 folders could not be read',
      })
      expect((await list()).note).toBe('1 folders could not be read')
    })
  })

  it('refuses a binary file and skips it elsewhere', async () => {
    put('image.png', new Uint8Array([137, 80, 78, 71, 0, 0, 1]))
    put('text.txt', 'PNG')
    await expect(read('image.png')).rejects.toThrow('is binary')
    expect(await search('PNG')).toMatchObject({ totalMatches: 1, searchedFiles: 1 })
    expect(await count()).toMatchObject({
      files: 1,
      note: '1 files were skipped (binary, key, too large or unreadable)',
    })
  })
})
