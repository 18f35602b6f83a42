/**
 * One process, one tier: explores whatever library it was given and prints what it found as JSON, first finding only.
 *
 * A fault may leave rejections behind that nobody handles, or stop the process altogether: those are findings too.
 *
 * @module
 */
import { Worker } from 'node:worker_threads'
import type { TierName } from './tier-names.ts'
import { TIERS } from './tiers.ts'

const name = process.argv[2] as TierName

function say(found: string | undefined): never {
  const line = found?.split('\n')[0]?.slice(0, 200)
  process.stdout.write(`${JSON.stringify({ found: line ?? null })}\n`)
  process.exit(0)
}

const caught = (error: unknown): never =>
  say(`uncaught: ${error instanceof Error ? error.message : String(error)}`)

process.on('uncaughtException', caught)
process.on('unhandledRejection', caught)
// Whoever waits for something that will never come leaves an empty event loop.
process.on('beforeExit', () => {
  say('nothing is left that could go on')
})
new Worker(new URL('watchdog.ts', import.meta.url)).unref()

try {
  say(await TIERS[name]())
} catch (error) {
  caught(error)
}
