/**
 * The page of an agent that lives: it follows, and with control it commands.
 */
import { createAgent, defineTool, type Agent, type AgentOptions } from 'turnwise'
import { script, scriptedModel, type ScriptItem } from 'turnwise/testing'
import { expect, onTestFinished, test } from 'vitest'
import { open, inBrowser, show, withBrowser } from './browser.ts'

withBrowser()

/** An agent with a model that follows a script; it is disposed when the test is over. */
function agentWith(replies: readonly (readonly ScriptItem[])[], options: AgentOptions = {}) {
  const model = scriptedModel(replies)
  const agent = createAgent({ model, id: 'live-one', drainGraceMs: 50, ...options })
  onTestFinished(() => agent.dispose())
  return { agent, model }
}

const ask = () => ({ kind: 'ask' as const, prompt: 'Really look?' })

const lit = (state: string): string => `[data-state="${state}"][data-lit="true"]`

const look = defineTool({
  name: 'look',
  run: () => new Promise<string>((resolve) => (answer = () => resolve('nothing there'))),
})
let answer = (): void => {}

const kinds = (agent: Agent): string[] => agent.log.read(0).map(({ type }) => type)

inBrowser('the page of a living agent', () => {
  test('lights the states of a run while its model and its tool wait', async () => {
    const { agent, model } = agentWith(
      [
        [script.text('I look. '), script.gate('first'), script.call('c1', 'look', {})],
        [script.text('There is nothing.')],
      ],
      { tools: [look] },
    )
    const { page, faults, picture } = await show({ agents: [agent] })
    await page.locator(lit('idle')).waitFor()
    await page.getByText('connected', { exact: true }).waitFor()

    agent.followup('What is there?')
    await page.locator(lit('running.turning')).waitFor()
    await page.locator(lit('open.stepping')).waitFor()
    await page.locator(lit('streaming')).waitFor()
    await page.getByText(/Attempt 1 of step 1.1 is streaming/).waitFor()
    await page.locator('#status', { hasText: 'live · running' }).waitFor()
    await picture('live-streaming')

    model.release('first')
    await page.locator(lit('calling.running')).waitFor()
    await page.locator('#calls').getByText('look').waitFor()
    await page.getByText(/Tool “look” \(call “c1”\) of step 1.1 has been running/).waitFor()

    answer()
    await page.locator(lit('idle')).waitFor()
    await page.getByText('Turn 1 completed.').waitFor()
    await page.locator('#status', { hasText: 'live · idle' }).waitFor()
    expect(await faults()).toEqual([])
  })

  test('looking back holds still while the run goes on, until it is told to follow', async () => {
    const { agent, model } = agentWith([
      [script.text('One.'), script.gate('first')],
      [script.text('Two.')],
    ])
    const { page } = await show({ agents: [agent] })
    agent.followup('Say one.')
    await page.locator(lit('streaming')).waitFor()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.locator(lit('open.opening')).waitFor()
    model.release('first')
    agent.followup('Say two.')
    await agent.whenIdle()
    await page.locator('.where', { hasText: `2 / ${agent.log.length}` }).waitFor()
    await page.locator(lit('open.opening')).waitFor()
    const live = page.getByRole('button', { name: 'Live' })
    expect(await live.getAttribute('aria-pressed')).toBe('false')
    await live.click()
    await page.locator(lit('idle')).waitFor()
  })

  test('a prompt, a steer, context and a cancel are sent from the page, and their receipts are shown', async () => {
    const { agent } = agentWith([[script.text('I begin. '), script.stall()]])
    const { page, picture } = await show({ agents: [agent], control: true })
    const words = page.getByLabel('Message to the agent')
    const result = page.locator('#result')
    const say = async (text: string, verb: string): Promise<void> => {
      await words.fill(text)
      await page.getByRole('button', { name: verb, exact: true }).click()
      await result.getByText(`${verb}: accepted as`).waitFor()
    }
    await say('Write a long text.', 'followup')
    await page.locator(lit('streaming')).waitFor()
    await say('Make it short.', 'steer')
    await say('It is late.', 'inject')
    await page.locator('#inbox').getByText('Make it short.').waitFor()
    await page.locator('#inbox').getByText('context', { exact: true }).waitFor()
    await picture('control')

    await page.getByLabel('keep the inbox').check()
    await page.getByRole('button', { name: 'cancel the turn' }).click()
    await result.getByText('The turn is being aborted.').waitFor()
    await agent.whenIdle()
    await page.getByText('Turn 1 was aborted (user)', { exact: false }).waitFor()
    await page.locator('#inbox').getByText('parked: cancel').waitFor()
    expect(kinds(agent)).toContain('cancel/requested')
    expect(agent.inbox.nextStep.length).toBe(2)
  })

  test('a question is answered from the page, and the call runs or does not', async () => {
    const { agent } = agentWith(
      [
        [script.call('c1', 'look', { where: 'here' })],
        [script.call('c2', 'look', { where: 'there' })],
        [script.text('Done.')],
      ],
      { tools: [look], gates: { toolPre: ask } },
    )
    const { page } = await show({ agents: [agent], control: true })
    agent.followup('Look.')
    await page.locator('#approvals').getByText('Really look?').waitFor()
    await page.locator(lit('calling.approving')).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.locator('#result').getByText('Answered: allow.').waitFor()
    await page.locator(lit('calling.running')).waitFor()
    answer()
    await page.locator('#approvals').getByText('there').waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await agent.whenIdle()
    await page.getByText('Nobody is asked.').waitFor()
    const decided = agent.log
      .read(0)
      .flatMap((event) => (event.type === 'approval/decided' ? [event.data.answer] : []))
    expect(decided).toEqual(['allow', 'deny'])
  })

  test('what the server refuses is said, and the message stays', async () => {
    const { agent } = agentWith([[script.text('Hello.')]])
    const { page, viewer } = await show({ agents: [agent], control: true })
    await page.goto(`${new URL(viewer.url).origin}/#token=wrong`)
    await page.reload()
    await page.getByLabel('Message to the agent').fill('Let me in.')
    await page.getByRole('button', { name: 'followup' }).click()
    await page.locator('#result[data-ok="false"]', { hasText: 'TOKEN' }).waitFor()
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('Let me in.')
    expect(agent.log.length).toBe(0)
  })

  test('what leaves no event is shown of an agent that lives: its end', async () => {
    const { agent } = agentWith([[script.text('Hello.')]])
    const { page } = await show({ agents: [agent] })
    await page.locator(lit('idle')).waitFor()
    agent.followup('Say hello.')
    await agent.whenIdle()
    await agent.dispose()
    await page.locator(lit('disposed')).waitFor()
    expect(await page.locator('#status').textContent()).toBe('live · disposed')
  })

  test('without control there is nothing to command with', async () => {
    const { agent } = agentWith([[script.text('Hello.')]])
    const { page } = await show({ agents: [agent] })
    await page.locator(lit('idle')).waitFor()
    expect(await page.getByRole('textbox', { name: 'Message to the agent' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /cancel/ }).count()).toBe(0)
  })

  test('a broken connection is said and taken up again behind what is known', async () => {
    const { agent } = agentWith([[script.text('One.')], [script.text('Two.')]])
    const { page, viewer } = await show({ agents: [agent] })
    const seen = (count: number) =>
      page.locator('.where', { hasText: `${count} / ${count}` }).waitFor()
    agent.followup('Say one.')
    await agent.whenIdle()
    await seen(agent.log.length)
    await viewer.close()
    await page.getByText('not connected; trying again').waitFor()
    agent.followup('Say two.')
    await agent.whenIdle()
    await open({ agents: [agent], port: viewer.port })
    await page.getByText('connected', { exact: true }).waitFor()
    await seen(agent.log.length)
    await page.getByText('Turn 2 completed.').waitFor()
    expect(await page.locator('#log [role="option"]').last().textContent()).toContain('turn/end')
  })
})
