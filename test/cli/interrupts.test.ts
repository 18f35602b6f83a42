/**
 * How a run ends from outside: Ctrl-C once, twice and thrice, a signal, and a reader that goes away.
 */
import { describe, expect, it } from 'vitest'
import type { Model } from '../../src/actors/model.port.ts'
import type { EndSignal } from '../../src/cli/surroundings.ts'
import { script } from '../../src/testing/script.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { call, logFiles, storedEvents, useCommand } from './command-rig.ts'
import type { Called } from './command-rig.ts'
import { FakeOut } from './fake-out.ts'

useCommand()

/** Runs a prompt on a model, and calls `act` once that model has been asked. */
async function interrupted(
  act: (send: (signal: EndSignal) => void) => void,
  stream: Model['stream'],
  words: readonly string[] = [],
): Promise<Called> {
  let send: ((signal: EndSignal) => void) | undefined
  const model: Model = {
    provider: 'p',
    modelId: 'm',
    stream: (request, context) => {
      // The request must be under way before anybody presses a key.
      setImmediate(() => act((signal) => send?.(signal)))
      return stream(request, context)
    },
  }
  return call(['run', 'A', ...words], { model, signals: (given) => (send = given) })
}

const stalling: Model['stream'] = async function* (_request, { signal }) {
  yield { kind: 'block-start', block: 0, type: 'text' }
  yield { kind: 'text-delta', block: 0, text: 'half' }
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve)
  })
}
/** Does not care about its signal. */
const deaf: Model['stream'] = async function* () {
  yield { kind: 'block-start', block: 0, type: 'text' }
  await new Promise(() => {})
}

const endOf = () => storedEvents().findLast(({ type }) => type === 'turn/end')

describe('Ctrl-C', () => {
  it('cancels the turn, keeps what was seen, and exits 130', async () => {
    const called = await interrupted((send) => send('SIGINT'), stalling)
    expect(called).toMatchObject({ code: 130, out: 'half\n', exits: [] })
    expect(called.err).toBe('ABORTED: the turn was aborted (user)\n')
    expect(endOf()).toMatchObject({
      data: { reason: { kind: 'aborted', cause: { kind: 'user', by: 'Ctrl-C' } } },
    })
    expect(logFiles().filter((file) => file.endsWith('.lock'))).toEqual([])
  })

  it('disposes at the second press, exits 130, and leaves a closed log', async () => {
    const called = await interrupted((send) => {
      send('SIGINT')
      send('SIGINT')
    }, stalling)
    expect(called).toMatchObject({ code: 130, exits: [] })
    expect(endOf()).toMatchObject({ data: { reason: { cause: { by: 'Ctrl-C' } } } })
  })

  it('ends a model that does not listen after a short grace', async () => {
    const called = await interrupted((send) => send('SIGINT'), deaf)
    expect(called).toMatchObject({ code: 130, out: '\n' })
    expect(endOf()).toMatchObject({ data: { reason: { kind: 'aborted' } } })
  })

  it('ends the process at once at the third press', async () => {
    const called = await interrupted((send) => {
      for (let press = 0; press < 3; press += 1) send('SIGINT')
    }, stalling)
    expect(called.exits).toEqual([130])
  })
})

describe('a signal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the run in good order with %i', async (signal, code) => {
    expect(await interrupted((send) => send(signal), stalling)).toMatchObject({ code })
    expect(endOf()).toMatchObject({
      data: { reason: { kind: 'aborted', cause: { kind: 'disposed' } } },
    })
  })
})

describe('an output that fails', () => {
  it('ends the run quietly with 141 when its reader went away', async () => {
    const called = await call(['run', 'A', '--json'], {
      model: scriptedModel([{ items: [script.text('one')] }]),
      out: new FakeOut({ fails: 'EPIPE' }),
    })
    expect(called).toMatchObject({ code: 141, err: '' })
  })

  it('stops a model that is still writing when the reader of --live went away', async () => {
    const called = await call(['run', 'A', '--live'], {
      model: scriptedModel([{ items: [script.text('half'), script.stall()] }]),
      out: new FakeOut({ fails: 'EPIPE' }),
    })
    expect(called).toMatchObject({ code: 141, err: '' })
  })

  it('says what is wrong otherwise', async () => {
    const called = await call(['run', 'A'], {
      model: scriptedModel([{ items: [script.text('one')] }]),
      out: new FakeOut({ fails: 'ENOSPC' }),
    })
    expect(called).toMatchObject({ code: 1, err: 'write ENOSPC\n' })
  })
})
