/**
 * `turnwise run` as a whole: what it prints, where, with which exit code, and what it leaves behind.
 */
import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/events/enclosure.ts'
import { DISCLAIMER } from '../../src/cli/offline/answer.ts'
import { VERSION } from '../../src/cli/version.ts'
import { script } from '../../src/testing/script.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { call, cwd, logFiles, put, storedEvents, useCommand } from './command-rig.ts'
import { FakeOut } from './fake-out.ts'

useCommand()

const says = (...texts: string[]) =>
  scriptedModel(texts.map((text) => ({ items: [script.text(text)] })))

const refuse = () => Promise.reject(new Error('no key'))

describe('a run of one prompt', () => {
  it('HL-01 prints the last assistant text, exits 0, and has flushed its log by then', async () => {
    expect(await call(['run', 'A'], { model: says('one') })).toEqual({
      code: 0,
      out: 'one\n',
      err: '',
      exits: [],
    })
    expect(storedEvents().at(-1)).toMatchObject({
      type: 'turn/end',
      data: { reason: { kind: 'completed' } },
    })
  })

  it('HL-02 prints code and message of a model error on standard error and exits 1', async () => {
    const model = scriptedModel([{ items: [script.fail('RATE_LIMIT', 'slow')] }])
    expect(await call(['run', 'A'], { model })).toMatchObject({
      code: 1,
      out: '\n',
      err: 'RATE_LIMIT: slow\n',
    })
  })

  it('HL-03 prints a text that was cut and exits 1', async () => {
    const model = scriptedModel([{ items: [script.text('cut'), script.finish('max-tokens')] }])
    expect(await call(['run', 'A'], { model })).toMatchObject({ code: 1, out: 'cut\n' })
  })

  it('HL-10 takes a blank prompt for a usage error before anything is created', async () => {
    for (const words of [['run', '   '], ['run', ''], ['run'], ['run', '-']]) {
      const called = await call(words, {
        stdin: words.length === 2 && words[1] === '-' ? ' \n' : undefined,
      })
      expect(called).toMatchObject({ code: 2, out: '' })
      expect(called.err).toContain('turnwise help run')
    }
    expect(logFiles()).toEqual([])
  })

  it('HL-11 prints why nothing could be started and exits 1, with nothing created', async () => {
    expect(await call(['run', 'A'], { makeModel: refuse })).toMatchObject({
      code: 1,
      out: '',
      err: 'no key\n',
    })
    expect(logFiles()).toEqual([])
  })

  it('HL-12 prints the answer behind a tool step, not what was said before it', async () => {
    const model = scriptedModel([
      { items: [script.text('looking'), script.call('c1', 'count', {})] },
      { items: [script.text('answer')] },
    ])
    expect(await call(['run', 'A'], { model })).toMatchObject({ code: 0, out: 'answer\n' })
  })

  it('reads the prompt from standard input, also without a word for it, whole characters only', async () => {
    for (const words of [['run', '-'], ['run']]) {
      const model = says('ok')
      await call(words, { model, stdin: 'héllo 🎉' })
      expect(model.requests[0]?.history).toEqual(['user:héllo 🎉'])
    }
  })

  it('refuses what makes no sense before anything is created', async () => {
    for (const words of [
      ['run', 'A', '--dir', 'missing'],
      ['run', 'A', '--dir', 'README.md'],
      ['run', 'A', '--model', 'nobody:x'],
      ['run', 'A', '--session', 'a/b'],
      ['walk'],
    ]) {
      expect(await call(words)).toMatchObject({ code: 2, out: '' })
    }
    expect(logFiles()).toEqual([])
  })

  it('says which variable is missing for a model, and creates nothing', async () => {
    const called = await call(['run', 'A', '--model', 'anthropic:claude'])
    expect(called).toMatchObject({ code: 1, out: '' })
    expect(called.err).toBe(
      'AUTH: anthropic needs ANTHROPIC_API_KEY in the environment; nothing was created\n',
    )
    expect(logFiles()).toEqual([])
  })

  it('prints help and version', async () => {
    expect(await call(['--version'])).toMatchObject({ code: 0, out: `${VERSION}\n` })
    expect((await call(['--help'])).out).toContain('turnwise run "PROMPT"')
    expect((await call(['help', 'run'])).out).toContain('Exit codes:')
  })
})

describe('without a key', () => {
  it('answers from the real folder and names real files, and its log passes the checker', async () => {
    const called = await call(['run', 'Which files make up this project?'])
    expect(called).toMatchObject({ code: 0, err: '' })
    expect(called.out).toContain(DISCLAIMER)
    expect(called.out).toContain('README.md (3 lines)')
    expect(called.out).toContain('src/ (1 file, 2 lines): The gate. [src/index.ts]')
    const ledger = new Ledger()
    for (const event of storedEvents()) {
      ledger.check(event)
      ledger.apply(event)
    }
    expect(ledger.openTurn).toBeNull()
  })
})

describe('--session', () => {
  it('begins a session of that name, and goes on with it in the next call', async () => {
    const first = says('one')
    await call(['run', 'A', '--session', 'nightly'], { model: first })
    const second = says('two')
    expect(await call(['run', 'B', '--session', 'nightly'], { model: second })).toMatchObject({
      code: 0,
      out: 'two\n',
    })
    expect(second.requests[0]?.history).toEqual(['user:A', 'assistant:one', 'user:B'])
    expect(storedEvents('nightly').filter(({ type }) => type === 'turn/start')).toHaveLength(2)
  })

  it('keeps logs where --log says, and leaves no lock behind', async () => {
    await call(['run', 'A', '--log', 'kept/here', '--session', 's'], { model: says('one') })
    expect(logFiles('kept/here')).toEqual(['s.jsonl'])
    expect(logFiles()).toEqual([])
  })

  it('closes a turn that a crash left open, says so, and goes on behind it', async () => {
    const header = { id: 's', formatVersion: 1, createdAt: 1 }
    const open = { seq: 0, time: 1, type: 'turn/start', data: { turn: 1 } }
    put('.turnwise/s.jsonl', `${JSON.stringify(header)}\n${JSON.stringify(open)}\n`)
    const called = await call(['run', 'A', '--session', 's', '--json'], { model: says('one') })
    expect(called.code).toBe(0)
    expect(called.err).toContain('session s had ended in the middle of a turn; 1 event closed it')
    const events = storedEvents('s')
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'turn/start',
      'turn/end',
      'session/opened',
    ])
    // What closed it belongs to this call.
    expect(called.out.split('\n')[0]).toBe(JSON.stringify(events[1]))
  })

  it('refuses a damaged log with its position', async () => {
    put('.turnwise/s.jsonl', '{"id":"s","formatVersion":1,"createdAt":1}\nnonsense\n{}\n')
    const called = await call(['run', 'A', '--session', 's'], { model: says('one') })
    expect(called).toMatchObject({ code: 1, out: '' })
    expect(called.err).toMatch(/^LOG_CORRUPT: /)
  })
})

describe('how it is shown', () => {
  it('prints every durable event as one line with --json, and nothing else', async () => {
    const called = await call(['run', 'A', '--json'], { model: says('one') })
    const events = called.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(events).toEqual(storedEvents())
    expect(called.err).toBe('')
  })

  it('prints with --json only what this run added to a session', async () => {
    await call(['run', 'A', '--session', 's'], { model: says('one') })
    const before = storedEvents('s').length
    const called = await call(['run', 'B', '--session', 's', '--json'], { model: says('two') })
    const first = JSON.parse(called.out.split('\n')[0] ?? '') as { seq: number }
    expect(first.seq).toBe(before)
  })

  it('shows the run on a terminal, in a pipe with --live, and its RunResult at the end', async () => {
    const terminal = new FakeOut({ isTTY: true, columns: 80 })
    await call(['run', 'A'], { model: says('one'), out: terminal })
    const piped = await call(['run', 'A', '--live'], { model: says('one') })
    for (const lines of [terminal.shown(), piped.out.split('\n')]) {
      expect(lines).toContain('turn 1')
      expect(lines).toContain('    one')
      expect(lines).toContain('RunResult')
      expect(lines.join('\n')).toMatch(/turns +1 completed/)
      expect(lines.join('\n')).toMatch(/finalResponse +3 characters, the text of turn 1, step 1/)
      expect(lines.join('\n')).toMatch(/log +\.turnwise\/[\w-]+\.jsonl/)
    }
    expect(piped.out).not.toContain('\u001B')
  })

  it('prints the final response only with --quiet, also on a terminal, and makes it printable there', async () => {
    const terminal = new FakeOut({ isTTY: true })
    await call(['run', 'A', '--quiet'], { model: says('o\u001B[31mne'), out: terminal })
    expect(terminal.text).toBe('o\uFFFD[31mne\n')
    expect((await call(['run', 'A', '--quiet'], { model: says('o\u001B[31mne') })).out).toBe(
      'o\u001B[31mne\n',
    )
  })

  it('reads the folder that --dir names and keeps its log where it was called', async () => {
    put('inner/only.txt', 'x')
    const called = await call(['run', 'What is here?', '--dir', 'inner'])
    expect(called.out).toContain('only.txt')
    expect(called.out).not.toContain('README.md')
    expect(logFiles()).toHaveLength(1)
    expect(cwd).not.toBe('')
  })
})
