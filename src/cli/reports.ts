/**
 * The three ways in which a run is shown.
 *
 * @module
 */
import { relative } from 'node:path'
import type { Agent } from '../actors/agent-handle.ts'
import { type Answer, faultsOf, textOf } from './answer.ts'
import { oneLine, printable } from './live/printable.ts'
import { JsonLines } from './json-lines.ts'
import { LiveView } from './live/live-view.ts'
import { showResult } from './live/run-summary.ts'
import { type Canvas, Screen } from './live/screen.ts'
import { plural } from './offline/words.ts'
import type { Surroundings } from './surroundings.ts'

/** What is known before a run starts. */
export interface RunHead {
  readonly version: string
  readonly model: string
  readonly folder: string
  readonly prompt: string
  readonly logFile: string
  /** Events that were stored before this call; 0 for a new session. What comes behind them is shown. */
  readonly stored: number
}

/** Shows one run. */
export interface Report {
  /** Called before anything happens; watches the agent from there on. */
  begin(agent: Agent): void
  /** Called once everything is durable. */
  end(result: Answer): Promise<void>
}

/** The live view, then the RunResult. */
export function liveReport(at: Surroundings, head: RunHead): Report {
  const screen = new Screen(at.stdout, at.env)
  const logFile = shortPath(at.cwd, head.logFile)
  return {
    begin(agent) {
      showHead(screen, head, agent.id, at.cwd)
      screen.line(screen.paint('bold', `> ${oneLine(head.prompt)}`))
      screen.line()
      const view = new LiveView(screen, Date.now)
      agent.listen(view.notice)
      agent.subscribe({ from: head.stored }, view.event)
    },
    async end(result) {
      screen.status(undefined)
      showResult(screen, result, logFile)
      await Promise.resolve()
    },
  }
}

/** With what, on what and where a session works. @param cwd - paths are shown from there. */
export function showHead(
  screen: Canvas,
  { version, model, folder, logFile, stored }: Omit<RunHead, 'prompt'>,
  id: string,
  cwd: string,
): void {
  const label = (name: string, value: string): void => {
    screen.line(`${screen.paint('dim', name.padEnd(8))} ${oneLine(value)}`)
  }
  screen.line(`${screen.paint('bold', 'turnwise')} ${version}`)
  label('model', model)
  label('folder', folder)
  label('session', `${id}${stored > 0 ? ` (goes on after ${plural(stored, 'event')})` : ''}`)
  label('log', shortPath(cwd, logFile))
  screen.line()
}

/** One durable event a line, and errors on standard error. */
export function jsonReport(at: Surroundings, { stored }: RunHead): Report {
  let lines: JsonLines | undefined
  return {
    begin(agent) {
      lines = new JsonLines(at.stdout, agent.log)
      agent.subscribe({ from: stored }, lines.event)
    },
    async end(result) {
      await lines?.end()
      tellFaults(at, result)
    },
  }
}

/** The final response, and errors on standard error. */
export const plainReport = (at: Surroundings): Report => ({
  begin: () => undefined,
  async end(result) {
    const text = textOf(result)
    at.stdout.write(`${at.stdout.isTTY === true ? printable(text) : text}\n`)
    tellFaults(at, result)
    await Promise.resolve()
  },
})

function tellFaults(at: Surroundings, result: Answer): void {
  for (const fault of faultsOf(result)) at.stderr.write(`${printable(fault)}\n`)
}

/** A path as it can be typed from where the command was called. */
const shortPath = (cwd: string, path: string): string => {
  const short = relative(cwd, path)
  return short.startsWith('..') ? path : short
}
