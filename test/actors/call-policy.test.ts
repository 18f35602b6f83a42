/**
 * Who says no to a call, in which words, and which calls are put to `toolPre` together.
 */
import { describe, expect, it } from 'vitest'
import { currentInitiator } from '../../src/actors/initiator.ts'
import type { Gates, ToolPreDecision } from '../../src/actors/gates.port.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { asked } from './approval-rig.ts'
import { finish, ofType, rig, say } from './rig.ts'

const text = (words: string) => [{ type: 'text', text: words }]
const denial = (by: string) => ({
  kind: 'denied',
  by,
  reason: 'no',
  content: text(`The call was denied by ${by}: no`),
})
const no = { kind: 'deny', reason: 'no' } as const

function strict() {
  return no
}
function deputy() {
  return { ...no, by: 'boss' }
}
function lenient() {
  return { kind: 'allow' } as const
}
function silent() {}
function throwing(): never {
  throw new Error('cannot judge')
}

describe('a call', () => {
  it.each<[string, unknown, unknown]>([
    ['is denied in the name of its gate', strict, denial('strict')],
    ['is denied in the name that the gate gives', [() => ({ ...no, by: 'boss' })], denial('boss')],
    ['is denied in the name that a gate with a name gives', deputy, denial('boss')],
    ['is denied by `toolPre` where nobody has a name', [() => no], denial('toolPre')],
    ['is run where the gate allows it', lenient, { kind: 'ok', content: text('ran') }],
    [
      'is not run where the gate throws',
      throwing,
      { kind: 'error', content: text('Error: cannot judge') },
    ],
    [
      'is not run where the gate says nothing',
      silent,
      {
        kind: 'error',
        code: 'GATE_DECISION_INVALID',
        content: text(
          'Error: the answer of gate toolPre cannot be carried out: the decision must be an object, found undefined; nothing of it was. Fix the gate.: the decision must be an object, found undefined',
        ),
      },
    ],
  ])('%s', async (_, toolPre, outcome) => {
    const { agent } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => 'ran' }],
      gates: { toolPre } as Gates,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result').map(({ data }) => data.outcome)).toStrictEqual([outcome])
    await finish(agent)
  })

  it('is judged, run and looked at on behalf of its agent', async () => {
    const seen: string[] = []
    const look = (who: string): void => {
      seen.push(`${who}: ${currentInitiator()?.what}`)
    }
    const { agent } = rig({
      model: ['call c1 t', 'text "done"'],
      tools: [{ name: 't', run: () => look('body') }],
      gates: {
        toolPre: (_, next) => {
          look('toolPre')
          return next()
        },
        toolPost: (_, next) => {
          look('toolPost')
          return next()
        },
      },
      dispatch: (_, body) => {
        look('dispatch')
        return body()
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(seen).toEqual(['toolPre: gate', 'dispatch: tool', 'body: tool', 'toolPost: gate'])
    await finish(agent)
  })
})

describe('the calls behind one that must be approved', () => {
  const ask: ToolPreDecision = { kind: 'ask' }
  const allow: ToolPreDecision = { kind: 'allow' }

  /** What was put to `toolPre`, and what was asked about, when the first question stands. */
  async function first(
    model: string,
    decisions: readonly (ToolPreDecision | Error)[],
  ): Promise<[judged: string[], asked: string[]]> {
    const judged: string[] = []
    const made = rig({
      model: [model, 'text "done"'],
      tools: [
        { name: 'p', parallel: true, run: () => 'ok' },
        { name: 'x', run: () => 'ok' },
      ],
      gates: {
        toolPre: ({ call }) => {
          judged.push(call.providerId)
          const decision = decisions[call.index] ?? allow
          if (decision instanceof Error) throw decision
          return decision
        },
      },
    })
    made.agent.followup(say('A'))
    await settle()
    const found: [string[], string[]] = [[...judged], asked(made)]
    await finish(made.agent)
    return found
  }

  it.each<[string, string, (ToolPreDecision | Error)[], string[], string[]]>([
    [
      'are judged with it, whatever becomes of those between',
      'call c1 p + call c2 p + call c3 p + call c4 p',
      [ask, allow, new Error('cannot judge'), ask],
      ['c1', 'c2', 'c3', 'c4'],
      ['c1', 'c4'],
    ],
    [
      'are judged up to the first that runs alone',
      'call c1 p + call c2 p + call c3 x + call c4 p',
      [ask, ask, ask, ask],
      ['c1', 'c2'],
      ['c1', 'c2'],
    ],
    ['wait where it runs alone itself', 'call c1 x + call c2 p', [ask, ask], ['c1'], ['c1']],
  ])('%s', async (_, model, decisions, judged, questions) => {
    expect(await first(model, decisions)).toEqual([judged, questions])
  })
})

describe('a repeated call that a person is to look at', () => {
  it.each<[string, () => ToolPreDecision]>([
    ['denies', () => no],
    ['throws at', throwing],
  ])('is not asked about where toolPre %s it', async (_, judge) => {
    const made = rig({
      model: ['call c1 p', 'call c2 p', 'call c3 p + call c4 p', 'text "done"'],
      tools: [{ name: 'p', parallel: true, run: () => 'ok' }],
      repeatGuard: { action: 'ask' },
      gates: {
        toolPre: ({ call, step }) => {
          if (call.index === 1) return judge()
          return { kind: step === 3 ? 'ask' : 'allow' }
        },
      },
    })
    made.agent.followup(say('A'))
    await settle(10)
    expect(asked(made)).toEqual(['c3'])
    made.agent.approve('c3', 'allow')
    await made.agent.whenIdle()
    expect(made.log().filter((line) => line.startsWith('tool/result 1.3'))).toEqual([
      'tool/result 1.3 c3 ok "ok"',
      expect.stringMatching(/^tool\/result 1\.3 c4 (denied "no"|error "Error: cannot judge")$/),
    ])
    await finish(made.agent)
  })
})
