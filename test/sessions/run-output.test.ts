/**
 * Runs that answer with data: what the model is told, what counts as an answer, and that nothing false succeeds.
 */
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { RunOutput, RunResult } from '../../src/actors/run.port.ts'
import { script } from '../../src/testing/script.ts'
import { finish, ofType, rig, say } from '../actors/rig.ts'
import { watchedLog } from './goals/rig.ts'

const City = z.object({ city: z.string(), degrees: z.number().default(0) })

/** A model that answers with data. */
const says = (...answers: object[]) =>
  answers.map((answer) => [script.text(JSON.stringify(answer))])

/** Texts of the message of the run, as the model saw them. */
const told = (agent: Parameters<typeof ofType>[0], at = 0): string[] =>
  (ofType(agent, 'user/message')[at]?.data.message.content ?? []).map((block) =>
    block.type === 'text' ? block.text : block.type,
  )

/** Takes what says `ok`, after whatever happens meanwhile. */
const later = (meanwhile: () => unknown) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'later',
    validate: async (value: unknown) => {
      await meanwhile()
      return (value as { ok?: boolean }).ok === true ? { value } : { issues: [{ message: 'no' }] }
    },
  },
})

describe('a run with an output', () => {
  it('gives the data as the schema gives it out, typed by it', async () => {
    const { agent } = rig({ model: says({ city: 'Ghent' }) })
    const result = await agent.run(say('Where?'), { output: City })
    expectTypeOf(result).toEqualTypeOf<RunResult & RunOutput<{ city: string; degrees: number }>>()
    expect(result.output).toEqual({ city: 'Ghent', degrees: 0 })
    expect(result.outputFault).toBeUndefined()
    if (result.outputFault === undefined)
      expectTypeOf(result.output.degrees).toEqualTypeOf<number>()
    expect(result.turns).toHaveLength(1)
    await finish(agent)
  })

  it('shows the model the JSON Schema that the library exports, behind the message', async () => {
    const { agent } = rig({ model: ['text "{}"', 'text "{}"'] })
    await agent.run(say('Where?'), { output: City })
    const [text, instruction = ''] = told(agent)
    expect(text).toBe('Where?')
    const schema = JSON.parse(instruction.slice(instruction.indexOf('{'))) as object
    expect(schema).toMatchObject({ type: 'object', required: ['city'] })
    await finish(agent)
  })

  it('takes a library that exports none: the model is asked for JSON, or shown what is given', async () => {
    const output = v.object({ n: v.number() })
    const { agent } = rig({ model: says({ n: 1 }, { n: 2 }) })
    const one = await agent.run('How many?', { output })
    expect(one.output).toEqual({ n: 1 })
    expect(told(agent)[1]).not.toContain('Schema')
    const outputJsonSchema = { type: 'object', required: ['n'] }
    const two = await agent.run([{ type: 'text', text: 'And?' }], { output, outputJsonSchema })
    expect(two.output).toEqual({ n: 2 })
    expect(told(agent, 1)[1]).toContain(JSON.stringify(outputJsonSchema))
    await finish(agent)
  })

  it('takes a schema that is a function, and one that validates later', async () => {
    const standard = {
      version: 1 as const,
      vendor: 'arrows',
      validate: (value: unknown) => Promise.resolve({ value: [value] }),
    }
    const output = Object.assign(() => true, { '~standard': standard })
    const { agent } = rig({ model: ['text "7"'] })
    expect((await agent.run('?', { output })).output).toEqual([7])
    await finish(agent)
  })

  it('takes JSON in one fenced block, and nothing around it', async () => {
    const fenced = '```json\n{"city":"Ghent"}\n```'
    const chatty = `Here: ${fenced}`
    const { agent } = rig({
      model: [[script.text(fenced)], [script.text(chatty)], 'text "no"'],
    })
    expect((await agent.run('?', { output: City })).output?.city).toBe('Ghent')
    expect((await agent.run('?', { output: City })).outputFault?.code).toBe('NO_JSON')
    await finish(agent)
  })
})

describe('an answer that does not fit', () => {
  it('is told to the model once, with every issue, inside the interval', async () => {
    const { agent, model } = rig({
      model: says({ city: 7 }, { city: 'Ghent' }),
    })
    const result = await agent.run(say('Where?'), { output: City })
    expect(result.output?.city).toBe('Ghent')
    expect(result.turns.map(({ turn }) => turn)).toEqual([1, 2])
    expect(result.events.at(-1)).toMatchObject({ type: 'turn/end', data: { turn: 2 } })
    const repair = ofType(agent, 'user/message')[1]?.data.message
    expect(repair?.source).toEqual({ kind: 'plugin', plugin: 'output' })
    expect(told(agent, 1)[0]).toContain('- city: ')
    expect(model.requests).toHaveLength(2)
    await finish(agent)
  })

  it('a second time is a fault with its issues, never an output', async () => {
    const { agent } = rig({ model: ['text "{}"', 'text "{}"'] })
    const result = await agent.run(say('Where?'), { output: City })
    expect(result).not.toHaveProperty('output')
    expect(result.outputFault).toMatchObject({ code: 'INVALID_OUTPUT' })
    expect(result.outputFault?.issues).toEqual([expect.stringMatching(/^city: /)])
    expect(result.finalResponse).toBe('{}')
    await finish(agent)
  })

  it('is no output when the turn did not complete, whatever the text says; nothing is repaired', async () => {
    const cut = rig({ model: ['text "1" finishing max-tokens'] })
    const number = z.number()
    const one = await cut.agent.run('?', { output: number })
    expect([one.finalResponse, one.outputFault?.code]).toEqual(['1', 'NOT_COMPLETED'])
    const failed = rig({ model: ['error SERVER'] })
    const two = await failed.agent.run('?', { output: number })
    expect(two.outputFault?.code).toBe('NOT_COMPLETED')
    const none = rig({ model: [], gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } })
    const three = await none.agent.run('?', { output: number })
    expect(three.outputFault?.message).toContain('blocked')
    for (const { agent } of [cut, failed, none]) await finish(agent)
  })

  it('is a fault when the repair fails, or the agent is gone', async () => {
    const failing = rig({ model: ['text "no"', 'error SERVER'] })
    const one = await failing.agent.run('?', { output: City })
    expect(one.outputFault?.code).toBe('NOT_COMPLETED')
    const gone = rig({ model: ['text "no"'] })
    gone.agent.subscribe({}, ({ type }) => {
      if (type === 'turn/end') void gone.agent.dispose()
    })
    const two = await gone.agent.run('?', { output: City })
    expect(two.outputFault?.code).toBe('NO_JSON')
    await finish(failing.agent)
  })

  it('is a fault when the repair is refused: by the log, or because the agent goes meanwhile', async () => {
    let refuses = false
    const log = watchedLog({ refuses: (type) => type === 'inbox/inserted' && refuses })
    const full = rig({ log, model: ['text "{}"'] })
    const one = await full.agent.run('?', {
      output: later(() => {
        refuses = true
      }),
    })
    expect(one.outputFault?.code).toBe('INVALID_OUTPUT')
    const going = rig({ model: ['text "{}"'] })
    const two = await going.agent.run('?', { output: later(() => void going.agent.dispose()) })
    expect(two.outputFault?.code).toBe('INVALID_OUTPUT')
    await finish(full.agent)
  })

  it('says so where the schema itself fails, and does not blame the model', async () => {
    const output = {
      '~standard': {
        version: 1 as const,
        vendor: 'broken',
        validate: (): never => {
          throw new Error('out of order')
        },
        jsonSchema: {
          input: (): never => {
            throw new Error('cannot be written')
          },
        },
      },
    }
    const { agent, model } = rig({ model: ['text "1"'] })
    const { outputFault } = await agent.run('?', { output })
    expect(outputFault?.message).toContain('out of order')
    expect(model.requests).toHaveLength(1)
    await finish(agent)
  })
})

describe('what comes while an answer is judged', () => {
  const model = [[script.text('{}')], [script.text('{"ok":true}')], [script.text('{"ok":true}')]]

  it('is no part of the interval of an answer that fits', async () => {
    const { agent } = rig({ model: model.slice(1) })
    const run = agent.run('?', {
      output: later(async () => {
        agent.followup(say('H'))
        await agent.whenIdle()
      }),
    })
    const seen: number[] = []
    for await (const { seq } of run.events()) seen.push(seq)
    const result = await run
    expect(result.output).toEqual({ ok: true })
    expect(result.turns).toHaveLength(1)
    expect(result.events.at(-1)?.type).toBe('turn/end')
    expect(seen).toEqual(result.events.map(({ seq }) => seq))
    await finish(agent)
  })

  it('is part of it where a repair goes on', async () => {
    const { agent } = rig({ model })
    const observed: number[] = []
    let sent = false
    const output = later(async () => {
      if (sent) return
      sent = true
      agent.followup(say('H'))
      await agent.whenIdle()
    })
    const run = agent.run('?', { output, observer: ({ seq }) => observed.push(seq) })
    const seen: number[] = []
    for await (const { seq } of run.events()) seen.push(seq)
    const result = await run
    expect(result.output).toEqual({ ok: true })
    expect(result.turns).toHaveLength(3)
    expect(seen).toEqual(result.events.map(({ seq }) => seq))
    expect(observed).toEqual(seen)
    await finish(agent)
  })
})

it('refuses a message that is none, as without an output', async () => {
  const { agent } = rig({ model: [] })
  for (const message of [7, { content: 7 }, null])
    await expect(agent.run(message as never, { output: City })).rejects.toMatchObject({
      code: 'INVALID_MESSAGE',
    })
  await finish(agent)
})
