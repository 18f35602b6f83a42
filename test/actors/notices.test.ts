/**
 * Live notifications: told in order, never awaited; listeners harm nobody.
 */
import { describe, expect, it } from 'vitest'
import { Notices } from '../../src/actors/notices.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from './rig.ts'

const idle = { type: 'status', status: 'idle' } as const

describe('notices', () => {
  it('reach listeners in the order of joining, until they leave', () => {
    const notices = new Notices(() => {})
    const heard: string[] = []
    const leave = notices.add(() => heard.push('first'))
    notices.add(() => heard.push('second'))
    notices.tell(idle)
    leave()
    notices.tell(idle)
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  it('reach a listener that was added twice twice, and each leaves by itself', () => {
    const notices = new Notices(() => {})
    const heard: string[] = []
    const listener = (): unknown => heard.push('told')
    const leave = notices.add(listener)
    notices.add(listener)
    leave()
    leave()
    notices.tell(idle)
    expect(heard).toEqual(['told'])
  })

  it('do not reach a listener that joins in the middle of a notice', () => {
    const notices = new Notices(() => {})
    const heard: string[] = []
    const leave = notices.add(() => {
      leave()
      notices.add(() => heard.push('late'))
    })
    notices.tell(idle)
    expect(heard).toEqual([])
    notices.tell(idle)
    expect(heard).toEqual(['late'])
  })

  it('survive listeners that throw and listeners that reject, and tell of each once', async () => {
    const faults: unknown[] = []
    const notices = new Notices((error) => faults.push((error as Error).message))
    const heard: string[] = []
    notices.add(() => {
      throw new Error('throws')
    })
    notices.add(() => Promise.reject(new Error('rejects')))
    notices.add(() => heard.push('told'))
    notices.tell(idle)
    expect(heard).toEqual(['told'])
    await settle()
    expect(faults).toEqual(['throws', 'rejects'])
  })

  it.each([null, undefined, 7, {}])('take %o of a listener for no fault', (answer) => {
    const faults: unknown[] = []
    const notices = new Notices((error) => faults.push(error))
    notices.add(() => answer)
    notices.tell(idle)
    expect(faults).toEqual([])
  })
})

const rejects: (event: unknown) => unknown = () => Promise.reject(new Error('rejecting'))

/** The log of a run, with or without listeners and observers that always throw or reject. */
async function disturbed(disturb: boolean): Promise<string[]> {
  const { agent, log, diagnostics } = rig({
    model: ['call c1 t', 'error SERVER "boom"', 'text "two"'],
    tools: [{ name: 't', run: () => 'ok' }],
  })
  if (disturb) {
    agent.listen(() => {
      throw new Error('listener')
    })
    agent.subscribe({}, () => {
      throw new Error('observer')
    })
    agent.subscribe({}, rejects)
  }
  agent.followup(say('A'))
  agent.followup(say('B'))
  await agent.whenIdle()
  await finish(agent)
  expect(diagnostics.length > 0).toBe(disturb)
  return log()
}

describe('an agent', () => {
  it('tells everybody the same total order, whatever they send meanwhile', async () => {
    const { agent, trace } = rig({ model: ['text "one"', 'text "two"'] })
    const other: string[] = []
    let sent = false
    agent.listen((notice) => {
      if (notice.type !== 'status' || sent) return
      sent = true
      agent.followup(say('B'))
    })
    agent.listen((notice) => other.push(notice.type))
    agent.followup(say('A'))
    await agent.whenIdle()
    const told = trace.filter((line) => /^(status|inserted|claimed) /.test(line))
    expect(told).toEqual([
      'inserted A',
      'status running',
      'inserted B',
      'claimed A',
      'claimed B',
      'status idle',
    ])
    expect(other).toEqual(told.map((line) => line.split(' ')[0]))
    await finish(agent)
  })

  it('runs the same with listeners and observers that always throw', async () => {
    expect(await disturbed(true)).toEqual(await disturbed(false))
  })

  it('drops what a listener of diagnostics throws: nobody is left to tell', async () => {
    const { agent, ends } = rig({
      model: ['text "one"'],
      onDiagnostic: () => {
        throw new Error('even here')
      },
    })
    agent.listen(() => {
      throw new Error('listener')
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })
})
