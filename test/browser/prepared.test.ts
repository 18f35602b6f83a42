/**
 * Five agents in trouble: the page alone answers where each is, why it is not idle, what was lost or kept, what to do.
 *
 * The checklist of a log is what somebody who knows nothing of it must be able to read from the page.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, show, withBrowser } from './browser.ts'

const LOGS = join(import.meta.dirname, '../../examples/logs')

withBrowser()

interface Checklist {
  /** States that must be lit. */
  readonly lit: readonly string[]
  readonly where: readonly string[]
  readonly why: readonly string[]
  readonly kept: readonly string[]
  readonly todo: readonly string[]
  /** Other parts of the page that must say something, by their id. */
  readonly parts: Readonly<Record<string, readonly string[]>>
}

const CHECKLISTS: Readonly<Record<string, Checklist>> = {
  'stuck-tool': {
    lit: ['running.turning', 'open.stepping', 'calling.running'],
    where: ['Turn 1, step 2', 'calling.running'],
    why: [
      'Turn 1 has been open',
      'Tool “search” (call “c2”) of step 1.2',
      'No process has this log open',
      '“Are you still there?”',
    ],
    kept: ['The last turn has not ended.'],
    todo: ['turnwise doctor --repair', 'Check what it did before it is repeated'],
    parts: {
      calls: ['called', 'search', '{"query":"slow"}'],
      inbox: ['queued', 'Are you still there?', 'context', 'The user has opened the settings.'],
      budgets: ['steps', '2'],
    },
  },
  'parked-queue': {
    lit: ['idle'],
    where: ['No turn is open', 'idle'],
    why: [
      'it is idle',
      '2 messages (“Then translate it.”, “Then send it.”) are parked by a cancel that kept the inbox',
    ],
    kept: ['Turn 1 was aborted (user)', 'The answer as far as it was seen', '“Write the report.”'],
    todo: ['Send a waking message (followup or steer)', 'resume the session with wake'],
    parts: {
      inbox: ['parked: cancel', 'Then translate it.', 'Then send it.', 'The user has left.'],
      calls: ['No call is open.'],
    },
  },
  'cancelled-in-window': {
    lit: ['idle'],
    where: ['No turn is open'],
    why: ['Nothing runs and nothing is pending'],
    kept: [
      'Turn 1 was aborted (user) in window W12 (while the model streamed)',
      'kept',
      'Once upon a time',
      'lost',
      '“Make it short.”',
      '“And a second one.”',
    ],
    todo: ['Send again what is still wanted.'],
    parts: { inbox: ['Nothing is pending.'], usage: ['aborted by user'] },
  },
  'crash-repaired': {
    lit: ['idle'],
    where: ['No turn is open'],
    why: ['it is idle', '“Begin with the test system.”'],
    kept: [
      'Turn 1 was interrupted',
      'unsure',
      'Tool “deploy”',
      'its outcome is unknown (OUTCOME_UNKNOWN)',
      'never ran (NOT_STARTED)',
      '“Deploy versions 7 and 8.”',
    ],
    todo: ['Check what its calls did before you send again.', 'It is safe to call it again.'],
    parts: { inbox: ['Begin with the test system.'], usage: ['interrupted'] },
  },
  'approval-waiting': {
    lit: ['running.turning', 'open.stepping', 'calling.approving'],
    where: ['Turn 1, step 1', 'calling.approving', 'W17'],
    why: [
      'Tool “deploy” (call “c1”) of step 1.1 has been waiting for an approval',
      'Tool “search” (call “c2”) of step 1.1 has not started',
      '“And tell everybody.”',
    ],
    kept: ['The last turn has not ended.'],
    todo: ['Approve or deny it', 'A cancel closes the question'],
    parts: {
      approvals: ['May deploy run?', 'Deploy to production?', '"place": "production"'],
      inbox: ['queued', 'And tell everybody.'],
    },
  },
}

inBrowser('the page answers for itself', () => {
  test.each(Object.entries(CHECKLISTS))(
    '%s',
    async (name, { lit, where, why, kept, todo, parts }) => {
      const { page, faults, picture } = await show({ logs: [join(LOGS, `${name}.jsonl`)] })
      await page.locator('#todo').waitFor()
      const shown = await page
        .locator('[data-lit="true"]')
        .evaluateAll((states) => states.map((state) => state.getAttribute('data-state')))
      expect(shown).toEqual(expect.arrayContaining([...lit]))
      for (const [part, lines] of Object.entries({ where, why, kept, todo, ...parts })) {
        const text = await page.locator(`#${part}`).innerText()
        expect({ part, unsaid: lines.filter((line) => !text.includes(line)), text }).toMatchObject({
          unsaid: [],
        })
      }
      // The answers are seen without scrolling the page.
      expect(await bottomOf(page, '#answer')).toBeLessThan(600)
      expect(await faults()).toEqual([])
      await picture(`prepared-${name}`)
    },
  )
})

async function bottomOf(page: Page, part: string): Promise<number> {
  const box = await page.locator(part).boundingBox()
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height
}
