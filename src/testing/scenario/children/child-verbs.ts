/**
 * Moments and commands of cases about children.
 *
 * @module
 */
import type { StandardSchema } from '../../../actors/tool.port.ts'
import { deliverBackground } from '../../../sessions/children/background.ts'
import { count, quotedIn } from '../phrase.ts'
import { macrotask } from '../../virtual-clock.ts'
import type { Family } from './family.ts'

/** A schema that takes any value. */
const ANY: StandardSchema = {
  '~standard': { version: 1, vendor: 'scenario', validate: (value) => ({ value }) },
}
const OBJECT = { type: 'object' }

type Act = (family: Family, hit: RegExpExecArray) => unknown
type Rule = readonly [RegExp, Act]

/** Moments at which the child is at work: it is started if nothing has started it. */
async function working(family: Family, test: () => boolean): Promise<boolean> {
  if (family.run === undefined) {
    if (family.spawns) family.parent.followup('P')
    else await family.start()
  }
  return family.until(test)
}

const MOMENTS: readonly (readonly [RegExp, (family: Family) => boolean | Promise<boolean>])[] = [
  [/^(?:the )?child (?:is )?streaming$|^model streaming$/, (f) => working(f, () => f.streaming)],
  [
    /^(?:the )?gate (?:is )?waiting$/,
    (f) => working(f, () => f.order.includes('child inbox/claimed')),
  ],
  [
    /^(?:in(?:side)? )?(?:the )?(?:created|publication) (?:notification|listener)$|^after publication$/,
    (f) => {
      f.atPublication = true
      return true
    },
  ],
  [/^(?:parent at max depth)$/, (f) => f.deepen()],
  [
    /^(?:the )?child settles$|^(?:idle|none|variants?|host|parent|parent tool|owner idle)$/,
    () => true,
  ],
]

/** Waits for the moment of a command. @returns whether it came; undefined for one that nobody knows. */
export async function waitFor(family: Family, when: string): Promise<boolean | undefined> {
  const moment = MOMENTS.find(([pattern]) => pattern.test(when.trim()))
  return moment === undefined ? undefined : moment[1](family)
}

/** The child settles while its parent is busy, idle, or being disposed. */
async function settling(family: Family, state: string): Promise<void> {
  const { parent } = family
  if (state === 'busy') parent.followup('P')
  await family.start({ continuable: true })
  const disposal = state === 'being disposed' ? parent.dispose() : undefined
  await family.run?.result
  await disposal
}

async function background(family: Family, jobs: number): Promise<void> {
  for (let n = 1; n <= jobs; n += 1) {
    deliverBackground(family.parent, { sender: `job${n}`, content: `job ${n} is done` })
    await family.settled(family.parent.whenIdle())
  }
}

const VERBS: readonly Rule[] = [
  [
    /^start with an aborted signal$/,
    (f) => f.start({ signal: AbortSignal.abort(new Error('aborted')) }),
  ],
  [
    /^start whose signal aborts during setup$/,
    (f) =>
      f.start({
        setup: async () => {
          f.stop.abort(new Error('aborted'))
          await macrotask()
        },
      }),
  ],
  [
    /^starts? (?:a |the )?child(?: with prompt .+)?$/,
    (f, [text]) => f.start({ prompt: quotedIn(text)[0] ?? 'A' }),
  ],
  [
    /^starts? (?:a |the )?child with (?:a )?schema$/,
    (f) => f.start({ output: ANY, outputParameters: OBJECT }),
  ],
  [
    /^fork a parent that already has assistant text$/,
    async (f) => {
      await f.parent.run('P')
      await f.registry.fork('parent', { id: 'copy' })
    },
  ],
  [/^start a child on that copy$/, (f) => f.start({ session: 'copy' })],
  [/^await (?:the )?result$/, (f) => f.settled(f.run?.result ?? Promise.resolve())],
  [/^(?:run\.)?dispose(?:\(\))?$/, (f) => f.settled(f.run?.dispose() ?? Promise.resolve())],
  [
    /^abort (?:the )?signal$/,
    (f) => {
      if (f.atPublication) return f.startStopped()
      f.stop.abort(new Error('aborted'))
      return undefined
    },
  ],
  [/^cancel (?:the )?parent(?: with cause user)?$/, (f) => f.parent.cancel('user')],
  [/^cancel (?:the )?child(?: only)?$/, (f) => f.run?.agent.cancel('user')],
  [/^dispose (?:the )?parent$/, (f) => f.settled(f.parent.dispose())],
  [/^while the parent is (busy|idle|being disposed)$/, (f, [, state = '']) => settling(f, state)],
  [/^(\w+) background jobs finish\b.*$/, (f, [, jobs = '']) => background(f, count(jobs))],
  [/^parent changes its model right after start$/, (f) => f.startWhileChanging()],
]

/** Performs one command. @returns whether it was understood. */
export async function perform(family: Family, text: string): Promise<boolean> {
  for (const [pattern, act] of VERBS) {
    const hit = pattern.exec(text.trim())
    if (hit === null) continue
    await act(family, hit)
    return true
  }
  return false
}
