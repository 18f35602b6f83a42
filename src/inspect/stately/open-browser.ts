/**
 * Opens an address in the browser of this machine. Only where somebody asked for it.
 *
 * @module
 */
import { spawn } from 'node:child_process'

const OPENERS: { readonly [platform: string]: readonly [command: string, ...words: string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Starts the browser; a machine without one changes nothing. */
export function openBrowser(url: string): void {
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
