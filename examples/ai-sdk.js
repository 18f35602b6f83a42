import { createOpenAI } from '@ai-sdk/openai'
import { createAgent } from 'turnwise'
import { fromAiSdk } from 'turnwise/ai-sdk'

const openai = createOpenAI() // reads OPENAI_API_KEY and OPENAI_BASE_URL
const agent = createAgent({ model: fromAiSdk(openai.chat('gpt-5-mini')), retry: true })

const { finalResponse, turns, usage } = await agent.run('Why is the sky blue? One sentence.')
console.log(finalResponse, turns, usage)

await agent.dispose()
