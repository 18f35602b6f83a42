/**
 * A piece of work from the first quiescence to the disposal of its agent, with its report and its exit code.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import { type Answer, succeeded } from './answer.ts'
import { Interrupts } from './interrupts.ts'
import type { Report } from './reports.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Does `work` with the agent, reports it, and suspends the agent. */
export async function conduct(
  agent: Agent,
  work: () => Promise<Answer>,
  report: Report,
  at: Surroundings,
): Promise<ExitCode> {
  const interrupts = new Interrupts(agent, at)
  try {
    report.begin(agent)
    const result = await work()
    await agent.log.flush()
    // Nobody reads on: there is nobody to tell.
    if (interrupts.exitCode !== EXIT.pipeClosed) await report.end(result)
    await written(at.stdout)
    await agent.dispose({ keepInbox: true })
    if (interrupts.outputFault !== undefined) throw interrupts.outputFault
    return interrupts.exitCode ?? (succeeded(result) ? EXIT.ok : EXIT.failed)
  } finally {
    interrupts.end()
  }
}

/** Waits until everything was written, or could not be: only then is it known whether the output failed. */
export const written = (out: Surroundings['stdout']): Promise<void> =>
  new Promise((done) => {
    out.write('', () => {
      // The error event comes behind this callback.
      setImmediate(done)
    })
  })
