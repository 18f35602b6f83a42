/** Tools: typed arguments, calls side by side, a time limit, a safe repetition, context, and the end of a turn. */
import { createAgent, defineTool } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'
import { z } from 'zod'

const notes = new Map([['plan', 'Rest.']])

const readNote = defineTool({
  name: 'read_note',
  description: 'Reads one note.',
  input: z.object({ title: z.string() }),
  parallel: true,
  repeatable: true,
  timeoutMs: 2000,
  run({ title }, { addContext }) {
    addContext(`There are ${notes.size} notes.`)
    return notes.get(title) ?? `There is no note ${title}.`
  },
})

const writeNote = defineTool({
  name: 'write_note',
  description: 'Writes one note and ends the turn.',
  input: z.object({ title: z.string(), text: z.string() }),
  parallel: ({ title }) => title.startsWith('draft/'),
  run({ title, text }, { signal, concludeTurn }) {
    signal.throwIfAborted()
    notes.set(title, text)
    concludeTurn()
    return { written: title }
  },
})

const model = scriptedModel([
  [script.call('c1', 'read_note', { title: 'plan' })],
  [script.call('c2', 'write_note', { title: 'plan', text: 'Rest more.' })],
])
const agent = createAgent({ model, tools: [readNote, writeNote] })
const { turns } = await agent.run('I am tired, change my plan.')
console.log(turns[0]?.reason.kind, notes.get('plan'), model.requests[1]?.history)
await agent.dispose()
