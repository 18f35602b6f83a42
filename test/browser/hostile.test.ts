/**
 * A log from anywhere: its texts are shown, never run, and lead nowhere.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inBrowser, show, withBrowser, type Shown } from './browser.ts'
import { HOSTILE, hostileLog, inserted, writeLog } from './logs.ts'

withBrowser()

/** Elements that no text may become. */
const FOREIGN =
  'img, iframe, a, base, meta[http-equiv], object, embed, form, body style, body script, [style*="url"]'

/** What ran, what was stopped by the policy, who else was asked, and which texts became elements: nothing, one hopes. */
async function harmOf({ page, viewer, asked, faults }: Shown): Promise<string[]> {
  const ran = await page.evaluate(() => {
    const { harmed, __hostile: kept } = globalThis as { harmed?: number; __hostile?: number }
    return [harmed, kept].filter((one) => one !== undefined).map((one) => `ran: ${one}`)
  })
  const { origin } = new URL(viewer.url)
  const others = asked.filter((address) => !address.startsWith(`${origin}/`))
  const elements = await page
    .locator(FOREIGN)
    .evaluateAll((found) => found.map((one) => `element: ${one.tagName}`))
  const left = page.url() === viewer.url ? [] : [`left for ${page.url()}`]
  return [...ran, ...others, ...elements, ...left, ...(await faults())]
}

inBrowser('a hostile log', () => {
  test('executes nothing and asks no other address, at every position, in every part of the page', async () => {
    const log = hostileLog()
    const shown = await show({ logs: [writeLog(log)] })
    const { page, picture } = shown
    await page.getByText(`${log.length} / ${log.length}`, { exact: true }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('m')
    await page.evaluate(async (length) => {
      for (let seen = 1; seen <= length; seen += 1) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))
        await new Promise(requestAnimationFrame)
      }
    }, log.length)
    await page.getByText(`${log.length} / ${log.length}`, { exact: true }).waitFor()
    expect(await harmOf(shown)).toEqual([])
    // Every text is there to be read.
    const inbox = await page.locator('#inbox').textContent()
    for (const text of HOSTILE.slice(0, 10)) expect(inbox).toContain(text.slice(0, 30))
    await picture('hostile')
  })

  test('the hostile log that is kept for the tests does no harm either', async () => {
    const kept = join(import.meta.dirname, '../fixtures/viewer/hostile.jsonl')
    const shown = await show({ logs: [kept] })
    const { page } = shown
    await page.locator('#todo').waitFor()
    for (let seen = 0; seen < 30; seen += 1) await page.keyboard.press('ArrowLeft')
    expect(await harmOf(shown)).toEqual([])
  })

  test('a search for markup finds it as text', async () => {
    const log = hostileLog()
    const shown = await show({ logs: [writeLog(log)] })
    const { page } = shown
    await page.getByText(`${log.length} / ${log.length}`, { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('<img')
    await page.getByText(/^\d+ of \d+$/).waitFor()
    expect(await page.locator('#log [role="option"]').count()).toBeGreaterThan(0)
    expect(await harmOf(shown)).toEqual([])
  })

  test('a policy stands behind it: a script that got in all the same would not run', async () => {
    const shown = await show({ logs: [writeLog([inserted('m1', 'hello')])] })
    const { page, faults } = shown
    await page.getByText('1 / 1', { exact: true }).waitFor()
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'globalThis.harmed = 7'
      document.body.append(script)
      const image = document.createElement('img')
      image.src = 'https://evil.example/f.png'
      document.body.append(image)
    })
    await expect
      .poll(faults)
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('policy: script-src-elem'),
          expect.stringContaining('policy: img-src https://evil.example/f.png'),
        ]),
      )
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined()
  })

  test('events of unknown shape are named and passed over, the others are shown', async () => {
    const strange = { type: 'acme/note', data: { text: HOSTILE[0] }, optional: true } as never
    const shown = await show({ logs: [writeLog([inserted('m1', 'hello'), strange])] })
    await shown.page.getByText('2 / 2', { exact: true }).waitFor()
    await shown.page.locator('#log').getByText('acme/note').waitFor()
    expect(await shown.page.locator('#log [role="option"]').count()).toBe(2)
    expect(await harmOf(shown)).toEqual([])
  })
})
