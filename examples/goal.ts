/** A goal that needs three rounds: the agent goes on by itself until a tool says that the goal is reached. */
import { createAgent, createGoals } from 'turnwise'
import { script, scriptedModel } from 'turnwise/testing'

const goals = createGoals({ maxGoalRounds: 10 })
const model = scriptedModel([
  [script.text('One chapter is written.')],
  [script.text('Two chapters are written.')],
  [script.call('c1', 'complete_goal', { reason: 'All three chapters are written.' })],
  [script.text('The book is done.')],
])
const agent = createAgent({ model, tools: goals.tools })
const goal = goals.attach(agent)
agent.listen((notice) => {
  if (notice.type === 'claimed') console.log('round', notice.message.source['round'])
})

goal.set('Write a book of three chapters.')
goal.arm()
await agent.whenIdle()

console.log(goal.state?.phase, goal.state?.started, goal.state?.reason)
await agent.dispose()
