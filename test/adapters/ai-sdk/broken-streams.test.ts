/**
 * Streams that are cut at any byte: never a silent success, and never a second request.
 */
import { describe, expect, it } from 'vitest'
import { hear, type Heard } from '../../support/heard.ts'
import { packagesFor, PACKAGES, type PackageName } from '../../support/provider-models.ts'
import { startProviderServer, type ProviderServer } from '../../support/provider-server.ts'
import {
  furtherRecordings,
  ownRecording,
  ownRecordings,
  type Recording,
} from '../../support/recordings.ts'

/** Requests that are made at the same time where many are needed. */
const ABREAST = 16

/** Plays one thing to many models at once, each on a server of its own. */
async function each<T>(
  items: readonly T[],
  work: (item: T, server: ProviderServer) => Promise<void>,
) {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    const server = await startProviderServer()
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift())
        await work(item, server)
    } finally {
      await server.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(ABREAST, items.length) }, worker))
}

const describeHeard = ({ failure, reason, text, finishes, late }: Heard): string =>
  JSON.stringify({ failure, reason, text, finishes, late })

type How = 'end' | 'break'

const argumentsOf = (calls: readonly { arguments: string }[]): string =>
  JSON.stringify(calls.map((call) => call.arguments))

const isComplete = ({ spoken }: Recording, heard: Heard): boolean =>
  heard.finishes === 1 &&
  heard.text === spoken.text &&
  heard.reason === spoken.reason &&
  argumentsOf(heard.calls) === argumentsOf(spoken.calls)

function faultOfFailure(at: number, saidAt: number, how: How, code: string): string | undefined {
  if (code !== 'TRANSPORT') return 'wrong code'
  // A connection that breaks may take with it what was sent just before.
  return at >= saidAt && how === 'end' ? 'failed though complete' : undefined
}

/** What is wrong with what is heard of a recording that was cut at this byte. */
function faultOf(recording: Recording, at: number, how: How, heard: Heard): string | undefined {
  const { spoken, saidAt } = recording
  if (!spoken.text.startsWith(heard.text)) return 'text is no prefix'
  if (heard.late > 0 || heard.finishes > 1) return 'chunks behind the finish'
  if (heard.failure !== undefined) return faultOfFailure(at, saidAt, how, heard.failure.code)
  return isComplete(recording, heard) && at >= saidAt ? undefined : 'silent success'
}

async function faultsIn(
  name: PackageName,
  recording: Recording,
  positions: readonly number[],
): Promise<string[]> {
  const faults: string[] = []
  // Where the body ends properly the package has to notice; where the connection breaks, fetch does.
  const cuts = positions.flatMap((at, n) => [
    { at, how: 'end' as const },
    ...(n % 8 === 0 ? [{ at, how: 'break' as const }] : []),
  ])
  await each(cuts, async ({ at, how }, server) => {
    server.play({ do: 'cut', bytes: recording.bytes, at, how })
    const before = server.asked.length
    const heard = await hear(PACKAGES[name].make(server.url))
    const fault = faultOf(recording, at, how, heard)
    if (fault !== undefined) faults.push(`${fault}: cut at ${at} (${how}): ${describeHeard(heard)}`)
    if (server.asked.length !== before + 1) faults.push(`not one request for the cut at ${at}`)
  })
  return faults.slice(0, 5)
}

/** Positions spread over a recording, each at another place of its event. */
const sample = (recording: Recording, count: number): number[] => {
  const step = recording.bytes.length / count
  return Array.from({ length: count }, (_, n) => Math.floor(n * step))
}

describe('a stream cut at any byte is a TRANSPORT failure, or complete', () => {
  const small = ['openai-chat.tool-calls', 'openai-responses.text', 'anthropic.greeting'].map(
    ownRecording,
  )
  const cases = small.flatMap((recording) =>
    packagesFor(recording.format).map((name) => ({ name, recording, file: recording.name })),
  )
  it.each(cases)('$name, every byte of $file', { timeout: 60_000 }, async ({ name, recording }) => {
    const positions = Array.from({ length: recording.bytes.length + 1 }, (_, at) => at)
    expect(await faultsIn(name, recording, positions)).toEqual([])
  })

  const rest = ownRecordings().filter(({ name }) => !small.some((known) => known.name === name))
  const others = [...rest, ...(furtherRecordings() ?? [])].flatMap((recording) =>
    packagesFor(recording.format)
      // DeepSeek's package has no word for refusals.
      .filter((name) => name !== 'deepseek' || recording.name !== 'openai-chat.refusal')
      .map((name) => ({ name, recording, file: recording.name })),
  )
  it.each(others)(
    '$name, some bytes of $file',
    { timeout: 60_000 },
    async ({ name, recording }) => {
      expect(await faultsIn(name, recording, sample(recording, 24))).toEqual([])
    },
  )
})
