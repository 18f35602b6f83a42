#!/usr/bin/env node
/**
 * The executable: gives the command the process it runs in, and takes its exit code.
 *
 * It must not end the process by itself: output that is under way would be cut.
 *
 * @module
 */
import process from 'node:process'
import { turnwise } from './turnwise.ts'

process.exitCode = await turnwise(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal: (signal, listener) => {
    process.on(signal, listener)
    return () => {
      process.off(signal, listener)
    }
  },
  exit: (code) => process.exit(code),
})
