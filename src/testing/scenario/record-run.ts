/**
 * Writes down what one agent of a run does: events, notifications, the merged trace.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import { EventPrinter } from '../print-event.ts'
import { listed } from '../print-request.ts'
import { askedOfEvent } from './hook-others.ts'
import type { AgentRun, World } from './world.ts'

/** Listens to `agent` from now on, and tells the world of every moment. */
export function recordRun(
  world: World,
  name: string,
  agent: Agent,
  parts: Pick<AgentRun, 'diagnostics' | 'refusals'>,
): AgentRun {
  const run: AgentRun = {
    name,
    agent,
    printer: new EventPrinter(),
    events: [],
    lines: [],
    trace: [],
    statuses: [],
    errors: [],
    notices: [],
    live: [],
    disposing: false,
    ...parts,
  }
  world.agents.set(name, run)
  agent.subscribe({ from: agent.log.length }, (event) => {
    note(run, event)
    const asked = askedOfEvent(event.data)
    world.tell({ kind: 'event', agent: name, event, asked })
  })
  agent.listen((notice) => {
    hear(run, notice)
    const { disposing } = run
    const asked = askedOfEvent(notice)
    world.tell({ kind: 'notice', agent: name, notice, disposing, asked })
  })
  return run
}

/** Writes down one event. */
function note(run: AgentRun, event: StoredEvent): void {
  run.events.push(event)
  for (const line of run.printer.lines(event)) {
    run.lines.push({ type: event.type, line })
    run.trace.push({ type: event.type, line })
  }
}

/** Writes down one notification. */
function hear(run: AgentRun, notice: LiveNotice): void {
  run.live.push(notice)
  if (notice.type === 'status') {
    run.statuses.push(notice.status)
    run.trace.push({ type: 'status', line: `status ${notice.status}` })
  } else if (notice.type === 'error') {
    run.errors.push(`${notice.turn}.${notice.step} ${notice.error.message}`)
    run.trace.push({ type: 'error', line: `error ${notice.turn}.${notice.step}` })
  } else if (
    notice.type === 'inserted' ||
    notice.type === 'claimed' ||
    notice.type === 'discarded'
  ) {
    run.notices.push(
      `${notice.type} "${listed(notice.message)}"${notice.type === 'claimed' ? ` turn ${notice.turn}` : ''}`,
    )
  }
}
