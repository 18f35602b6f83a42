/**
 * README.md and the pages beside it: examples are quoted word for word and do what is said, links lead somewhere, and
 * every promise is held by a test that exists.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { amount } from '../src/cli/offline/words.ts'
import {
  MAX_COUNTED,
  MAX_COUNTED_OF_FILE,
  MAX_INTO_FILE,
  MAX_LINES,
  MAX_LISTED,
  MAX_MATCHES,
  MAX_MATCHES_OF_FILE,
  MAX_TEXT,
} from '../src/cli/tools/bounds.ts'
import { MAX_VISITED } from '../src/cli/tools/walk.ts'
import { RUN_HELP } from '../src/cli/usage.ts'
import { chatStream } from './support/chat-stream.ts'
import { startProviderServer } from './support/provider-server.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

describe('code in the pages', () => {
  const blocks = PAGES.flatMap((page) =>
    [...read(page).matchAll(/```[jt]s\n\/\/ (examples\/\S+)\n([\s\S]*?)```/g)].map(
      ([, file = '', code]) => ({ page, file, code }),
    ),
  )

  it('is there', () => {
    expect(blocks.map(({ file }) => file)).toContain('examples/quickstart.js')
  })

  it.each(blocks)('$page shows $file as it is', ({ file, code }) => {
    expect(code).toBe(read(file))
  })

  it('has a quickstart of about twenty lines in plain JavaScript', () => {
    expect(read('examples/quickstart.js').trimEnd().split('\n').length).toBeLessThanOrEqual(25)
  })
})

describe('links in the pages', () => {
  const links = PAGES.flatMap((page) =>
    [
      ...read(page)
        .replaceAll(/`[^`\n]*`/g, '')
        .matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g),
    ]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ page, target })),
  )

  it.each(links)('$page: $target is there', ({ page, target }) => {
    expect(existsSync(join(root, dirname(page), target))).toBe(true)
  })
})

describe('the guarantees', () => {
  const table = /## What it guarantees\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
  const rows = table.split('\n').filter((line) => /^\| (?!Promise|-)/.test(line))
  const cases = rows.flatMap((row) =>
    [...row.matchAll(/\[([^\]]+)\]\((test\/scenarios\/[^)]+)\)/g)].flatMap(
      ([, ids = '', file = '']) => ids.split(', ').map((id) => ({ id, file })),
    ),
  )

  it('each name a test', () => {
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => !/\]\((test|model-tests)\//.test(row))).toEqual([])
  })

  it.each(cases)('$id is a case of $file, and that file is run', ({ id, file }) => {
    expect(read(file)).toMatch(new RegExp(`\\bid: ${id}\\b`))
    const area = /([\w-]+)\.yaml$/.exec(file)?.[1]
    expect(read(`test/scenarios/${area}.test.ts`)).toContain(`'cases', '${area}'`)
  })
})

/** The row of a tool in the table of the command's page. */
const row = (tool: string): string =>
  read('docs/cli.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${tool}\``)) ?? ''

describe('docs/cli.md', () => {
  it('shows the help of the command as it is', () => {
    expect(read('docs/cli.md')).toContain(`\`\`\`text\n${RUN_HELP}\`\`\``)
  })

  it('tells the bounds of the tools as they are', () => {
    expect(row('list_files')).toContain(`${MAX_LISTED} files shown, ${amount(MAX_VISITED)} entries`)
    expect(row('read_file')).toContain(`${amount(MAX_LINES)} lines, ${amount(MAX_TEXT)} characters`)
    expect(row('read_file')).toContain(`${MAX_INTO_FILE / 1e6} MB of a file`)
    expect(row('search_text')).toContain(`${MAX_MATCHES} lines, ${MAX_MATCHES_OF_FILE} of one file`)
    expect(row('count')).toContain(
      `${MAX_COUNTED_OF_FILE / 1e6} MB of one file, ${MAX_COUNTED / 1e6} MB in all`,
    )
  })
})

/** Runs an example, which is plain JavaScript without types. */
const example = (name: string): Promise<unknown> => import(`../examples/${name}.js`)

describe('the examples', () => {
  const home = process.cwd()
  let folder: string
  let printed: unknown[][]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnwise-examples-'))
    process.chdir(folder)
    printed = []
    vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
      printed.push(words)
    })
    vi.resetModules()
  })
  afterEach(() => {
    process.chdir(home)
    rmSync(folder, { recursive: true, force: true })
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  it('quickstart.js answers, keeps a log, and goes on in the same session', async () => {
    for (const turn of [1, 2]) {
      printed = []
      vi.resetModules()
      await example('quickstart')
      expect(printed.at(-1)).toEqual([
        'It is sunny in Ghent.',
        [{ turn, reason: { kind: 'completed' } }],
      ])
      expect(printed).toContainEqual([expect.any(Number), 'tool/result'])
    }
    expect(readdirSync(join(folder, '.turnwise'))).toEqual(['quickstart.jsonl'])
  })

  it('steer-and-cancel.js does what its comments say', async () => {
    await example('steer-and-cancel')
    expect(printed.flat()).toEqual([
      'turn 1: What is there?',
      'turn 1: It is late already.',
      'turn 1: completed',
      'turn 2: And then?',
      'turn 2: aborted',
      'turn 3: Are you still there?',
      'turn 3: completed',
    ])
  })

  it('stores.js keeps a session in SQLite, and goes on in it', async () => {
    for (let run = 0; run < 2; run += 1) {
      printed = []
      vi.resetModules()
      await example('stores')
      expect(printed[0]).toEqual(['Noted.'])
      expect(printed.at(-1)).toEqual([expect.any(Number), 'turn/end'])
    }
    expect(readdirSync(join(folder, '.turnwise'))).toContain('sessions.db')
  })

  it('test-your-agent.js passes, in no time', async () => {
    await example('test-your-agent')
    expect(printed.flat().join('\n')).toContain('request/failed 1.1 #1 RATE_LIMIT retry +500ms')
  })

  it('ai-sdk.js asks the server that the environment names', async () => {
    const server = await startProviderServer()
    server.play({ do: 'send', bytes: chatStream([{ content: 'Scattering.' }], 'stop') })
    vi.stubEnv('OPENAI_API_KEY', 'loopback')
    vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`)
    await example('ai-sdk')
    expect(server.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'gpt-5-mini' },
    })
    expect(printed[0]?.slice(0, 2)).toEqual([
      'Scattering.',
      [{ turn: 1, reason: { kind: 'completed' } }],
    ])
    await server.close()
  })
})
