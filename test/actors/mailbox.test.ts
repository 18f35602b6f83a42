/**
 * The mailbox: commands before the machine's own moves, one entry after another, bounded, harmed by nothing.
 */
import { describe, expect, it } from 'vitest'
import { DRAIN_LIMIT, Mailbox } from '../../src/actors/mailbox.ts'
import { macrotask } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from './rig.ts'

interface Told {
  readonly mailbox: Mailbox
  readonly seen: string[]
  readonly faults: string[]
  rests: number
}

function mailbox(): Told {
  const told: Told = {
    mailbox: new Mailbox({
      onRest: () => {
        told.rests += 1
      },
      onFault: (kind, error) => {
        told.faults.push(`${kind}: ${(error as Error).message}`)
      },
    }),
    seen: [],
    faults: [],
    rests: 0,
  }
  return told
}

describe('a mailbox', () => {
  it('applies a command before the call returns', () => {
    const { mailbox: box, seen } = mailbox()
    box.command(() => seen.push('command'))
    expect(seen).toEqual(['command'])
  })

  it('queues what is issued inside an entry, and never nests', () => {
    const { mailbox: box, seen } = mailbox()
    box.command(() => {
      box.command(() => seen.push('inner'))
      seen.push('outer')
    })
    expect(seen).toEqual(['outer', 'inner'])
  })

  it('applies queued commands before the next move, however late they were issued', () => {
    const { mailbox: box, seen } = mailbox()
    box.command(() => {
      box.post(() => seen.push('gate'))
      box.command(() => {
        seen.push('first')
        box.command(() => seen.push('issued by the first'))
      })
    })
    expect(seen).toEqual(['first', 'issued by the first', 'gate'])
  })

  it('keeps the order of arrival among gates and signals', () => {
    const { mailbox: box, seen } = mailbox()
    box.command(() => {
      box.post(() => seen.push('gate'))
      box.signal(() => seen.push('signal'))
      box.post(() => seen.push('second gate'))
    })
    expect(seen).toEqual(['gate', 'signal', 'second gate'])
  })

  it('runs what comes right now as an entry: what it sets off is queued behind it', () => {
    const { mailbox: box, seen } = mailbox()
    box.now(() => {
      box.command(() => seen.push('command'))
      seen.push(`chunk, busy ${box.busy}`)
    })
    expect(seen).toEqual(['chunk, busy true', 'command'])
    expect(box.empty).toBe(true)
  })

  it('is free again when what came right now has thrown', () => {
    const { mailbox: box, seen } = mailbox()
    const chunk = (): never => {
      box.command(() => seen.push('command'))
      throw new Error('refused')
    }
    expect(() => {
      box.now(chunk)
    }).toThrow('refused')
    expect(box.busy).toBe(false)
    box.command(() => seen.push('next'))
    expect(seen).toEqual(['command', 'next'])
  })

  it('goes on behind an entry that throws, and tells of it once', () => {
    const told = mailbox()
    told.mailbox.command(() => {
      told.mailbox.command(() => {
        throw new Error('bad command')
      })
      told.mailbox.command(() => told.seen.push('good command'))
      told.mailbox.post(() => {
        throw new Error('bad gate')
      })
      told.mailbox.post(() => told.seen.push('good gate'))
    })
    expect(told.seen).toEqual(['good command', 'good gate'])
    expect(told.faults).toEqual(['command: bad command', 'command: bad gate'])
  })

  it('says once that it rests, when both lanes are empty', () => {
    const told = mailbox()
    told.mailbox.command(() => {
      told.mailbox.post(() => told.seen.push(`rests ${told.rests}`))
    })
    expect(told.seen).toEqual(['rests 0'])
    expect(told.rests).toBe(1)
  })

  it('cuts a drain that does not end, says so, and goes on in a macrotask', async () => {
    const told = mailbox()
    const wanted = DRAIN_LIMIT + 10
    let ran = 0
    const again = (): void => {
      ran += 1
      if (ran < wanted) told.mailbox.command(again)
    }
    told.mailbox.command(again)
    expect(ran).toBe(DRAIN_LIMIT)
    expect(told.faults).toEqual([`drain: more than ${DRAIN_LIMIT} entries in one drain`])
    told.mailbox.command(() => told.seen.push('later'))
    expect(told.seen).toEqual([])
    await macrotask()
    expect(ran).toBe(wanted)
    expect(told.seen).toEqual(['later'])
  })

  it('does not say that it rests while the rest of a cut drain waits', async () => {
    const told = mailbox()
    let ran = 0
    const again = (): void => {
      ran += 1
      if (ran <= DRAIN_LIMIT) told.mailbox.command(again)
    }
    told.mailbox.command(again)
    expect(told.mailbox.empty).toBe(false)
    await macrotask()
    expect(told.mailbox.empty).toBe(true)
  })
})

describe('an agent', () => {
  it('lets a cancel from the observer of a nested insertion beat the gate that is already posted', async () => {
    const { agent, trace } = rig({ model: ['text "never"'] })
    agent.subscribe({}, (event) => {
      if (event.type !== 'inbox/inserted') return
      if (event.data.message.id === 'A') agent.followup(say('B'))
      else agent.cancel()
    })
    agent.followup(say('A'))
    expect(agent.log.read().map(({ type }) => type)).toEqual([
      'inbox/inserted',
      'inbox/inserted',
      'inbox/discarded',
      'cancel/requested',
    ])
    expect(trace).not.toContain('status running')
    await finish(agent)
  })

  it('has opened its turn and claimed when a waking send returns', async () => {
    const { agent, trace } = rig({ model: ['text "one"'] })
    agent.followup(say('A'))
    expect(trace).toEqual([
      'inbox next-turn @0 +["A"]',
      'inserted A',
      'status running',
      'turn/start 1',
      'inbox next-turn @0 -1 claimed',
      'claimed A',
    ])
    await finish(agent)
  })

  it('answers queued inside a callback, and never throws there because of timing', async () => {
    const { agent, diagnostics } = rig({ model: ['text "one"'] })
    const answers: unknown[] = []
    const leave = agent.listen((notice) => {
      if (notice.type !== 'inserted') return
      leave()
      answers.push(agent.cancel().effect, agent.inbox.remove('nobody'), agent.inbox.clear())
      answers.push(agent.followup(say('A')))
    })
    agent.followup(say('A'))
    expect(answers).toEqual(['queued', 'queued', 'queued', 'A'])
    // The second A is inserted behind the cancel, when the first one is gone.
    expect(diagnostics).toEqual([])
    await agent.whenIdle()
    expect(agent.log.read().filter(({ type }) => type === 'user/message')).toHaveLength(1)
    await finish(agent)
  })

  it('tells diagnostics what a queued command was refused with', async () => {
    const { agent, diagnostics } = rig({ model: ['text "one"'] })
    const leave = agent.listen((notice) => {
      if (notice.type !== 'claimed') return
      leave()
      agent.followup(say('A'))
    })
    agent.followup(say('A'))
    expect(diagnostics.map(({ kind, error }) => [kind, (error as { code: string }).code])).toEqual([
      ['command', 'DUPLICATE_ID'],
    ])
    await finish(agent)
  })
})
