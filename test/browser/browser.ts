/**
 * A real browser in front of a real viewer: what tests open, look at and watch.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, inject, onTestFinished } from 'vitest'
import { serveViewer, type Viewer, type ViewerOptions } from 'turnwise/inspect'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const page = inject('page')

/** Where pictures are kept for whoever wants to look; outside the project, and only if it is said where. */
const pictures = process.env['TURNWISE_SCREENSHOTS']

/** Tests that need a browser. They are skipped where there is none, and only there. */
export const inBrowser = page === '' ? describe.skip : describe

let browser: Browser | undefined

/** Starts the browser of this file, and ends it. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (page === '') return
    browser = await chromium.launch({ executablePath: inject('chromium'), args: ARGUMENTS })
  })
  afterAll(async () => {
    await browser?.close()
  })
}

/** A page that is shown, and everything it did that a page of ours must not do. */
export interface Shown {
  readonly page: Page
  readonly viewer: Viewer
  /** Addresses that it asked for. */
  readonly asked: readonly string[]
  /** What the policy stopped, what was thrown, what was written to the console as an error. */
  readonly faults: () => Promise<readonly string[]>
  /** Keeps a picture under this name. */
  readonly picture: (name: string) => Promise<void>
}

/** Opens a viewer, which is closed when the test is over. */
export async function open(options: ViewerOptions): Promise<Viewer> {
  const viewer = await serveViewer({ page, ...options })
  onTestFinished(() => viewer.close())
  return viewer
}

/** Opens a viewer and shows its page. Both are closed when the test is over. */
export async function show(
  options: ViewerOptions,
  context: BrowserContextOptions = {},
): Promise<Shown> {
  const viewer = await open(options)
  if (browser === undefined) throw new Error('withBrowser() was not called in this file')
  const opened = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...context,
  })
  onTestFinished(() => opened.close())
  opened.setDefaultTimeout(10_000)
  const shown = await opened.newPage()
  const asked: string[] = []
  const heard: string[] = []
  opened.on('request', (request) => asked.push(request.url()))
  shown.on('pageerror', (error) => heard.push(`thrown: ${error.message}`))
  shown.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  shown.on('console', (message) => {
    if (message.type() === 'error') heard.push(`console: ${message.text()}`)
  })
  await shown.addInitScript(() => {
    const stopped: string[] = []
    Object.assign(globalThis, { stopped })
    document.addEventListener('securitypolicyviolation', (event) => {
      stopped.push(`policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  await shown.goto(viewer.url)
  return {
    page: shown,
    viewer,
    asked,
    faults: async () => [
      ...heard,
      ...(await shown.evaluate(() => (globalThis as unknown as { stopped: string[] }).stopped)),
    ],
    picture: async (name) => {
      if (pictures === undefined) return
      mkdirSync(pictures, { recursive: true })
      await shown.screenshot({ path: join(pictures, `${name}.png`) })
    },
  }
}
