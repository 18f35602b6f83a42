/**
 * Builds the page as it stands, once for all browser tests, and says so where there is no browser to show it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

/** Debian's; the name differs elsewhere. */
const CHROMIUM = process.env['TURNWISE_CHROMIUM'] ?? '/usr/bin/chromium'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the built page; empty where there is no browser. */
    page: string
    chromium: string
  }
}

/** Runs before the first of them. */
export async function setup(project: TestProject): Promise<() => void> {
  project.provide('chromium', CHROMIUM)
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(
      `The browser tests are skipped: there is no ${CHROMIUM}. Install chromium, or name another one in TURNWISE_CHROMIUM.\n`,
    )
    project.provide('page', '')
    return () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'turnwise-page-'))
  await build({
    configFile: join(import.meta.dirname, '../../page/vite.config.ts'),
    build: { outDir: folder },
  })
  project.provide('page', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
