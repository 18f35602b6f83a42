/** Paths are plain data: no test runner is needed to walk them. */
import { lifecycleModel, pathsOf, printCounterexample, runPath } from 'turnwise/testing'

const paths = pathsOf(lifecycleModel, { only: ['cancel, keep'] })
for (const path of paths) {
  const run = await runPath(lifecycleModel, path)
  if (!run.ok) throw new Error(printCounterexample(run).join('\n'))
}
console.log(`a cancel that keeps the queue does what the model says, at ${paths.length} moments`)
