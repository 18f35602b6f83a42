/**
 * Everybody can use the page: light and dark, narrow and wide, by keyboard, with a screen reader.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { createAgent } from 'turnwise'
import { scriptedModel } from 'turnwise/testing'
import { expect, onTestFinished, test } from 'vitest'
import { inBrowser, show, withBrowser } from './browser.ts'

const LOGS = join(import.meta.dirname, '../../examples/logs')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

withBrowser()

/** What axe finds to be serious or critical, one line each. */
async function serious(page: Page): Promise<string[]> {
  // The policy of the page lets no script in; the debugger does.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html}`))
}

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

inBrowser('the page is usable by everybody', () => {
  test.each([
    ['light', 'wide'],
    ['dark', 'wide'],
    ['light', 'narrow'],
    ['dark', 'narrow'],
  ] as const)('axe finds nothing serious: %s, %s', async (colorScheme, size) => {
    const { page, picture } = await show({ logs: [LOGS] }, { colorScheme, viewport: SIZES[size] })
    await page.getByText('Turn 1, step 1').first().waitFor()
    // With everything open that can be opened.
    await page.keyboard.press('?')
    await page.keyboard.press('Home')
    await page.keyboard.press('m')
    await page.keyboard.press('l')
    await page.locator('#differences').waitFor()
    expect(await serious(page)).toEqual([])
    // Nothing is wider than the window.
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider).toBe(0)
    await picture(`${colorScheme}-${size}`)
  })

  test('axe finds nothing serious where an agent is commanded', async () => {
    const agent = createAgent({ model: scriptedModel([]) })
    onTestFinished(() => agent.dispose())
    agent.inject('Something to keep in mind.')
    const { page } = await show({ agents: [agent], control: true })
    await page.locator('#inbox').getByText('Something to keep in mind.').waitFor()
    await page.getByLabel('Message to the agent').fill('Hello.')
    await page.getByRole('button', { name: 'inject' }).click()
    await page.locator('#result').getByText('accepted').waitFor()
    expect(await serious(page)).toEqual([])
  })

  test('every stop of the keyboard shows where it is, and all parts are reached', async () => {
    const { page } = await show({ logs: [LOGS] })
    await page.getByText('Turn 1, step 1').first().waitFor()
    const stops: string[] = []
    for (let press = 0; press < 90; press += 1) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const { activeElement: at } = document
        if (at === null || at === document.body) return null
        const { outlineStyle, outlineWidth } = getComputedStyle(at)
        const name = at.getAttribute('aria-label') ?? at.id
        return { name: name === '' ? (at.textContent ?? '') : name, outlineStyle, outlineWidth }
      })
      if (stop === null) break
      expect(stop).toMatchObject({ outlineStyle: 'solid', outlineWidth: '2px' })
      stops.push(stop.name)
    }
    for (const part of [
      'Event before',
      'Position in the log',
      'why',
      'todo',
      'States of the agent',
      'States of the step',
      'Search the events',
      'Events of the log',
      'Who said what to whom',
      'Payload',
    ]) {
      expect(stops).toContain(part)
    }
  })

  test('the lists are walked by key, however fast, and the position is said', async () => {
    const { page } = await show({ logs: [join(LOGS, 'stuck-tool.jsonl')] })
    await page.getByText('Turn 1, step 2').first().waitFor()
    await page.getByRole('listbox', { name: 'Events of the log' }).focus()
    // They may come faster than frames.
    await page.evaluate(() => {
      for (const key of ['Home', 'ArrowDown', 'ArrowDown'])
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    })
    const slider = page.getByRole('slider')
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'), { timeout: 10_000 })
      .toContain('event 2,')
    const active = await page.locator('#log').getAttribute('aria-activedescendant')
    const row = page.locator(`[id="${active}"]`)
    expect(await row.getAttribute('aria-selected')).toBe('true')
    expect(await row.getAttribute('aria-posinset')).toBe('3')
  })
})
