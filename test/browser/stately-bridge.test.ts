/**
 * The page that hands a run to Stately's inspector, in a real browser; a stand-in takes the inspector's place.
 */
import { chromium } from 'playwright-core'
import { createAgent } from 'turnwise'
import { inspectWithStately } from 'turnwise/inspect'
import { script, scriptedModel } from 'turnwise/testing'
import { expect, inject, it, onTestFinished } from 'vitest'
import { inBrowser } from './browser.ts'

/** Says that it is there, as the inspector does, and keeps the types of what it is told in its title. */
const INSPECTOR = `<title>got</title><script>
  onmessage = ({ data }) => (document.title += ' ' + data.type)
  parent.postMessage({ type: '@statelyai.connected' }, '*')
</script>`

inBrowser('the bridge to the inspector', () => {
  it('hands over what happened and what happens, and asks for nothing but the inspector', async () => {
    const browser = await chromium.launch({
      executablePath: inject('chromium'),
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    })
    onTestFinished(() => browser.close())
    const stately = await inspectWithStately({ server: true })
    onTestFinished(() => stately.stop())
    const model = scriptedModel([[script.text('one')]])
    const agent = createAgent({ model, inspect: stately.inspect })
    await agent.run('hello')

    const context = await browser.newContext()
    const asked: string[] = []
    const faults: string[] = []
    await context.route(/^https:/, async (route) => {
      asked.push(route.request().url())
      await route.fulfill({ contentType: 'text/html', body: INSPECTOR })
    })
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => faults.push(message.text()))
    await page.goto(stately.page ?? '')
    const frame = page.frames()[1]
    await frame?.waitForFunction('document.title.includes("@xstate.snapshot")')
    expect(await frame?.title()).toMatch(/^got(?: @xstate\.actor){3} @xstate\.event/)

    const before = (await frame?.title())?.length ?? 0
    await agent.dispose()
    await frame?.waitForFunction(`document.title.length > ${before}`)
    expect(asked).toEqual(['https://stately.ai/inspect'])
    expect(faults).toEqual([])
  })
})
