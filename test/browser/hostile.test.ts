/**
 * A log from anywhere: its texts are shown, never run, and lead nowhere.
 */
import { expect, test } from 'vitest'
import { inBrowser, show, withBrowser, type Shown } from './browser.ts'
import { HOSTILE, hostileLog, inserted, writeLog } from './logs.ts'

withBrowser()

/** Nothing ran, nothing was stopped, nobody else was asked, and no text became an element. */
async function expectUnharmed({ page, viewer, asked, faults }: Shown): Promise<void> {
  expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined()
  const { origin } = new URL(viewer.url)
  expect(asked.filter((address) => !address.startsWith(`${origin}/`))).toEqual([])
  expect(await faults()).toEqual([])
  const foreign =
    'img, iframe, a, base, meta[http-equiv], object, embed, form, body style, body script'
  expect(await page.locator(foreign).count()).toBe(0)
  expect(page.url()).toBe(viewer.url)
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
    await expectUnharmed(shown)
    // Every text is there to be read.
    const inbox = await page.locator('#inbox').textContent()
    for (const text of HOSTILE.slice(0, 10)) expect(inbox).toContain(text.slice(0, 30))
    await picture('hostile')
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
    await expectUnharmed(shown)
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
    await expectUnharmed(shown)
  })
})
