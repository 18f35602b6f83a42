/**
 * Who may come in, what every answer says about itself, and that no address leads out of the page's folder.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { at, folder, open, raw, useViewer } from './viewer-rig.ts'

useViewer()

/** A page with one asset, and a secret beside it. */
function putPage(): string {
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(page, 'assets/index-1a.js'), 'export {}')
  writeFileSync(join(page, 'assets/notes.exe'), 'no')
  writeFileSync(join(page, 'secret.js'), 'secret')
  return page
}

describe('every answer', () => {
  it.each(['/', '/assets/index-1a.js', '/api/agents', '/api/charts', '/nothing', '/assets/no.js'])(
    'to %s forbids everything but the page itself',
    async (path) => {
      const { headers } = await raw(await open({ page: putPage() }), path)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
    },
  )

  it('is that of an error where nothing is there', async () => {
    const viewer = await open()
    for (const path of ['/nothing', '/api', '/api/agents/', '/api/agents/x/events', '//', '/%'])
      expect([path, (await raw(viewer, path)).status]).toEqual([path, 404])
  })
})

describe('a request from elsewhere is refused', () => {
  it.each([
    ['another host', { host: 'evil.example' }],
    ['a host that was rebound to loopback', { host: 'evil.example:80' }],
    ['the right name with another port', { host: '127.0.0.1:1' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all, as of a sandbox', { origin: 'null' }],
    ['the right host over https', { origin: 'https://127.0.0.1' }],
  ])('%s', async (_, headers) => {
    const viewer = await open({ page: putPage(), control: true })
    for (const path of ['/', '/api/agents']) {
      const answer = await raw(viewer, path, headers)
      expect(answer.status).toBe(403)
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'FOREIGN' } })
    }
  })

  it('and one from the page itself is not, by either name', async () => {
    const viewer = await open({ page: putPage() })
    for (const name of ['127.0.0.1', 'localhost']) {
      const host = `${name}:${viewer.port}`
      const { status } = await raw(viewer, '/', { host, origin: `http://${host}` })
      expect(status).toBe(200)
    }
  })

  it('nobody is served on another interface', async () => {
    const { port } = await open()
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others)
      await expect(fetch(`http://${address}:${port}/api/agents`)).rejects.toThrow('fetch failed')
  })
})

describe('the page', () => {
  it('is served with its assets', async () => {
    const viewer = await open({ page: putPage() })
    const page = await raw(viewer, '/')
    expect([page.status, page.headers['content-type'], page.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<!doctype html><title>page</title>',
    ])
    const asset = await raw(viewer, '/assets/index-1a.js')
    expect([asset.status, asset.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    expect((await raw(viewer, '/', {}, { method: 'HEAD' })).body).toBe('')
  })

  it('says so where it is not built', async () => {
    const { status, body } = await raw(await open({ page: join(folder, 'none') }), '/')
    expect([status, body]).toEqual([503, expect.stringContaining('npm run build')])
  })

  it.each([
    '/assets/../secret.js',
    '/assets/..%2fsecret.js',
    '/assets/%2e%2e/secret.js',
    '/assets/..%5csecret.js',
    '/assets//etc/passwd',
    '/assets/%2fetc%2fpasswd',
    '/assets/.',
    '/assets/notes.exe',
    '/assets/index-1a.js/',
    '/assets/index-1a.js%00',
    '/secret.js',
    '/../secret.js',
  ])('gives nothing at %s', async (path) => {
    const answer = await raw(await open({ page: putPage() }), path)
    expect([answer.status, answer.body.includes('secret')]).toEqual([404, false])
  })

  it('does not follow a link that lies among the assets out of its folder', async () => {
    const page = putPage()
    symlinkSync('/etc/hostname', join(page, 'assets/out.js'))
    expect((await raw(await open({ page }), '/assets/out.js')).status).toBe(404)
  })
})

it('other methods change nothing', async () => {
  const viewer = await open({ page: putPage() })
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect((await raw(viewer, '/api/agents', {}, { method })).status).toBe(405)
})

it('close ends every connection, and the port is free again', async () => {
  const viewer = await open()
  const idle = await fetch(at(viewer, '/api/agents'))
  await idle.text()
  await viewer.close()
  await viewer.close()
  await expect(fetch(at(viewer, '/api/agents'))).rejects.toThrow('fetch failed')
  const again = await open({ port: viewer.port })
  expect(again.port).toBe(viewer.port)
  await expect(open({ port: viewer.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
