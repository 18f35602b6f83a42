/**
 * Gates of one kind: asked one after another, each may look at the answers behind it.
 */
import { describe, expect, it } from 'vitest'
import type { Gate } from '../../src/actors/gates.port.ts'
import { waterfall } from '../../src/actors/waterfall.ts'
import { finish, rig, say } from './rig.ts'

type Named = Gate<{ readonly about: string }, string>

const question = (signal = new AbortController().signal) => ({
  about: 'x',
  agent: 'a',
  turn: 1,
  step: 1,
  signal,
})
const framed: Named = async (_, next) => `<${await next()}>`
function strict(): string {
  return 'no'
}
const ask = (...gates: Named[]): Promise<string> => waterfall(gates, question(), () => 'last')

describe('a waterfall', () => {
  it('answers with what stands behind all gates where no gate is', async () => {
    await expect(ask()).resolves.toBe('last')
  })

  it('stops at the first gate that answers by itself', async () => {
    const asked: string[] = []
    const answer = await ask(
      () => {
        asked.push('first')
        return 'mine'
      },
      () => {
        asked.push('second')
        return 'never'
      },
    )
    expect([answer, ...asked]).toEqual(['mine', 'first'])
  })

  it('lets a gate change the answer of the gates behind', async () => {
    await expect(ask(framed, framed)).resolves.toBe('<<last>>')
  })

  it('asks the gates behind once, however often next is called', async () => {
    let asked = 0
    const answer = await ask(
      async (_, next) => `${await next()} ${await next()}`,
      (_, next) => {
        asked += 1
        return next()
      },
    )
    expect([answer, asked]).toEqual(['last last', 1])
  })

  it('rejects with what a gate throws, at once or later', async () => {
    await expect(
      ask(() => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
    await expect(ask(() => Promise.reject(new Error('later')))).rejects.toThrow('later')
  })

  it('asks no further gate after an abort', async () => {
    const controller = new AbortController()
    let asked = 0
    const first: Named = (_, next) => {
      controller.abort(new Error('stop'))
      return next()
    }
    const second: Named = () => {
      asked += 1
      return 'never'
    }
    const answer = waterfall([first, second], question(controller.signal), () => 'last')
    await expect(answer).rejects.toThrow('not waited for')
    expect(asked).toBe(0)
  })

  it('still asks gates after an abort while somebody waits for their answer', async () => {
    const signal = AbortSignal.abort(new Error('stop'))
    const answer = waterfall(
      [(_, next) => next()],
      question(signal),
      () => 'last',
      undefined,
      () => false,
    )
    await expect(answer).resolves.toBe('last')
  })

  it('tells which gate an answer came from, and not through which it passed', async () => {
    const gates: Named[] = [(_, next) => next(), strict]
    const seen: string[] = []
    await waterfall(
      gates,
      question(),
      () => 'last',
      (answer, gate) => {
        seen.push(`${gate.name || 'unnamed'}: ${answer}`)
        return answer
      },
    )
    expect(seen).toEqual(['strict: no'])
  })

  it('a gate that does not look at the gates behind is not harmed by their failure', async () => {
    const answer = ask(
      (_, next) => {
        void next()
        return 'mine'
      },
      () => Promise.reject(new Error('nobody looks')),
    )
    // An unhandled rejection would fail this test run.
    await expect(answer).resolves.toBe('mine')
  })
})

it('all eight gates of an agent are asked in their order, each one a waterfall', async () => {
  const asked: string[] = []
  const pass =
    (name: string) =>
    <A>(_: unknown, next: () => Promise<A>): Promise<A> => {
      asked.push(name)
      return next()
    }
  const { agent } = rig({
    model: ['error SERVER', 'call c1 t', 'text "done"'],
    tools: [{ name: 't', run: () => 'ok' }],
    gates: {
      preStep: [pass('preStep 1'), pass('preStep 2')],
      request: pass('request'),
      requestError: [
        pass('requestError 1'),
        () => {
          asked.push('requestError 2')
          return { action: 'retry' }
        },
      ],
      stepResult: pass('stepResult'),
      toolPre: pass('toolPre'),
      toolPost: pass('toolPost'),
      continuation: pass('continuation'),
      turnStopping: pass('turnStopping'),
    },
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(asked).toEqual([
    'preStep 1',
    'preStep 2',
    'request',
    'requestError 1',
    'requestError 2',
    'request',
    'stepResult',
    'toolPre',
    'toolPost',
    'continuation',
    'preStep 1',
    'preStep 2',
    'request',
    'stepResult',
    'continuation',
    'turnStopping',
  ])
  await finish(agent)
})
