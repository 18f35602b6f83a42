/** How a child ends: by disposal, with its parent, by itself. The cases of the contract by their ids. */
import { expect, test } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { childRig, linesOf, sound, streaming } from './rig.ts'

test('CH-13 dispose during the run cancels and waits; the result settles and never rejects for it', async () => {
  const { spawn, order } = await childRig()
  const run = await spawn(['hang "partial"'])
  await streaming(run.agent)
  const disposal = run.dispose().then(() => order.push('resolved'))
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: 'partial' })
  await disposal
  expect(order.slice(-4)).toEqual([
    'c turn/end aborted',
    'c agent/disposed',
    'c session/disposed',
    'resolved',
  ])
  expect(run.state).toBe('closed')
})

test('a child that is disposed by somebody else has stopped as aborted', async () => {
  const { spawn } = await childRig()
  const run = await spawn(['hang "partial"'])
  await streaming(run.agent)
  await run.agent.dispose()
  expect(await run.result).toMatchObject({ stopReason: 'aborted', output: 'partial' })
  expect(run.state).toBe('closed')
  await run.dispose()
})

const toolResult = (agent: Agent): string | undefined =>
  linesOf(agent).find((line) => line.startsWith('tool/result'))

test('CH-14 a cancel of the parent reaches its child with cause parent, before its own end', async () => {
  const { parent, children, model, order } = await childRig(['call c1 spawn_child {prompt: go}'])
  const child = new Promise<Agent>((resolve) => {
    children.registry.listen((notice) => {
      if (notice.type === 'session-start') resolve(notice.agent)
    })
  })
  Object.assign(
    parent.options.model as object,
    model('call c1 spawn_child {prompt: go}', 'hang "x"'),
  )
  parent.followup('P')
  const agent = await child
  await streaming(agent)
  parent.cancel('user')
  await parent.whenIdle()
  expect(linesOf(agent)).toContain('turn/end 1 aborted:parent')
  expect(toolResult(parent)).toBe('tool/result 1.1 c1 error:ABORTED')
  expect(linesOf(parent).at(-1)).toBe('turn/end 1 aborted:user')
  const ends = order.filter((line) => line.includes('turn/end'))
  expect(ends).toEqual([`${agent.id} turn/end aborted`, 'p turn/end aborted'])
  sound(parent, agent)
})

test('CH-14 a cancel of the child alone does not reach the parent, which goes on with the result', async () => {
  const { parent, children, model } = await childRig()
  children.registry.listen((notice) => {
    if (notice.type !== 'session-start') return
    const { agent } = notice
    void streaming(agent).then(() => agent.cancel('user'))
  })
  Object.assign(
    parent.options.model as object,
    model('call c1 spawn_child {prompt: go}', 'hang "x"', 'text "went on"'),
  )
  const { finalResponse, turns } = await parent.run('P')
  expect(finalResponse).toBe('went on')
  expect(turns).toMatchObject([{ reason: { kind: 'completed' } }])
  expect(toolResult(parent)).toContain('error "Error: the child has stopped (aborted): x"')
})

test('a detached child runs on when its parent is cancelled, and is listed', async () => {
  const { spawn, parent, children } = await childRig(['hang "p"'])
  const run = await spawn(['hang "partial"'], { detached: true })
  parent.followup('P')
  await Promise.all([streaming(run.agent), streaming(parent)])
  parent.cancel('user')
  await parent.whenIdle()
  expect(run.agent.status).toBe('running')
  expect(children.list('p')).toEqual([run])
  await run.dispose()
})

test('an attached child that nobody waits for is cancelled too, also while its parent is idle', async () => {
  const { spawn, parent } = await childRig()
  const run = await spawn(['hang "partial"'])
  await streaming(run.agent)
  parent.cancel('user')
  expect(await run.result).toMatchObject({ stopReason: 'aborted' })
  expect(linesOf(run.agent).at(-1)).toBe('turn/end 1 aborted:parent')
  expect(linesOf(parent)).toEqual([])
})
