/**
 * What comes right now, inside an entry and outside; a drain that is just as long as it may be.
 */
import { describe, expect, it } from 'vitest'
import { DRAIN_LIMIT, Mailbox } from '../../src/actors/mailbox.ts'

function mailbox() {
  const told = { seen: [] as string[], faults: [] as string[], rests: 0 }
  const box = new Mailbox({
    onRest: () => {
      told.rests += 1
    },
    onFault: (kind, error) => {
      told.faults.push(`${kind}: ${(error as Error).message}`)
    },
  })
  return { box, told }
}

describe('what comes right now', () => {
  it('inside an entry is a part of it: what it sets off waits for the end of the entry', () => {
    const { box, told } = mailbox()
    box.command(() => {
      box.now(() => {
        box.command(() => told.seen.push('command'))
        told.seen.push('chunk')
      })
      told.seen.push(`entry, busy ${box.busy}`)
      box.command(() => told.seen.push('second command'))
      told.seen.push('end of entry')
    })
    expect(told.seen).toEqual([
      'chunk',
      'entry, busy true',
      'end of entry',
      'command',
      'second command',
    ])
    expect(told.rests).toBe(1)
  })

  it('outside and sets nothing off is no rest that anybody hears of', () => {
    const { box, told } = mailbox()
    box.now(() => told.seen.push('chunk'))
    expect([told.seen, told.rests, box.busy]).toEqual([['chunk'], 0, false])
  })

  it.each<'command' | 'post' | 'signal'>(['command', 'post', 'signal'])(
    'outside and sets off a %s is followed by it, and then by rest',
    (way) => {
      const { box, told } = mailbox()
      box.now(() => {
        box[way](() => told.seen.push(way))
        told.seen.push('chunk')
      })
      expect([told.seen, told.rests]).toEqual([['chunk', way], 1])
    },
  )
})

it.each([
  [DRAIN_LIMIT, []],
  [DRAIN_LIMIT + 1, [`drain: more than ${DRAIN_LIMIT} entries in one drain`]],
])('a drain of %s entries is told as %j', (entries, faults) => {
  const { box, told } = mailbox()
  let left = entries
  const again = (): void => {
    left -= 1
    if (left > 0) box.command(again)
  }
  box.command(again)
  expect(told.faults).toEqual(faults)
  expect(box.empty).toBe(faults.length === 0)
})
