/**
 * What a model reads of its tools, of arguments that do not fit and of calls that were not run; what faulty tools are told.
 */
import { describe, expect, it } from 'vitest'
import {
  ABORTED,
  ABORTED_BEFORE_DISPATCH,
  ARGUMENTS_CUT,
  NOT_STARTED,
  unknownTool,
} from '../../src/actors/synthetic.ts'
import { validateInput } from '../../src/actors/tool-arguments.ts'
import { toolHeaders as headersOf } from '../../src/actors/tool-headers.ts'
import { parametersOf, toolHeaders } from '../../src/actors/tool-schema.ts'
import type { AnyTool, StandardSchema } from '../../src/actors/tool.port.ts'
import type { Json } from '../../src/events/json.ts'

const tool = (more: Partial<AnyTool> = {}): AnyTool => ({ name: 't', run: () => 'ok', ...more })

type Standard = StandardSchema['~standard']

const schema = (more: Partial<Standard>): StandardSchema => ({
  '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }), ...more },
})

const failing = (): never => {
  throw new Error('broke', { cause: new Error('no rules') })
}

describe('arguments that do not fit', () => {
  it.each<[string, Json]>([
    ['null', null],
    ['an array', [1]],
    ['text that is no JSON object', 'hello'],
    ['a number', 7],
    ['a boolean', true],
  ])('are answered where an object was expected: found %s', (found, value) => {
    expect(validateInput(tool(), value)).toStrictEqual({
      ok: false,
      code: 'INVALID_ARGS',
      message: `Invalid arguments for tool t: a JSON object was expected, but found ${found}`,
    })
  })

  it.each<[string, Standard['validate'], string]>([
    [
      'every issue, with its path',
      () => ({ issues: [{ message: 'too small', path: ['n'] }, { message: 'no rhyme' }] }),
      'n: too small; no rhyme',
    ],
    ['that the schema threw', failing, 'its schema failed: broke: no rules'],
    [
      'that the schema rejected',
      () => Promise.reject(new Error('too late')),
      'its schema failed: too late',
    ],
  ])('are answered with %s', async (_, validate, why) => {
    expect(await validateInput(tool({ input: schema({ validate }) }), {})).toStrictEqual({
      ok: false,
      code: 'INVALID_ARGS',
      message: `Invalid arguments for tool t: ${why}`,
    })
  })
})

const BOTH_WAYS =
  'use a library with the JSON Schema part of Standard Schema (zod 4.2 and later has it), or give the JSON Schema as parameters (for valibot: toJsonSchema(schema) of @valibot/to-json-schema)'

describe('a tool', () => {
  it.each<[string, AnyTool[], string]>([
    [
      'whose schema is none',
      [tool({ input: { type: 'object' } as never })],
      "a Standard Schema was expected as input of tool 't', but found none",
    ],
    [
      'whose library exports no JSON Schema',
      [tool({ input: schema({}) })],
      `the schema of tool 't' (own) exports no JSON Schema; ${BOTH_WAYS}`,
    ],
    [
      'whose schema cannot be written',
      [tool({ input: schema({ jsonSchema: { input: failing } }) })],
      `the schema of tool 't' cannot be written as JSON Schema (broke: no rules); ${BOTH_WAYS}`,
    ],
    [
      'whose name another one has',
      [tool({ name: 'a' }), tool(), tool({ name: 'b' }), tool()],
      "two tools have the name 't'",
    ],
  ])('%s is refused in words that say what to do', (_, tools, message) => {
    expect(() => toolHeaders(tools)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        summary: `${message}; nothing was defined.`,
      }),
    )
  })

  it('whose schema cannot be written keeps what its library threw', () => {
    const cause = new Error('no such type')
    const input = schema({
      jsonSchema: {
        input: () => {
          throw cause
        },
      },
    })
    expect(() => parametersOf(tool({ input }))).toThrow(expect.objectContaining({ cause }))
  })

  it('is shown as it is: with the schema that it gives, exports or, without one, any object', () => {
    const exporting = schema({ jsonSchema: { input: () => ({ type: 'string' }) } })
    expect(
      toolHeaders([
        tool({ name: 'd' }),
        tool({ name: 'c', input: exporting }),
        tool({ name: 'b', input: exporting, parameters: { type: 'number' } }),
        tool({ name: 'a', description: 'Says a.' }),
      ]),
    ).toStrictEqual([
      { name: 'a', description: 'Says a.', parameters: { type: 'object', properties: {} } },
      { name: 'b', parameters: { type: 'number' } },
      { name: 'c', parameters: { type: 'string' } },
      { name: 'd', parameters: { type: 'object', properties: {} } },
    ])
  })
})

describe('the tools as a model is shown them', () => {
  it('are read once where they are a list', () => {
    const list = [tool()]
    const headers = headersOf(list)
    list.push(tool({ name: 'u' }))
    expect(headersOf(list)).toBe(headers)
  })

  it('are the same list as long as a registry says the same', () => {
    let tools = [tool()]
    const registry = { list: () => tools }
    const headers = headersOf(registry)
    tools = [tool({ run: () => 'other' })]
    expect(headersOf(registry)).toBe(headers)
    tools = [tool({ name: 'u' })]
    expect(headersOf(registry).map(({ name }) => name)).toEqual(['u'])
  })
})

describe('a call that no body answered', () => {
  it.each([
    [
      ABORTED_BEFORE_DISPATCH,
      'ABORTED_BEFORE_DISPATCH',
      'The call was not run: the turn was aborted before it started. It is safe to call again.',
    ],
    [
      ABORTED,
      'ABORTED',
      'The turn was aborted while the call ran; its result was dropped. Check its effect before calling it again.',
    ],
    [
      NOT_STARTED,
      'NOT_STARTED',
      'The call was not run: the process ended before it started. It is safe to call again.',
    ],
    [
      ARGUMENTS_CUT,
      'ARGUMENTS_CUT',
      'The call was not run: the answer was cut at the token limit, so its arguments may be incomplete.',
    ],
    [unknownTool('a"b'), 'UNKNOWN_TOOL', 'There is no tool named "a\\"b".'],
  ])('says honestly whether it ran: %j', (outcome, code, text) => {
    expect(outcome).toStrictEqual({ kind: 'error', code, content: [{ type: 'text', text }] })
  })
})
