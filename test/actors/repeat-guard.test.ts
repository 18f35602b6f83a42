/**
 * Calls that repeat within a turn are recognised by their period, and end the turn or are put to a person.
 */
import { describe, expect, it } from 'vitest'
import { script, type ScriptItem } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, ofType, rig, type RigOptions, say } from './rig.ts'

const call = (n: number | object): ScriptItem[] => [
  script.call('c', 't', typeof n === 'number' ? { n } : n),
]

/** How the turn ends whose model asks for these calls, one a step, and how many requests it made. */
async function run(
  calls: readonly (number | object)[],
  repeatGuard: RigOptions['repeatGuard'] | undefined,
): Promise<[reason: string, requests: number]> {
  let ran = 0
  const { agent, model } = rig({
    model: [...calls.map(call), 'text "done"'],
    tools: [{ name: 't', run: () => String((ran += 1)) }],
    ...(repeatGuard === undefined ? {} : { repeatGuard }),
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  const { reason } = ofType(agent, 'turn/end')[0]?.data ?? {}
  await finish(agent)
  return [reason?.kind ?? 'none', model.requests.length]
}

describe('the repeat guard', () => {
  it('is off by default', async () => {
    expect(await run([1, 1, 1, 1, 1, 1], undefined)).toEqual(['completed', 7])
  })

  it('ends the turn as blocked at the third repetition', async () => {
    expect(await run([1, 1, 1, 1], true)).toEqual(['blocked', 3])
  })

  it('takes equal arguments as equal, whatever the order of their keys', async () => {
    expect(
      await run(
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
          { a: 1, b: 2 },
        ],
        true,
      ),
    ).toEqual(['blocked', 3])
  })

  it('recognises longer periods, up to maxPeriod', async () => {
    const pairs = [1, 2, 1, 2, 1, 2]
    expect(await run(pairs, { maxPeriod: 2, repeats: 3 })).toEqual(['blocked', 6])
    expect(await run(pairs, { maxPeriod: 1, repeats: 3 })).toEqual(['completed', 7])
    const triples = [1, 2, 3, 1, 2, 3]
    expect(await run(triples, { maxPeriod: 3, repeats: 2 })).toEqual(['blocked', 6])
  })

  it('lets calls pass that only look alike', async () => {
    expect(await run([1, 2, 3, 4, 5, 6], true)).toEqual(['completed', 7])
    expect(await run([1, 1, 2, 1, 1, 2], { maxPeriod: 1, repeats: 3 })).toEqual(['completed', 7])
  })

  it('starts anew with each turn', async () => {
    const { agent, ends } = rig({
      model: [call(1), call(1), 'text "one"', call(1), call(1), 'text "two"'],
      tools: [{ name: 't', run: () => 'ok' }],
      repeatGuard: true,
    })
    agent.followup(say('A'))
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(agent)
  })

  it('answers the repeating calls as denied and runs none of them', async () => {
    let ran = 0
    const { agent, ends } = rig({
      model: [call(1), [...call(1), ...call(1)]],
      tools: [
        {
          name: 't',
          run: () => {
            ran += 1
            return 'ok'
          },
        },
      ],
      repeatGuard: true,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ran).toBe(1)
    const reason = 'the calls of this turn repeat'
    const said = `The call was denied by repeat-guard: ${reason}`
    const denied = {
      kind: 'denied',
      by: 'repeat-guard',
      reason,
      content: [{ type: 'text', text: said }],
    }
    expect(ofType(agent, 'tool/result').map(({ data }) => data.outcome)).toEqual([
      expect.objectContaining({ kind: 'ok' }),
      denied,
      denied,
    ])
    expect(ends()).toEqual(['turn/end 1 blocked'])
    expect(ofType(agent, 'turn/end')[0]?.data.reason).toEqual({
      kind: 'blocked',
      by: 'repeat-guard',
      reason,
    })
    await finish(agent)
  })

  it('asks a person where it shall ask, and goes on with the answer', async () => {
    const { agent, ends, model } = rig({
      model: [call(1), call(1), call(1), 'text "done"'],
      tools: [{ name: 't', run: () => 'ok' }],
      repeatGuard: { action: 'ask' },
    })
    agent.followup(say('A'))
    await settle(10)
    const [asked] = ofType(agent, 'approval/asked')
    expect(asked?.data).toMatchObject({ turn: 1, step: 3 })
    agent.approve('c', 'allow')
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    expect(model.requests).toHaveLength(4)
    await finish(agent)
  })

  it('does not look at calls that were cut at the limit', async () => {
    const { agent, ends } = rig({
      model: [[...call(1), ...call(1), ...call(1), script.finish('max-tokens')]],
      tools: [{ name: 't', run: () => 'never' }],
      repeatGuard: true,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    const outcomes = ofType(agent, 'tool/result').map(({ data }) => data.outcome)
    expect(outcomes).toEqual(
      [1, 2, 3].map(() => expect.objectContaining({ code: 'ARGUMENTS_CUT' })),
    )
    expect(ends()).toEqual(['turn/end 1 max-tokens'])
    await finish(agent)
  })
})
