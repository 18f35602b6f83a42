/**
 * The real provider packages against recorded streams over HTTP: what was recorded is what is heard.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear } from '../../support/heard.ts'
import { packagesFor, PACKAGES, type PackageName } from '../../support/provider-models.ts'
import { startProviderServer, type ProviderServer } from '../../support/provider-server.ts'
import {
  furtherRecordings,
  FURTHER,
  ownRecordings,
  type Recording,
} from '../../support/recordings.ts'

let server: ProviderServer
beforeAll(async () => {
  server = await startProviderServer()
})
afterAll(async () => {
  await server.close()
})

/** Packages that show reasoning of the wire format. */
const SHOWS_REASONING: ReadonlySet<PackageName> = new Set<PackageName>([
  'openai-compatible',
  'deepseek',
  'openai-responses',
  'anthropic',
])

/** What is heard of one recording, and what should be. */
async function compared(name: PackageName, { bytes, spoken }: Recording) {
  server.play({ do: 'send', bytes })
  const { text, reasoning, calls, reason, usage, failure, finishes, late } = await hear(
    PACKAGES[name].make(server.url),
  )
  return {
    heard: { text, reasoning, calls, reason, usage, failure, finishes, late },
    expected: {
      text: spoken.text,
      reasoning: SHOWS_REASONING.has(name) ? spoken.reasoning : '',
      calls: spoken.calls.map((call) => ({ ...call, ended: true })),
      reason: spoken.reason,
      usage: spoken.usage,
      failure: undefined,
      finishes: 1,
      late: 0,
    },
  }
}

/** DeepSeek's package has no word for refusals, and counts cached tokens by a field that only DeepSeek has. */
const NOT_FOR_DEEPSEEK = ['openai-chat.refusal', 'openai-chat.xai-tool-call']

const cases = (recordings: readonly Recording[]) =>
  recordings.flatMap((recording) =>
    packagesFor(recording.format)
      .filter((name) => name !== 'deepseek' || !NOT_FOR_DEEPSEEK.includes(recording.name))
      .map((name) => ({ name, recording, file: recording.name })),
  )

describe('own recordings', () => {
  it.each(cases(ownRecordings()))('$name hears all of $file', async ({ name, recording }) => {
    const { heard, expected } = await compared(name, recording)
    expect(heard).toEqual(expected)
  })
})

const further = furtherRecordings()
/** Stands in for recordings that are not there, so that a notice is shown. */
const missing = cases(ownRecordings().slice(0, 1)).map((own) => ({
  ...own,
  file: `${FURTHER}, which does not exist`,
}))

describe.skipIf(further === undefined)('further recordings', () => {
  it.each(further === undefined ? missing : cases(further))(
    '$name hears all of $file',
    async ({ name, recording }) => {
      const { heard, expected } = await compared(name, recording)
      expect(heard).toEqual(expected)
    },
  )
})
