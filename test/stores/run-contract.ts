/**
 * Runs the contract of logs under vitest.
 *
 * @module
 */
import { describe, it } from 'vitest'
import { logContract } from '../../src/testing/log-contract.ts'
import type { LogSubject } from '../../src/testing/log-contract.ts'

/** 100,000 events take a while where each page of them is made durable. */
const TIMEOUT_MS = 120_000

/** Cases that do not apply to this kind of log are left out; those that this machine cannot try say so. */
export function runContract(name: string, subject: LogSubject): void {
  describe(`${name}: contract`, () => {
    for (const rule of logContract(subject)) {
      if (rule.skip !== undefined) continue
      // oxlint-disable-next-line vitest/expect-expect -- the rule asserts
      it(
        rule.name,
        async (context) => {
          const reason = await rule.run()
          if (reason !== undefined) context.skip(reason)
        },
        TIMEOUT_MS,
      )
    }
  })
}
