/**
 * The offline planner: it calls the real tools for what a question asks, and says only what they answered.
 */
import { describe, expect, it } from 'vitest'
import { DISCLAIMER } from '../../../src/cli/offline/answer.ts'
import { offlineModel } from '../../../src/cli/offline/offline-model.ts'
import { put, tools, useFolder } from '../tools/folder-rig.ts'
import { askOffline, chunksOf, user } from './ask-offline.ts'

useFolder()

const project = (): void => {
  put('package.json', '{"name":"demo","version":"1.2.3","description":"Counts sheep."}')
  put(
    'README.md',
    '# demo\n\n![badge](x)\n\nCounts **sheep** at night. And more.\n\n```\nsrc/   the flock\n```\n',
  )
  put('src/index.ts', '/** Opens the gate. */\nexport const openGate = 1\n')
  put('src/herd/sheep.ts', '/**\n * One sheep\n * of many. Not two.\n */\nexport class Sheep {}\n')
  put('src/dog/README.md', 'The dog.\n')
  put('test/a.test.ts', '// Tests the sheep.\n')
}

describe('a question about everything', () => {
  it('lists, reads what says what the project is, counts, and visits the folders', async () => {
    project()
    const { steps, answer } = await askOffline(tools, 'Which files are here?')
    expect(steps).toEqual([
      ['list_files {}'],
      ['read_file {"path":"README.md"}', 'read_file {"path":"package.json"}', 'count {"path":"."}'],
      [
        'count {"path":"src"}',
        'read_file {"path":"src/dog/README.md","lines":30}',
        'read_file {"path":"src/herd/sheep.ts","lines":30}',
        'read_file {"path":"test/a.test.ts","lines":30}',
      ],
    ])
    expect(answer.split('\n\n')).toEqual([
      DISCLAIMER,
      'demo 1.2.3: Counts sheep at night. [README.md]',
      '6 files in 4 folders: 19 lines and 46 words of text, mostly 3 .ts, 2 .md, 1 .json.',
      [
        'Folders',
        '  src/ (3 files, 8 lines): the flock [README.md:8]',
        '    dog/ (1 file, 1 line): The dog. [src/dog/README.md]',
        '    herd/ (1 file, 5 lines), such as sheep.ts: One sheep of many.',
        '  test/ (1 file, 1 line), such as a.test.ts: Tests the sheep.',
      ].join('\n'),
      'Files at the top: README.md (9 lines), package.json (1 line).',
      'Largest by lines: README.md (9), src/herd/sheep.ts (5), src/index.ts (2), package.json (1), src/dog/README.md (1).',
      'From 8 tool calls: list_files, read_file ×5, count ×2.',
    ])
  })

  it('is not misled by a manifest that is broken, cut off or empty', async () => {
    for (const manifest of [
      '{"name":"x","description":"a\nb"}',
      '{"description":"',
      '{"description":""}',
      '\\',
    ]) {
      put('package.json', manifest)
      expect((await askOffline(tools, 'What is this?')).answer).toContain('1 file in 0 folders')
    }
  })

  it('says that an empty folder is empty', async () => {
    const { steps, answer } = await askOffline(tools, 'What is this?')
    expect(steps).toEqual([['list_files {}']])
    expect(answer).toContain('The folder holds no file that I may read.')
  })
})

describe('a question in words of search', () => {
  it('searches for quoted words as they are written and shows the surroundings of the first match', async () => {
    project()
    const { steps, answer } = await askOffline(tools, 'Does "of many" stand anywhere?')
    expect(steps).toEqual([
      ['list_files {}'],
      ['search_text {"text":"of many"}'],
      ['read_file {"path":"src/herd/sheep.ts","from":1,"lines":9}'],
    ])
    expect(answer).toContain('"of many" stands in 1 line of 1 file (6 searched):')
    expect(answer).toContain('src/herd/sheep.ts:3  * of many. Not two.')
    expect(answer).toContain('>    3   * of many. Not two.')
  })

  it.each([
    ['where is openGate defined?', 'openGate'],
    ['find `open the`', 'open the'],
    ['Which file mentions sheepdogs?', 'sheepdogs'],
    ['who uses open_gate', 'open_gate'],
  ])('%s searches for %s', async (question, text) => {
    project()
    const { steps } = await askOffline(tools, question)
    expect(steps[1]).toEqual([`search_text ${JSON.stringify({ text })}`])
  })

  it('says when nothing was found', async () => {
    project()
    const { answer } = await askOffline(tools, 'find "no such thing"')
    expect(answer).toContain('"no such thing" stands in none of the 6 files I searched.')
  })
})

describe('a question that names places', () => {
  it('reads the named files, also by a well-known stem, and counts a named folder', async () => {
    project()
    const { steps, answer } = await askOffline(
      tools,
      'Compare sheep.ts, the readme and the test folder.',
    )
    expect(steps).toEqual([
      ['list_files {}'],
      [
        'read_file {"path":"README.md"}',
        'read_file {"path":"src/herd/sheep.ts"}',
        'count {"path":"test"}',
      ],
    ])
    expect(answer).toContain(
      'src/herd/sheep.ts has 5 lines. It says of itself: "One sheep of many."',
    )
    expect(answer).toContain('It exports Sheep.')
    expect(answer).toContain('test holds 1 text file with 1 line and 4 words.')
  })

  it('says that a named file is not there', async () => {
    project()
    const { answer } = await askOffline(tools, 'What do nope.md and package.json say?')
    expect(answer).toContain('There is no nope.md here that I may read.')
    expect(answer).toContain('package.json has 1 line.')
  })
})

describe('a question about numbers', () => {
  it('counts', async () => {
    project()
    const { steps, answer } = await askOffline(tools, 'How many lines are there?')
    expect(steps).toEqual([['list_files {}'], ['count {"path":"."}']])
    expect(answer).toContain('The folder holds 6 text files with 19 lines and 46 words.')
  })
})

describe('the model', () => {
  it('says in every answer that it is no language model', async () => {
    expect((await askOffline(tools, 'hi')).answer).toMatch(
      /^I am the offline planner, not a language model/,
    )
  })

  it('gives the same chunks for the same request and streams its answer in small pieces', async () => {
    project()
    const first = await askOffline(tools, 'Which files are here?')
    expect((await askOffline(tools, 'Which files are here?')).chunks).toEqual(first.chunks)
    const deltas = first.chunks.filter((chunk) => chunk.kind === 'text-delta')
    expect(deltas.length).toBeGreaterThan(10)
    expect(Math.max(...deltas.map(({ text }) => text.length))).toBeLessThan(150)
    expect(first.chunks.at(-1)).toEqual({ kind: 'finish', reason: 'stop' })
  })

  it('plans for the last message of a person, also in the middle of older work', async () => {
    project()
    const older = [
      user('How many lines are there?'),
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] } as const,
    ]
    const chunks = await chunksOf(tools, [...older, user('find "sheep"')], 1)
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-call', name: 'list_files' }),
    )
  })

  it('answers with the failure when the folder cannot be listed', async () => {
    const broken = tools.map((tool) => ({ ...tool, run: () => Promise.reject(new Error('gone')) }))
    const { answer } = await askOffline(broken, 'hi')
    expect(answer).toContain('The folder could not be listed.')
    expect(answer).toContain('list_files: gone')
  })

  it('answers without tools when there are none', async () => {
    const chunks = await chunksOf([], [user('hi')], 1)
    expect(chunks.at(-1)).toEqual({ kind: 'finish', reason: 'stop' })
  })

  it('stops soon after its signal aborts, also between two pieces', async () => {
    const stop = new AbortController()
    const request = { provider: 'offline', model: 'planner', tools: [], messages: [user('hi')] }
    const context = { agent: 'a', turn: 1, step: 1, attempt: 1, signal: stop.signal }
    const seen: string[] = []
    const drain = async (): Promise<void> => {
      for await (const chunk of offlineModel({ paceMs: 1 }).stream(request, context)) {
        seen.push(chunk.kind)
        stop.abort()
      }
    }
    await drain().catch(() => undefined)
    expect(seen).toEqual(['block-start'])
  })
})
