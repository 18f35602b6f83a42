/** A model without any package: it has words counted by a tool, and answers from the result. */
import { createAgent, defineTool, ModelError, type Model } from 'turnwise'

const counter: Model = {
  provider: 'example',
  modelId: 'counter-1',
  async *stream({ messages }, { signal }) {
    const last = messages.at(-1)
    const block = last?.role === 'tool' ? last.outcome.content[0] : last?.content[0]
    if (block?.type !== 'text')
      throw new ModelError({ code: 'UNKNOWN', message: 'only text is read' })
    if (last?.role === 'user') {
      yield { kind: 'block-start', block: 0, type: 'tool-call', id: 'call-1', name: 'count_words' }
      yield { kind: 'tool-call-delta', block: 0, text: JSON.stringify({ text: block.text }) }
      yield { kind: 'block-end', block: 0 }
    } else {
      yield { kind: 'block-start', block: 0, type: 'text' }
      for (const word of ['These ', 'are ', block.text, ' words.']) {
        if (signal.aborted) return
        yield { kind: 'text-delta', block: 0, text: word }
      }
      yield { kind: 'block-end', block: 0 }
    }
    yield { kind: 'usage', usage: { inputTokens: block.text.length, outputTokens: 4 } }
    yield { kind: 'finish', reason: last?.role === 'user' ? 'tool-calls' : 'stop' }
  },
}

const countWords = defineTool({
  name: 'count_words',
  run: ({ text }) => String(String(text).split(' ').length),
})
const agent = createAgent({ model: counter, tools: [countWords] })
console.log((await agent.run('To be or not to be')).finalResponse)
await agent.dispose()
