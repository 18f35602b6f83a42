/**
 * A log of 100,000 events stays smooth: what a scroll or a move of the slider shows is painted within 100 ms.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, show, withBrowser } from './browser.ts'
import { longLog, writeLog } from './logs.ts'

const EVENTS = 100_000
/** ms from an input to the paint of what it shows. */
const ALLOWED = 100

withBrowser()

/**
 * Moves or scrolls again and again, all over the log.
 *
 * @returns ms from each input to the task behind the frame that shows it
 */
async function measured(page: Page, what: 'move' | 'scroll'): Promise<number[]> {
  return page.evaluate(async (kind) => {
    const slider = document.querySelector<HTMLInputElement>('#slider')
    const list = document.querySelector<HTMLElement>('#log')
    if (slider === null || list === null) throw new Error('the page is not there')
    const { port1, port2 } = new MessageChannel()
    port1.start()
    // The task behind the frame.
    const painted = () =>
      new Promise<void>((resolve) => {
        port1.addEventListener('message', () => resolve(), { once: true })
        requestAnimationFrame(() => port2.postMessage(null))
      })
    const taken: number[] = []
    for (let index = 1; index <= 40; index += 1) {
      // Far jumps and near ones, forwards and backwards.
      const share = ((index * 0.618) % 1) * (index % 4 === 0 ? 0.01 : 1)
      const start = performance.now()
      if (kind === 'move') {
        slider.valueAsNumber = Math.round(share * Number(slider.max))
        slider.dispatchEvent(new Event('input', { bubbles: true }))
      } else list.scrollTop = Math.round(share * (list.scrollHeight - list.clientHeight))
      await painted()
      taken.push(performance.now() - start)
    }
    return taken
  }, what)
}

/**
 * The slowest of 40 inputs, each at its fastest of some rounds: a machine that is busy with something else holds up one
 * input or another, a page that is slow holds up the same one each time.
 */
async function slowest(page: Page, what: 'move' | 'scroll'): Promise<number> {
  let fastest: number[] = []
  for (let round = 0; round < 8; round += 1) {
    const times = await measured(page, what)
    fastest = times.map((time, index) => Math.min(time, fastest[index] ?? time))
    if (Math.max(...fastest) < ALLOWED) break
  }
  return Math.max(...fastest)
}

inBrowser(`a log of ${EVENTS} events`, () => {
  test('is moved through and scrolled within 100 ms a paint, searched without a halt, with few rows in the page', async () => {
    const log = writeLog(longLog(EVENTS))
    const { page, faults, picture } = await show({ logs: [log] })
    const all = EVENTS.toLocaleString('en-US')
    await page.getByText(`${all} / ${all}`).waitFor({ timeout: 60_000 })

    expect(await slowest(page, 'move')).toBeLessThan(ALLOWED)
    expect(await slowest(page, 'scroll')).toBeLessThan(ALLOWED)
    // What was moved to is shown, and the list holds what is in sight.
    await page.getByRole('slider').fill('50000')
    await page.locator('#event header', { hasText: 'Event 49999' }).waitFor()
    expect(await page.locator('#log [role="option"]').count()).toBeLessThan(80)
    expect(await page.locator('#exchanges [role="option"]').count()).toBeLessThan(80)

    await page.keyboard.press('/')
    await page.keyboard.type('question 1234,')
    await page.getByText(/^\d of 100,000$/).waitFor()
    await page.locator('#log').getByText('Question 1234,').first().waitFor()
    expect(await faults()).toEqual([])
    await picture('long-log')
  }, 120_000)
})
