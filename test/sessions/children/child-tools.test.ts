/** The tools of parents and children, and agents as tools. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../../src/actors/agent.ts'
import { agentAsTool } from '../../../src/sessions/children/agent-as-tool.ts'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { parseScript } from '../../../src/testing/parse-script.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { childRig, linesOf, sound } from './rig.ts'

const say = (...entries: string[]) => scriptedModel(entries.map((entry) => parseScript(entry)))

const results = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('tool/result'))

test('spawn_child runs a child to its end and answers with what it said', async () => {
  const script = ['call c1 spawn_child {prompt: go}', 'text "from the child"', 'text "done"']
  const { parent, registry, order } = await childRig(script)
  const { finalResponse } = await parent.run('P')
  expect(finalResponse).toBe('done')
  expect(results(linesOf(parent))).toEqual(['tool/result 1.1 c1 ok "from the child"'])
  expect(registry.list()).toEqual([parent])
  expect(order.filter((line) => line.endsWith('session/disposed'))).toHaveLength(1)
  sound(parent)
})

test('spawn_child without a prompt is a mistake that the model may correct', async () => {
  const { parent } = await childRig(['call c1 spawn_child', 'text "done"'])
  await parent.run('P')
  expect(results(linesOf(parent))[0]).toContain('error:INVALID_ARGS')
})

test('a tool of a turn that was cancelled starts no attached child', async () => {
  const refused: unknown[] = []
  const { parent, children, registry, model } = await childRig([], {
    agent: {
      tools: [
        {
          name: 't',
          async run() {
            parent.cancel('user')
            await children
              .spawn({ prompt: 'go', agent: { model: model('text "never"') } })
              .catch((error: unknown) => refused.push(error))
          },
        },
      ],
    },
  })
  Object.assign(parent.options.model as object, model('call c1 t'))
  await parent.run('P')
  expect(refused).toEqual([{ kind: 'user' }])
  expect(registry.list()).toEqual([parent])
})

test('too deep is an outcome, not a failure of the turn', async () => {
  const { parent, children, model } = await childRig([], { maxDepth: 1 })
  const child = {
    model: model('call c1 spawn_child {prompt: deeper}', 'text "c"'),
    tools: children.tools,
  }
  const run = await children.spawn({ parent, prompt: 'go', agent: child })
  expect((await run.result).output).toBe('c')
  expect(results(linesOf(run.agent))[0]).toContain('error:CHILD_LIMIT')
})

test('a child in the background answers with its id, reports, takes messages and is stopped', async () => {
  const { parent, children, model } = await childRig()
  const own = model(
    'call c1 spawn_child {prompt: go, name: scout, background: true}',
    'text "waiting"',
    'text "seen"',
    'text "seen too"',
  )
  const scout = model(
    'call r1 report_to_parent {message: on my way}',
    'text "found it"',
    'text "again"',
  )
  const routed = {
    provider: 'mock',
    modelId: 'mock',
    stream: (...args: Parameters<typeof own.stream>) =>
      (args[1].agent === 'p' ? own : scout).stream(...args),
  }
  Object.assign(parent.options.model as object, routed)
  await parent.run('P')
  const [run] = children.list('p')
  await run!.result
  await parent.whenIdle()
  expect(results(linesOf(parent))[0]).toBe(`tool/result 1.1 c1 ok "{"child":"${run!.id}"}"`)
  const told = linesOf(parent).filter((line) => /^user\/message .*<child>/s.test(line))
  expect(told.map((line) => line.includes('on my way'))).toEqual([true, false])
  expect(told[1]).toContain('scout has stopped: completed.\n\nfound it')
  expect(run).toMatchObject({ name: 'scout', detached: true, continuable: true, state: 'free' })
  const call = async (name: string, input: object): Promise<unknown> =>
    children.tools.find((tool) => tool.name === name)!.run(input as never, { agent: 'p' } as never)
  await call('send_to_child', { child: run!.id, message: 'more' })
  expect((await run!.result).output).toBe('again')
  await expect(call('stop_child', { child: 'other' })).rejects.toThrow('there is no child other')
  await call('stop_child', { child: run!.id })
  expect(children.list()).toEqual([])
})

test('an agent as a tool: each call is a child of its own, and its value is the outcome', async () => {
  const children = createChildren()
  const judge = agentAsTool(children, {
    name: 'judge',
    description: 'Judges a text.',
    input: z.object({ text: z.string() }),
    prompt: ({ text }: { text: string }) => `Judge: ${text}`,
    output: z.object({ v: z.number() }),
    agent: { model: say('call c1 structured_output {v:7}', 'text "no value"') },
  })
  const model = say('call c1 judge {text: one} + call c2 judge {text: two}', 'text "done"')
  const parent = createAgent({ id: 'p', model, tools: [judge] })
  children.adopt(parent)
  const finished: string[] = []
  children.onFinished(({ agentId, stopReason }) => finished.push(`${agentId} ${stopReason}`))
  const { finalResponse } = await parent.run('P')
  expect(finalResponse).toBe('done')
  expect(results(linesOf(parent))).toEqual([
    'tool/result 1.1 c1 ok "{"v":7}"',
    expect.stringContaining('has not handed in the value'),
  ])
  expect(finished.toSorted()).toEqual(['judge completed', 'judge error'])
  expect(children.list()).toEqual([])
  sound(parent)
})

test('an agent as a tool takes a prompt by default; a parent that is not known is told so', async () => {
  const children = createChildren()
  const helper = agentAsTool(children, { name: 'helper', agent: { model: say('text "helped"') } })
  const model = say('call c1 helper {prompt: go}', 'call c2 helper {prompt: go}', 'text', 'text')
  const parent = createAgent({ id: 'p', model, tools: [helper] })
  await parent.run('P')
  expect(results(linesOf(parent))[0]).toContain('error:INVALID_OPTION')
  children.adopt(parent)
  children.adopt(parent)
  await parent.run('Q')
  expect(results(linesOf(parent))).toHaveLength(2)
})
