/** A tool set of your own at every moment of a run: on the disk is what the log says was saved. */
import { createAgent, defineTool } from 'turnwise'
import { describePaths, extendModel, lifecycle, lifecycleModel, script } from 'turnwise/testing'
import { describe, test } from 'vitest'

let disk: string[] = []
const model = extendModel(lifecycleModel, {
  agent(stage) {
    disk = []
    const save = defineTool({
      name: 'save',
      async run(_, { call, signal }) {
        await stage.hold('disk', signal) // until a move says that it is ready, or a cancel comes
        disk.push(call.key)
      },
    })
    return createAgent({ ...stage.options, tools: [save] })
  },
  moves: {
    'model saves': (stage) => stage.says(script.call('c1', 'save')),
    'disk is ready': (stage) => stage.settle('disk'),
  },
  on: { streaming: { 'model saves': 'saving' } },
  states: {
    saving: {
      like: 'asking', // a cancel ends the turn at once
      waits: 'disk',
      seen: ({ waits }) => waits.includes('disk'),
      on: { 'disk is ready': lifecycle.follows.owing },
    },
  },
  check({ log }) {
    const saved = log.filter((e) => e.type === 'tool/result' && e.data.outcome.kind === 'ok')
    return saved.length === disk.length ? [] : `${saved.length} were saved, ${disk.length} written`
  },
})
describePaths(model, { describe, test, only: ['saving'] })
