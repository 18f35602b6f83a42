/**
 * Makes the logs beside this file: five agents in trouble, as they leave it in their logs. Real agents, with a scripted
 * model and a virtual clock, so that they come out the same every time. `node examples/logs/make.ts` writes them.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  createFileLog,
  defineTool,
  openFileLog,
  repairLog,
} from 'turnwise'
import {
  script,
  scriptedModel,
  type ScriptItem,
  settle,
  virtualClock,
  type VirtualClock,
} from 'turnwise/testing'

/** 2026-01-01T09:00Z. */
const NINE = Date.UTC(2026, 0, 1, 9)

interface Play {
  readonly agent: Agent
  readonly clock: VirtualClock
  /** Lets everything run that needs no timer, then the time pass. */
  readonly pass: (ms: number) => Promise<void>
}

interface Story {
  readonly model: readonly (readonly ScriptItem[])[]
  readonly options?: AgentOptions
  /** What happens. Whatever is open at its end stays open: the file is what a reader finds then. */
  readonly play: (play: Play) => Promise<void>
  /** What happens to the file when its process is gone. */
  readonly afterwards?: (file: string, clock: VirtualClock) => Promise<void>
}

const search = defineTool({
  name: 'search',
  description: 'Searches the web.',
  run: ({ query }) => (query === 'slow' ? new Promise(() => {}) : 'three pages'),
})
const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys a version to a place.',
  run: () => 'deployed',
})

const STORIES: Readonly<Record<string, Story>> = {
  'stuck-tool': {
    model: [
      [script.call('c1', 'search', { query: 'weather in Ghent' })],
      [script.text('Let me look further. '), script.call('c2', 'search', { query: 'slow' })],
    ],
    async play({ agent, pass }) {
      agent.followup('How is the weather in Ghent, and why?')
      await pass(240_000)
      agent.followup('Are you still there?')
      agent.inject('The user has opened the settings.')
      await pass(60_000)
    },
  },
  'parked-queue': {
    model: [[script.text('The report is '), script.stall()], [script.text('never asked')]],
    async play({ agent, pass }) {
      agent.followup('Write the report.')
      await pass(2000)
      agent.followup('Then translate it.')
      agent.followup('Then send it.')
      await pass(3000)
      agent.cancel({ kind: 'user', by: 'stop button' }, { keepInbox: true })
      await agent.whenIdle()
      agent.inject('The user has left.')
      await pass(0)
    },
  },
  'cancelled-in-window': {
    model: [[script.text('Once upon a time there was an agent that '), script.stall()]],
    async play({ agent, pass }) {
      agent.followup('Tell me a story.')
      await pass(1500)
      agent.followup('And a second one.')
      agent.steer('Make it short.')
      await pass(500)
      agent.cancel({ kind: 'user', by: 'stop button' })
      await agent.whenIdle()
    },
  },
  'crash-repaired': {
    model: [
      [
        script.text('I deploy it now. '),
        script.call('c1', 'deploy', { version: 7 }),
        script.call('c2', 'deploy', { version: 8 }),
      ],
    ],
    options: { dispatch: () => new Promise(() => {}) },
    async play({ agent, pass }) {
      agent.followup('Deploy versions 7 and 8.')
      await pass(4000)
      agent.steer('Begin with the test system.')
      await pass(1000)
    },
    async afterwards(file, clock) {
      const log = await openFileLog(file, { durability: 'none' })
      repairLog(log)
      await clock.advance(60_000)
      await createAgent({ log, clock, model: scriptedModel([]) }).dispose({ keepInbox: true })
    },
  },
  'approval-waiting': {
    model: [
      [
        script.text('Both are ready. '),
        script.call('c1', 'deploy', { version: 7, place: 'production' }),
        script.call('c2', 'search', { query: 'status page' }),
      ],
    ],
    options: {
      gates: {
        toolPre: ({ tool }) =>
          tool === 'deploy' ? { kind: 'ask', prompt: 'Deploy to production?' } : { kind: 'allow' },
      },
    },
    async play({ agent, pass }) {
      agent.followup('Deploy version 7.')
      await pass(30_000)
      agent.followup('And tell everybody.')
      await pass(90_000)
    },
  },
}

/** The names of the logs. */
export const NAMES = Object.keys(STORIES)

/** Makes one log. @returns its text */
export async function makeLog(name: string): Promise<string> {
  const story = STORIES[name]
  if (story === undefined) throw new Error(`there is no story ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'turnwise-logs-'))
  try {
    const clock = virtualClock({ now: NINE })
    const file = join(folder, `${name}.jsonl`)
    const log = await createFileLog(file, { durability: 'none', header: { createdAt: NINE } })
    let messages = 0
    const agent = createAgent({
      ...story.options,
      log,
      clock,
      // Nothing waits for the disk: it would take its own time.
      durability: 'none',
      model: scriptedModel(story.model, { clock }),
      tools: [search, deploy],
      ids: () => `m${(messages += 1)}`,
    })
    await story.play({
      agent,
      clock,
      pass: async (ms) => {
        await settle(10)
        await clock.advance(ms)
      },
    })
    await log.flush()
    // What a process leaves behind that ends here.
    const text = await readFile(file)
    const gone = agent.dispose()
    // The grace of what does not listen.
    await clock.advance(60_000)
    await gone
    await writeFile(file, text)
    await story.afterwards?.(file, clock)
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of NAMES) {
    await writeFile(new URL(`${name}.jsonl`, import.meta.url), await makeLog(name))
    console.log(`${name}.jsonl`)
  }
}
