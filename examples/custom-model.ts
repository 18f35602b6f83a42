/** A model without any package: it has words counted by a tool, and answers from the result. */
import { createAgent, defineTool, ModelError } from 'turnwise'
import type { Chunk, HistoryEntry, Model } from 'turnwise'

function* call(text: string): Iterable<Chunk> {
  yield { kind: 'block-start', block: 0, type: 'tool-call', id: 'call-1', name: 'count_words' }
  yield { kind: 'tool-call-delta', block: 0, text: JSON.stringify({ text }) }
  yield { kind: 'block-end', block: 0 }
  yield { kind: 'finish', reason: 'tool-calls' }
}

function* answer(count: string): Iterable<Chunk> {
  yield { kind: 'block-start', block: 0, type: 'text' }
  for (const text of ['These ', 'are ', count, ' words.'])
    yield { kind: 'text-delta', block: 0, text }
  yield { kind: 'block-end', block: 0 }
  yield { kind: 'usage', usage: { inputTokens: 1, outputTokens: 4 } }
  yield { kind: 'finish', reason: 'stop' }
}

function reply(last: HistoryEntry | undefined): Iterable<Chunk> {
  const block = last?.role === 'tool' ? last.outcome.content[0] : last?.content[0]
  if (block?.type !== 'text') throw new ModelError({ code: 'UNKNOWN', message: 'no text' })
  return last?.role === 'tool' ? answer(block.text) : call(block.text)
}

const counter: Model = {
  provider: 'example',
  modelId: 'counter-1',
  async *stream({ messages }, { signal }) {
    for (const chunk of reply(messages.at(-1))) {
      if (signal.aborted) return
      yield chunk
    }
  },
}

const countWords = defineTool({
  name: 'count_words',
  run: ({ text }) => (typeof text === 'string' ? text.split(' ').length : 0),
})
const agent = createAgent({ model: counter, tools: [countWords] })
console.log((await agent.run('To be or not to be')).finalResponse)
await agent.dispose()
