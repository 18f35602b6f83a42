/**
 * The page of a log that is finished: everything in one view, and every position of it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { inserted, writeLog } from './logs.ts'
import { inBrowser, show, withBrowser } from './browser.ts'

const LOGS = join(import.meta.dirname, '../logs')

withBrowser()

inBrowser('the page of a finished log', () => {
  test('is no larger than the docs say, and holds nothing inline', () => {
    const folder = inject('page')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.'),
    )
    const bytes = files.map((name) => readFileSync(join(folder, name)))
    const whole = bytes.reduce((sum, { length }) => sum + length, 0)
    const packed = bytes.reduce((sum, file) => sum + gzipSync(file).length, 0)
    expect(whole).toBeLessThan(128_000)
    expect(packed).toBeLessThan(46_000)
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/)
  })

  test('shows charts, events, sequence, state and answer in one view, and asks nobody but its server', async () => {
    const { page, viewer, asked, faults, picture } = await show({
      logs: [join(LOGS, 'conversation.jsonl')],
    })
    await page.getByText('118 / 118').waitFor()
    for (const name of ['Charts', 'Events', 'Sequence', 'Inbox', 'Open calls', 'Usage']) {
      await page.getByRole('heading', { name, exact: true }).waitFor()
    }
    await page.getByText('Nothing runs and nothing is pending').waitFor()
    // The drawing has every state, and tells windows apart.
    expect(await page.locator('[data-chart="step"] .state').count()).toBeGreaterThan(30)
    expect(await page.locator('[data-state="streaming"][data-window="true"]').count()).toBe(1)
    expect(await page.locator('[data-state="ended"][data-window="false"]').count()).toBe(1)
    expect(await page.locator('[data-state="idle"]').getAttribute('data-lit')).toBe('true')
    expect(asked.filter((address) => !address.startsWith(new URL(viewer.url).origin))).toEqual([])
    expect(await faults()).toEqual([])
    await picture('finished')
  })

  test('search finds events by any word of their payload, and filters hide groups', async () => {
    const { page } = await show({ logs: [join(LOGS, 'conversation.jsonl')] })
    await page.getByText('118 / 118').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('be quick')
    await page.getByText(/^\d+ of 118$/).waitFor()
    const rows = page.locator('#log [role="option"]')
    for (const text of await rows.allTextContents()) expect(text).toContain('Be quick.')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^stream/ }).click()
    await page.getByText('78 of 118').waitFor()
    expect(await rows.filter({ hasText: 'assistant/chunk' }).count()).toBe(0)
  })

  test('the keys travel in time: the whole page shows what was known there', async () => {
    const { page, picture } = await show({ logs: [join(LOGS, 'conversation.jsonl')] })
    await page.getByText('118 / 118').waitFor()
    await page.keyboard.press('Home')
    await page.getByText('0 / 118').waitFor()
    await page.getByText('Before the first event.').waitFor()
    await page.getByText('nothing is pending: it is idle').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    // Right behind turn/start the first message is pending and nothing is claimed.
    await page.locator('[data-state="open.opening"][data-lit="true"]').waitFor()
    await page.locator('#inbox').getByText('Read and write.').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-state="open.claiming"][data-lit="true"]').waitFor()
    await page.locator('#inbox').getByText('Nothing is pending.').waitFor()
    await picture('claiming')
    await page.keyboard.press('l')
    await page.getByText('118 / 118').waitFor()
    expect(await page.locator('[data-state="open.claiming"]').getAttribute('data-lit')).toBe(
      'false',
    )
  })

  test('the slider, a row of the list, an arrow of the sequence and an answer lead to the same place', async () => {
    const { page } = await show({ logs: [join(LOGS, 'conversation.jsonl')] })
    await page.getByText('118 / 118').waitFor()
    const here = async (text: string): Promise<void> => {
      await page.locator('#event header', { hasText: text }).waitFor()
    }
    await page.getByRole('slider').fill('26')
    await here('Event 25')
    await page.locator('#log [role="option"]', { hasText: /^24/ }).click()
    await here('Event 24')
    await page.getByRole('slider').fill('2')
    await page.locator('#exchanges [role="option"]').first().click()
    await here('inbox/inserted')
    await page.keyboard.press('l')
    await page.locator('#kept .source').first().click()
    await here('turn/end')
    expect(await page.getByRole('slider').inputValue()).toBe('115')
  })

  test('two positions are compared: what came, what went, what changed', async () => {
    const { page, picture } = await show({ logs: [join(LOGS, 'conversation.jsonl')] })
    await page.getByText('118 / 118').waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('m')
    await page.getByText('Nothing is different.').waitFor()
    await page.getByRole('slider').fill('27')
    const told = page.locator('#differences li')
    await told.filter({ hasText: 'turn 1 is open' }).waitFor()
    expect(await told.allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringContaining('open: No turn is open → Turn 1, step 1'),
        expect.stringContaining('user: Read and write.'),
        expect.stringContaining('read (called)'),
      ]),
    )
    await picture('differences')
    // The other way round it says what would be undone.
    await page.keyboard.press('m')
    await page.keyboard.press('m')
    await page.getByRole('slider').fill('0')
    await told.filter({ hasText: 'open: Turn 1, step 1 → No turn is open' }).waitFor()
  })

  test('the states of a chart are looked at with the arrow keys, and each says what it is', async () => {
    const { page } = await show({ logs: [join(LOGS, 'conversation.jsonl')] })
    await page.getByText('118 / 118').waitFor()
    await page.getByRole('listbox', { name: 'States of the agent' }).focus()
    await page.keyboard.press('ArrowRight')
    const caption = page.locator('[data-chart="agent"] figcaption')
    await caption.getByText('Waking input may be pending; nothing is announced yet.').waitFor()
    await page.keyboard.press('Tab')
    await caption.getByText('Nothing runs and nothing will start by itself.').waitFor()
    expect(await page.locator('[data-looked="true"]').count()).toBe(0)
  })

  test('a payload that was shortened on its way is loaded when it is asked for', async () => {
    const text = 'so long '.repeat(5000)
    const { page } = await show({ logs: [writeLog([inserted('m1', text)])] })
    await page.getByText('1 / 1', { exact: true }).waitFor()
    const payload = page.getByLabel('Payload')
    expect((await payload.textContent())?.length).toBeLessThan(text.length)
    await page.getByRole('button', { name: 'Load it' }).click()
    await page.getByRole('button', { name: 'Load it' }).waitFor({ state: 'detached' })
    expect(await payload.textContent()).toContain(text)
  })

  test('a file that is replaced is shown anew, and a position of the old one is left', async () => {
    const file = writeLog([inserted('m1', 'the old one'), inserted('m2', 'more')])
    const { page, faults } = await show({ logs: [file] })
    await page.getByText('2 / 2', { exact: true }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('m')
    writeFileSync(file, readFileSync(writeLog([inserted('m3', 'the new one')])))
    await page.getByText('1 / 1', { exact: true }).waitFor()
    await page.locator('#inbox').getByText('the new one').waitFor()
    await page.locator('#why').getByText('“the new one”').waitFor()
    expect(await page.locator('#differences').count()).toBe(0)
    expect(await faults()).toEqual([])
  })
})
