/**
 * What a prompt comes to: every combination of what may hold at once, and nothing that belongs to another turn.
 */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import type { TurnReason } from '../../../src/events/message.ts'
import { PromptSlot } from '../../../src/protocols/acp/prompt-slot.ts'

const event = (type: StoredEvent['type'], data: object): StoredEvent =>
  ({ seq: 0, time: 0, type, data }) as StoredEvent
const claimed = (turn: number, ...nextTurn: string[]): StoredEvent =>
  event('inbox/claimed', { turn, nextTurn, nextStep: [] })
const ended = (turn: number, reason: TurnReason): StoredEvent =>
  event('turn/end', { turn, reason, uncommitted: [] })

const boom: TurnReason = { kind: 'error', code: 'SERVER', message: 'boom' }
const completed: TurnReason = { kind: 'completed' }
const cancelled = { kind: 'stopped', stopReason: 'cancelled' }
const endTurn = { kind: 'stopped', stopReason: 'end_turn' }
const failed = { kind: 'rejected', message: 'turn failed: boom', code: 'SERVER' }
const unheard = { kind: 'rejected', message: 'output failed: no', code: 'UNKNOWN' }

const flags = [false, true]
const cases = flags.flatMap((client) =>
  flags.flatMap((error) =>
    flags.flatMap((output) => flags.map((turn) => ({ client, error, output, turn }))),
  ),
)

/** The order of the contract, written down a second time. */
function expected({ client, error, output, turn }: (typeof cases)[number]): object {
  if (client) return cancelled
  if (turn && error) return failed
  if (output) return unheard
  return turn ? endTurn : cancelled
}

describe('client cancel, own error, output failure, no turn, end_turn, in this order', () => {
  it.each(cases)('%j', (one) => {
    const slot = new PromptSlot('A')
    if (one.client) slot.cancel()
    if (one.turn) slot.see(claimed(1, 'A'))
    const at = slot.see(ended(1, one.error ? boom : completed))
    if (one.output) slot.outputFailed('output failed: no')
    expect(slot.verdict).toEqual(expected(one))
    // Only an error of its own is told at once.
    expect(at).toEqual(one.turn && one.error && !one.client ? failed : undefined)
  })
})

describe('which turn is its own', () => {
  it('is said by the last claim of its message', () => {
    const slot = new PromptSlot('A')
    slot.see(claimed(1, 'A'))
    slot.see(ended(1, { kind: 'blocked', by: 'gate', reason: 'later' }))
    slot.see(claimed(2, 'A'))
    expect(slot.see(ended(2, boom))).toEqual(failed)
  })

  it('is found in either list', () => {
    const slot = new PromptSlot('A')
    slot.see(event('inbox/claimed', { turn: 3, nextTurn: [], nextStep: ['A'] }))
    expect(slot.see(ended(3, boom))).toEqual(failed)
  })

  it.each([
    { kind: 'max-tokens' },
    { kind: 'blocked', by: 'gate', reason: 'no' },
    { kind: 'limit', which: 'steps', used: 1, allowed: 1 },
    { kind: 'aborted', cause: { kind: 'user' } },
    { kind: 'aborted', cause: { kind: 'parent' } },
  ] satisfies TurnReason[])('ends with $kind: end_turn', (reason) => {
    const slot = new PromptSlot('A')
    slot.see(claimed(1, 'A'))
    slot.see(ended(1, reason))
    expect(slot.verdict).toEqual(endTurn)
  })

  it('ends with its session: cancelled', () => {
    const slot = new PromptSlot('A')
    slot.see(claimed(1, 'A'))
    slot.see(ended(1, { kind: 'aborted', cause: { kind: 'disposed' } }))
    expect(slot.verdict).toEqual(cancelled)
  })

  it.each([[undefined], [ended(1, { kind: 'interrupted' })]])(
    'has an end that the log refused: it did not succeed',
    (end) => {
      const slot = new PromptSlot('A')
      slot.see(claimed(1, 'A'))
      if (end !== undefined) slot.see(end)
      expect(slot.verdict).toMatchObject({ kind: 'rejected', code: 'UNKNOWN' })
    },
  )

  it('is not another one, however that ends', () => {
    const slot = new PromptSlot('A')
    slot.see(claimed(1, 'N'))
    expect(slot.see(ended(1, boom))).toBeUndefined()
    slot.see(claimed(2, 'A'))
    slot.see(ended(2, completed))
    slot.see(claimed(3, 'M'))
    expect(slot.see(ended(3, boom))).toBeUndefined()
    expect(slot.verdict).toEqual(endTurn)
  })
})
