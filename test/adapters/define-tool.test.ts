import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { parseArguments, validateInput } from '../../src/actors/tool-arguments.ts'
import type { AnyTool, StandardSchema } from '../../src/actors/tool.port.ts'
import { toolHeaders } from '../../src/actors/tool-schema.ts'
import { defineTool, type AnyArguments } from '../../src/adapters/define-tool.ts'

const run = (): string => 'ok'
const validate = async (tool: AnyTool, raw: string) => validateInput(tool, parseArguments(raw))

describe('defineTool types the body by the schema', () => {
  it('gives run and parallel the output of the schema', () => {
    const input = z.object({ city: z.string(), days: z.number().default(1) })
    const tool = defineTool({
      name: 'weather',
      input,
      parallel: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>()
        return args.days < 3
      },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>()
        return args.city
      },
    })
    expectTypeOf(tool).toExtend<AnyTool>()
    expect(tool.name).toBe('weather')
  })

  it('gives run any object where there is no schema', () => {
    const tool = defineTool({
      name: 'note',
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<AnyArguments>()
        return 'ok'
      },
    })
    expectTypeOf(tool).toExtend<AnyTool>()
    expect(tool.parameters).toEqual({ type: 'object', properties: {} })
  })
})

describe('the JSON Schema of a tool', () => {
  it('comes from the companion of zod, without its draft', () => {
    const tool = defineTool({
      name: 't',
      input: z.object({ city: z.string().describe('Where.'), days: z.number().optional() }),
      run,
    })
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where.' }, days: { type: 'number' } },
      required: ['city'],
    })
  })

  it('comes from parameters where they are given, for valibot for one', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const tool = defineTool({ name: 't', input: v.object({ city: v.string() }), parameters, run })
    expect(tool.parameters).toEqual(parameters)
    expect(await validate(tool, '{"city":"Rom"}')).toEqual({ ok: true, value: { city: 'Rom' } })
    expect(await validate(tool, '{}')).toMatchObject({
      ok: false,
      code: 'INVALID_ARGS',
      message: expect.stringContaining('city: ') as string,
    })
  })

  it('is missed with both ways to give it where the library has no companion', () => {
    expect(() => defineTool({ name: 't', input: v.object({ city: v.string() }), run })).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringMatching(
          /'t' \(valibot\).*JSON Schema part of Standard Schema.*parameters/,
        ) as string,
      }),
    )
  })

  it('is missed where the schema cannot be written as one', () => {
    expect(() => defineTool({ name: 't', input: z.object({ at: z.date() }), run })).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('Date cannot be represented in JSON Schema') as string,
      }),
    )
  })

  it('is kept without undefined fields, frozen and apart from the given object', () => {
    const parameters = { type: 'object', description: undefined, properties: {} }
    const tool = defineTool({ name: 't', parameters, run })
    parameters.type = 'string'
    expect(tool.parameters).toStrictEqual({ type: 'object', properties: {} })
    expect(Object.isFrozen(tool.parameters)).toBe(true)
  })
})

describe('a faulty definition is refused', () => {
  it.each(['', 'a b', 'ä', 'x'.repeat(65), 'a.b', 7])('name %j', (name) => {
    expect(() => defineTool({ name: name as string, run })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })
  it.each(['a', 'A-b_9', 'x'.repeat(64)])('name %j is fine', (name) => {
    expect(defineTool({ name, run }).name).toBe(name)
  })
  it.each([0, -1, Number.NaN, Infinity])('timeoutMs %d', (timeoutMs) => {
    expect(() => defineTool({ name: 't', timeoutMs, run })).toThrow(/timeoutMs of tool 't'/)
  })
  it('input that is no Standard Schema', () => {
    const input = { type: 'object' } as unknown as StandardSchema
    expect(() => defineTool({ name: 't', input, run })).toThrow(/Standard Schema was expected/)
  })
  it('no run', () => {
    expect(() => defineTool({ name: 't' } as never)).toThrow(/has no function run/)
  })
})

describe('toolHeaders', () => {
  it('lists tools by name in code-unit order, whatever order they come in', () => {
    const names = ['b', 'a', 'B', 'a_1', 'a-1']
    const tools = names.map((name) => defineTool({ name, description: `Does ${name}.`, run }))
    const headers = toolHeaders(tools)
    expect(headers.map(({ name }) => name)).toEqual(['B', 'a', 'a-1', 'a_1', 'b'])
    expect(toolHeaders(tools.toReversed())).toEqual(headers)
    expect(headers[0]).toEqual({
      name: 'B',
      description: 'Does B.',
      parameters: { type: 'object', properties: {} },
    })
  })

  it('derives the schema of a tool that was written by hand, once', () => {
    let asked = 0
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value) => ({ value }),
        jsonSchema: {
          input: ({ target }) => {
            asked += 1
            return { type: 'object', title: target }
          },
        },
      },
    }
    const tool: AnyTool = { name: 't', input: schema, run }
    expect(toolHeaders([tool])).toEqual([
      { name: 't', parameters: { type: 'object', title: 'draft-07' } },
    ])
    toolHeaders([tool])
    expect(asked).toBe(1)
  })

  it('refuses two tools of one name', () => {
    const tool = defineTool({ name: 't', run })
    expect(() => toolHeaders([tool, { ...tool }])).toThrow(/two tools have the name 't'/)
  })
})

describe('arguments of a call', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', [1]],
    ['{"a":', '{"a":'],
    ['hello', 'hello'],
  ])('%j is read as %j', (raw, value) => {
    expect(parseArguments(raw)).toEqual(value)
  })

  it.each([
    ['{"a":1}', { ok: true, value: { a: 1 } }],
    ['', { ok: true, value: {} }],
    ['[1]', { ok: false, code: 'INVALID_ARGS' }],
    ['null', { ok: false, code: 'INVALID_ARGS' }],
    ['{"a":', { ok: false, code: 'INVALID_ARGS' }],
    ['"a"', { ok: false, code: 'INVALID_ARGS' }],
  ])('without a schema %j gives %j', async (raw, expected) => {
    expect(await validate(defineTool({ name: 't', run }), raw)).toMatchObject(expected)
  })

  it('pass through the schema, which may fill in defaults', async () => {
    const input = z.object({ city: z.string(), days: z.number().default(1) })
    const tool = defineTool({ name: 't', input, run })
    expect(await validate(tool, '{"city":"Rom"}')).toEqual({
      ok: true,
      value: { city: 'Rom', days: 1 },
    })
  })

  it('that the schema refuses are answered with every issue and its path', async () => {
    const input = z.object({ at: z.object({ city: z.string() }), days: z.number() })
    const tool = defineTool({ name: 't', input, run })
    expect(await validate(tool, '{"at":{"city":1},"days":"x"}')).toEqual({
      ok: false,
      code: 'INVALID_ARGS',
      message:
        'Invalid arguments for tool t: at.city: Invalid input: expected string, received number; days: Invalid input: expected number, received string',
    })
  })

  it('are validated by asynchronous schemas as well', async () => {
    const input = z.object({ n: z.number() }).refine(async ({ n }) => n > 1, 'too small')
    const tool = defineTool({ name: 't', input, run })
    expect(await validate(tool, '{"n":1}')).toMatchObject({
      ok: false,
      message: expect.stringContaining('too small') as string,
    })
    expect(await validate(tool, '{"n":2}')).toEqual({ ok: true, value: { n: 2 } })
  })

  it('reach a schema of texts as a text', async () => {
    const tool = defineTool({ name: 't', input: z.string(), run })
    expect(await validate(tool, 'SELECT 1')).toEqual({ ok: true, value: 'SELECT 1' })
  })
})
