/**
 * A client that goes away: what it leaves running is cancelled first, and nothing of it stays behind.
 */
import { expect, it } from 'vitest'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { editor, ends, finish, rejection, saw, streaming } from './editor.ts'

/** A session with an attached and a detached child; all of them hang. */
async function family() {
  const registry = createRegistry({ factory: () => ({}) })
  const children = createChildren({ registry })
  const ide = await editor(['hang "parent"'], { registry })
  const parent = await ide.session()
  const prompt = ide.prompt(parent, 'A').catch((error: Error) => error)
  await streaming(parent)
  const spawn = async (name: string, detached: boolean) => {
    const agent = { model: scriptedModel([`hang "${name}"`]) }
    const run = await children.spawn({ parent, name, prompt: name, detached, agent })
    const found = registry.childrenOf(parent.id).at(-1)
    if (found === undefined) throw new Error('no child')
    await streaming(found)
    return { run, child: found }
  }
  const attached = await spawn('attached', false)
  const detached = await spawn('detached', true)
  return { ide, parent, prompt, attached, detached }
}

it('cancels in the call, ends children before parents, and suspends what is idle', async () => {
  const { ide, parent, attached, detached } = await family()
  const idle = await ide.session()
  idle.inbox.append('next-turn', { id: 'later', content: 'later' })
  const gone: string[] = []
  ide.acp.registry.listen(({ type, id }) => {
    if (type === 'agent/disposed') gone.push(id)
  })
  const closed = ide.connection.close()
  expect(parent.log.read().at(-1)?.type).toBe('cancel/requested')
  await closed
  expect(ends(parent)).toEqual(['turn/end 1 aborted:user'])
  expect(ends(attached.child)).toEqual(['turn/end 1 aborted:parent'])
  expect((await detached.run.result).stopReason).toBe('aborted')
  for (const { child } of [attached, detached])
    expect(gone.indexOf(child.id)).toBeLessThan(gone.indexOf(parent.id))
  expect(gone).toHaveLength(4)
  expect(ide.acp.registry.list()).toEqual([])
  // Nothing that waited without anybody being told about its end is lost.
  expect(idle.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['later'])
  await finish(ide)
})

it('tells together what failed, a child included, and once', async () => {
  const { ide, parent, attached } = await family()
  parent.log.close = () => Promise.reject(new Error('parent: disk full'))
  attached.child.log.close = () => Promise.reject(new Error('child: disk full'))
  const failure = (await rejection(ide.connection.close())) as unknown as AggregateError
  expect(failure).toBeInstanceOf(AggregateError)
  const messages = failure.errors.map((error: Error) => error.message)
  expect(messages.filter((message) => message.includes('child'))).toHaveLength(1)
  expect(messages.filter((message) => message.includes('parent: disk full'))).toHaveLength(1)
  expect(await rejection(ide.connection.close())).toBe(failure)
})

it('answers the prompt of a client that is still there to hear it', async () => {
  const ide = await editor(['hang "x"'])
  const agent = await ide.session()
  const prompt = ide.prompt(agent, 'A')
  await streaming(agent)
  const closed = ide.acp.close()
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  await closed
  expect(agent.status).toBe('disposed')
})

it('leaves the sessions of other clients alone', async () => {
  const registry = createRegistry({ factory: () => ({}) })
  const one = await editor(['hang "x"'], { registry })
  const two = await editor(['text "two" (gated g)'], { registry })
  const [first, second] = [await one.session(), await two.session()]
  void one.prompt(first, 'A').catch(() => {})
  const prompt = two.prompt(second, 'B')
  await Promise.all([streaming(first), saw(second, 'turn/start')])
  one.client.close()
  await one.connection.close()
  expect(first.status).toBe('disposed')
  two.model.release('g')
  expect(await prompt).toEqual({ stopReason: 'end_turn' })
  await finish(two)
})
