/**
 * The commands about stored sessions: list, resume, fork.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printLog } from '../../src/testing/print-event.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { HELP_ON } from '../../src/cli/help.ts'
import { call, cwd, logFiles, put, storedEvents, useCommand } from './command-rig.ts'
import { CRASHED, PENDING, putLog, TURN } from './stored-logs.ts'

useCommand()

const noModel = (): never => {
  throw new Error('no model')
}

describe('turnwise sessions', () => {
  it('lists each session with where it stands', async () => {
    putLog('a', PENDING)
    putLog('b', CRASHED, { parent: 'a' })
    const { code, out } = await call(['sessions'])
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'a 1970-01-01T00:00:00.000Z 1 turn 9 events last completed 1 pending',
      'b 1970-01-01T00:00:00.000Z 1 turn 5 events last open from a',
      '',
    ])
  })

  it('lists the others too where one is damaged, and exits 1', async () => {
    put('.turnwise/a.jsonl', 'nonsense\n')
    putLog('b', TURN)
    const { code, out } = await call(['sessions', '--json'])
    const sessions = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(code).toBe(1)
    expect(sessions).toMatchObject([
      { id: 'a', error: expect.stringContaining('LOG_CORRUPT') },
      { id: 'b', events: 8, turns: 1, last: 'completed', pending: 0 },
    ])
  })

  it('says nothing where nothing is stored', async () => {
    expect(await call(['sessions'])).toMatchObject({ code: 0, out: '', err: '' })
  })
})

describe('turnwise resume', () => {
  it('repairs, and says what waits and why', async () => {
    putLog('s', [...CRASHED, 'inbox next-turn @0 +["B"]'])
    const { code, out, err } = await call(['resume', '--session', 's'])
    expect([code, out]).toEqual([0, 's: 1 pending: B; parked (resume)\n'])
    expect(err).toContain('2 events closed it')
    expect(printLog(storedEvents('s')).slice(6)).toEqual([
      'step/end 1.1',
      'turn/end 1 interrupted',
      'session/opened resume',
    ])
  })

  it('says it as JSON', async () => {
    putLog('s', PENDING)
    const { out } = await call(['resume', '--session', 's', '--json'])
    expect(JSON.parse(out)).toEqual({
      session: 's',
      pending: [{ id: 'B', wake: true }],
      parked: { reason: 'resume', ids: ['B'] },
    })
  })

  it('runs with --wake what is pending, in the folder of the session', async () => {
    putLog('s', PENDING, { cwd: join(cwd, 'src') })
    const model = scriptedModel(['text "two"'])
    const called = await call(['resume', '--session', 's', '--wake'], { model })
    expect(called).toMatchObject({ code: 0, out: 'two\n', err: '' })
    expect(model.requests[0]?.history.at(-1)).toBe('user:B')
    expect(printLog(storedEvents('s'))).toContain('session/opened resume wake')
  })

  it('exits 1 where the turn did not complete', async () => {
    putLog('s', PENDING)
    const model = scriptedModel(['error SERVER "down"'])
    const called = await call(['resume', '--session', 's', '--wake'], { model })
    expect(called).toMatchObject({ code: 1, err: 'SERVER: down\n' })
  })

  it('needs no model where nothing waits', async () => {
    putLog('s', TURN)
    const called = await call(['resume', '--session', 's', '--wake'], { makeModel: noModel })
    expect(called).toMatchObject({ code: 0, out: 's: 0 pending\n' })
  })

  it('refuses a session that is not there', async () => {
    const called = await call(['resume', '--session', 's'])
    expect(called).toMatchObject({ code: 1, out: '' })
    expect(called.err).toMatch(/^SESSION_NOT_FOUND: /)
  })
})

describe('turnwise fork', () => {
  it('stores a copy up to a position and prints its id', async () => {
    putLog('s', PENDING)
    const called = await call(['fork', '--session', 's', '--at', '7', '--id', 'c'])
    expect(called).toMatchObject({ code: 0, out: 'c\n' })
    expect(printLog(storedEvents('c'))).toEqual([...TURN, 'session/opened fork'])
    expect(logFiles()).toEqual(['c.jsonl', 's.jsonl'])
  })

  it('prints the header as JSON', async () => {
    putLog('s', TURN)
    const { out } = await call(['fork', '--session', 's', '--json'])
    expect(JSON.parse(out)).toMatchObject({ parent: 's', inheritedLength: 8 })
  })

  it('refuses a position inside a turn and says what helps', async () => {
    putLog('s', TURN)
    const refused = await call(['fork', '--session', 's', '--at', '3', '--id', 'c'])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(/^OPEN_TURN: .*\nGive --close-open/)
    const closed = ['fork', '--session', 's', '--at', '3', '--id', 'c', '--close-open']
    expect((await call(closed)).code).toBe(0)
    expect(printLog(storedEvents('c')).slice(4)).toEqual([
      'step/end 1.1',
      'turn/end 1 interrupted uncommitted ["A"]',
      'session/opened fork',
    ])
  })

  it('can take pending input over', async () => {
    putLog('s', PENDING)
    await call(['fork', '--session', 's', '--id', 'c', '--inherit-inbox'])
    const { out } = await call(['resume', '--session', 'c'])
    expect(out).toBe('c: 1 pending: B; parked (resume)\n')
  })
})

it.each(['doctor', 'resume', 'fork', 'sessions'] as const)(
  'turnwise %s explains itself, in the docs too',
  async (command) => {
    const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
    expect(await call([command, '--help'])).toMatchObject({ code: 0, out: HELP_ON[command] })
    expect(page).toContain(`\`\`\`text\n${HELP_ON[command]}\`\`\``)
  },
)
