import assert from 'node:assert/strict'
import { explore } from 'turnwise/testing'

/** Asks before a file is removed, and not again once somebody has allowed it. */
function policy({ remembersWhen }) {
  let allowed = false
  return async ({ tool, call }, next) => {
    if (tool !== 'remove_file' || allowed) return next()
    if (remembersWhen === 'asking') allowed = true
    return { kind: 'ask', prompt: `May ${call.key} remove it?` }
  }
}

const options = (remembersWhen) => ({
  // Made anew for every run. What the hands decide is tried in every way and at every moment.
  agent: ({ decide }) => ({
    tools: [
      {
        name: 'remove_file',
        run: (_, { signal }) =>
          decide('remove_file', { ok: 'removed', fails: new Error('locked') }, { signal }),
      },
    ],
    gates: { toolPre: policy({ remembersWhen }) },
  }),
  model: ['text "done"', { say: 'call c1 remove_file', times: 2 }],
  budgets: { followup: 1, steer: 1, cancel: 1, dispose: 1, inside: 1 },
  // A rule of your own, judged by the log: nothing is removed unless somebody said yes to that very call.
  invariants: {
    'removed-unasked': ({ log, record }) => {
      const answers = log.filter(({ type }) => type === 'approval/decided').map(({ data }) => data)
      const allowed = (key) =>
        answers.some(({ call, answer }) => call.key === key && answer === 'allow')
      const ran = record.bodies.find(({ key }) => !allowed(key))
      return ran && `the body of ${ran.key} ran, and nobody had allowed it`
    },
  },
})

const broken = await explore({ ...options('asking'), maxStates: 2000 })
const [{ moves, test, diagram }] = broken.counterexamples
assert.deepEqual(moves.at(-1), { settle: 'model', answer: 'call c1 remove_file' })
console.log(`${test}\n${diagram}`)

const sound = await explore({ ...options('never'), maxStates: 250 })
assert.deepEqual(sound.counterexamples, [])
console.log(`${sound.states} states, ${sound.moves} moves, no breach`)
