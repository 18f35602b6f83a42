/**
 * docs/json-rpc.md names every method, notification, projection and limit as it is, and shows its example word for word.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SERVE_HELP } from '../../../src/cli/serve-arguments.ts'
import * as client from '../../../src/protocols/client/index.ts'
import * as server from '../../../src/protocols/json-rpc/index.ts'
import { methodNames } from '../../../src/protocols/json-rpc/methods.ts'
import { projectionNames } from '../../../src/protocols/views.ts'
import { LIMITS } from '../../../src/protocols/json-rpc/server.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/json-rpc.md'), 'utf8')

/** The first column of the table below a heading. */
const columnOf = (heading: string): string =>
  (new RegExp(`## ${heading}\\n([\\s\\S]*?)\\n## `).exec(page)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|')[1])
    .join('\n')

const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w/.-]+)`/g)].map(([, name]) => name!)

it('has a row for each method, and no others', () => {
  expect(namesIn(columnOf('Methods')).toSorted()).toEqual(
    [...methodNames, 'initialize', 'shutdown'].toSorted(),
  )
})

it('has a row for each notification', () => {
  expect(namesIn(columnOf('Notifications'))).toEqual([
    'session.event',
    'session.status',
    'child.started',
    'child.finished',
  ])
})

it('names every projection', () => {
  const row = page.split('\n').find((line) => line.startsWith('| `session/projection`')) ?? ''
  expect(namesIn(row.split('names:')[1] ?? '')).toEqual(projectionNames)
})

it('tells the limits as they are', () => {
  const rows = page.split('\n').filter((line) => /^\|.*`max\w+`|^\|.*Ms`/.test(line))
  const told = rows.flatMap((row) => {
    const [, what = '', value = ''] = row.split('|')
    const name = /`(max\w+|\w+Ms)`/.exec(what)?.[1]
    const number = Number(value.replace('MiB', '').replaceAll(/\s/g, ''))
    return name === undefined ? [] : [[name, value.includes('MiB') ? number * 1024 * 1024 : number]]
  })
  expect(Object.fromEntries(told)).toEqual(LIMITS)
})

it('shows examples/json-rpc-client.ts as it is', () => {
  const shown = /```ts\n\/\/ examples\/json-rpc-client\.ts\n([\s\S]*?)```/.exec(page)?.[1]
  expect(shown).toBe(readFileSync(join(root, 'examples/json-rpc-client.ts'), 'utf8'))
})

it('names what is public', () => {
  const names = ['serveJsonRpc', 'createJsonRpcServer', 'JsonRpcFailure']
  for (const name of names)
    expect([name, page.includes(name), name in server]).toEqual([name, true, true])
  for (const name of ['TurnwiseClient', 'RefusedError', 'SdkProtocolError', 'TransportClosedError'])
    expect([name, page.includes(name), name in client]).toEqual([name, true, true])
})

it('docs/cli.md shows the help of turnwise serve as it is', () => {
  const cli = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  expect(cli).toContain(`\`\`\`text\n${SERVE_HELP}\`\`\``)
})
