/**
 * The dependency rules of `docs/architecture.md`, read from the imports themselves, and what every file owes its reader.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

/** What each room may import besides itself: other rooms, then packages. `node` stands for everything of Node. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  events: ['errors', 'valibot'],
  log: ['errors', 'events', 'node'],
  machines: ['events', 'xstate'],
  projections: ['errors', 'events', 'immer', 'rxjs'],
  actors: [
    'errors',
    'events',
    'log',
    'machines',
    'projections',
    'xstate',
    'rxjs',
    'node:async_hooks',
  ],
  sessions: ['errors', 'events', 'log', 'machines', 'projections', 'actors', 'rxjs', 'node'],
  adapters: ['errors', 'events', 'actors', 'node:util'],
  inspect: [
    'errors',
    'events',
    'log',
    'machines',
    'projections',
    'actors',
    'sessions',
    'xstate',
    'node',
  ],
  testing: [
    'errors',
    'events',
    'log',
    'machines',
    'projections',
    'actors',
    'sessions',
    'adapters',
    'xstate',
    'node',
  ],
  protocols: ['errors', 'events', 'log', 'projections', 'actors', 'sessions', 'node'],
  cli: [
    'errors',
    'events',
    'log',
    'projections',
    'actors',
    'sessions',
    'adapters',
    'inspect',
    'protocols',
    'testing',
    'valibot',
    'node',
  ],
}

/** What single files may import beyond their room, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The handle offers `run`, whose intervals belong to sessions.
  'actors/agent.ts': ['sessions'],
  // Drivers that a user installs, each behind a subpath of its own.
  'log/postgres/*': ['pg'],
  'inspect/stately/packages.ts': ['@statelyai', 'ws'],
  'cli/providers.ts': ['@ai-sdk'],
  'protocols/acp/*': ['@agentclientprotocol'],
}

/** Machines decide; they neither wait nor look around. */
const IMPURE =
  /\b(?:Date|Promise|async|await|process|crypto|fetch|console)\b|Math\.random|set(?:Timeout|Interval|Immediate)|queueMicrotask/

const roomOf = (file: string): string =>
  (file.includes('/') ? file.split('/')[0] : file.replace(/\.ts$/, '')) ?? ''

const packageOf = (name: string): string => {
  if (name.startsWith('node:')) return name
  return name.startsWith('@') ? (name.split('/')[0] ?? name) : (name.split('/')[0] ?? name)
}

const IMPORT =
  /(?:^|\n)(?:import|export)\b[^'"]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

/** Files and packages that `source` imports. */
function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, fixed, late]) => {
    const from = fixed ?? late ?? ''
    return from.startsWith('.')
      ? normalize(join(dirname(file), from))
      : `package ${packageOf(from)}`
  })
}

const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')

function mayImport(file: string, imported: string): boolean {
  const room = roomOf(file)
  const own = EXCEPTIONS[file] ?? EXCEPTIONS[`${dirname(file)}/*`] ?? []
  const allowed = [room, ...(MAY_IMPORT[room] ?? []), ...own]
  if (!imported.startsWith('package ')) return allowed.includes(roomOf(imported))
  const name = imported.slice('package '.length)
  return allowed.includes(name) || (name.startsWith('node:') && allowed.includes('node'))
}

/** What is wrong with a file, one sentence each. */
function faultsOf(file: string, source: string): string[] {
  const imports = importsOf(file, source)
  const isIndex = /(?:^|\/)index\.ts$/.test(file)
  return [
    ...imports
      .filter((imported) => !isIndex && !mayImport(file, imported))
      .map((imported) => `imports ${imported}`),
    ...imports
      .filter((imported) => !isIndex && /(?:^|\/)index\.ts$/.test(imported))
      .map((imported) => `imports ${imported}, which is only for users`),
    ...(/^(?:#!.*\n)?\/\*\*\n \* [A-Z`]/.test(source)
      ? []
      : ['does not open by saying what it is for']),
    ...(source.includes(' * @module') ? [] : ['has no @module header']),
    ...(source.split('\n').length - 1 > 250 ? ['is longer than 250 lines'] : []),
    ...(roomOf(file) === 'machines' && IMPURE.test(withoutComments(source))
      ? [`looks around: ${IMPURE.exec(withoutComments(source))?.[0]}`]
      : []),
  ]
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

describe('every file keeps to its room and says what it is for', () => {
  it.each(files)('%s', (file) => {
    expect(faultsOf(file, readFileSync(join(SRC, file), 'utf8'))).toEqual([])
  })
})

it('every room has its rule', () => {
  const rooms = new Set(files.filter((file) => file !== 'index.ts').map(roomOf))
  expect([...rooms].filter((room) => MAY_IMPORT[room] === undefined)).toEqual([])
})

it('rooms depend in one direction', () => {
  const order = Object.keys(MAY_IMPORT)
  const upwards = Object.entries(MAY_IMPORT).flatMap(([room, allowed]) =>
    allowed
      .filter((other) => order.includes(other) && MAY_IMPORT[other]?.includes(room))
      .map((other) => `${room} <-> ${other}`),
  )
  expect(upwards).toEqual([])
})

const HEADER = '/**\n * Says something.\n *\n * @module\n */\n'

describe('the rules find', () => {
  it.each<[what: string, file: string, source: string, fault: string]>([
    [
      'a room that reaches up',
      'events/x.ts',
      "import { a } from '../actors/agent.ts'",
      'imports actors/agent.ts',
    ],
    [
      'a type that reaches up',
      'machines/x.ts',
      "import type { A } from '../actors/agent.ts'",
      'imports actors/agent.ts',
    ],
    [
      'a package of another room',
      'projections/x.ts',
      "import { setup } from 'xstate'",
      'imports package xstate',
    ],
    [
      'Node where it does not belong',
      'machines/x.ts',
      "import { join } from 'node:path'",
      'imports package node:path',
    ],
    ['a late import', 'actors/x.ts', "await import('pg')", 'imports package pg'],
    [
      'an export of a room above',
      'log/x.ts',
      "export { a } from '../sessions/registry.ts'",
      'imports sessions/registry.ts',
    ],
    [
      'an index',
      'cli/x.ts',
      "import { a } from '../testing/index.ts'",
      'imports testing/index.ts, which is only for users',
    ],
    [
      'a machine that waits',
      'machines/x.ts',
      'const later = async () => {}',
      'looks around: async',
    ],
    ['a long file', 'cli/x.ts', '\n'.repeat(250), 'is longer than 250 lines'],
  ])('%s', (_, file, source, fault) => {
    expect(faultsOf(file, HEADER + source)).toEqual([fault])
  })

  it('a file without a header', () => {
    expect(faultsOf('cli/x.ts', 'export const a = 1\n')).toEqual([
      'does not open by saying what it is for',
      'has no @module header',
    ])
  })
})

it('installing turnwise brings xstate, rxjs, immer and a schema library, nothing more', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(SRC, '../package.json'), 'utf8'),
  ) as Record<
    'dependencies' | 'peerDependencies' | 'peerDependenciesMeta',
    Record<string, { optional?: boolean }>
  >
  const needed = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  )
  expect([...Object.keys(dependencies), ...needed].toSorted()).toEqual([
    'immer',
    'rxjs',
    'valibot',
    'xstate',
  ])
})
