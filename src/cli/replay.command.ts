/**
 * `turnwise replay`: plays a stored log as if it happened now.
 *
 * P1 On a terminal events come in their recorded tempo; long pauses are cut. Off a terminal they come at once.
 * P2 Nothing is asked or changed: what is shown is what a reader of the log could have seen.
 *
 * @module
 */
import { relative } from 'node:path'
import { systemClock } from '../actors/clock.ts'
import type { StoredEvent } from '../events/event.ts'
import { Screen } from './live/screen.ts'
import type { ReplayAsked } from './log-arguments.ts'
import { plural } from './offline/words.ts'
import { Pacer } from './pacer.ts'
import { jsonReplay, liveReplay, type ReplayView } from './replay-view.ts'
import { readStoredLog, upTo } from './stored-log.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Plays a log. @returns what ended it. */
export async function replayCommand(asked: ReplayAsked, at: Surroundings): Promise<ExitCode> {
  const { header, events, file } = await readStoredLog(asked.log, at.cwd)
  const played = upTo(events, asked.to)
  const speed = at.stdout.isTTY === true ? asked.speed : 0
  const pacer = new Pacer(at, at.clock ?? systemClock, speed)
  const view = asked.json
    ? jsonReplay(at)
    : liveReplay(new Screen(at.stdout, at.env), () => pacer.now)
  const cut = played.length < events.length ? ` of ${events.length}` : ''
  try {
    view.begin([`${header.id}, ${plural(played.length, 'event')}${cut}`, relative(at.cwd, file)])
    await play(played, pacer, view)
  } finally {
    view.end()
    await pacer.end()
  }
  return pacer.exitCode ?? EXIT.ok
}

async function play(events: readonly StoredEvent[], pacer: Pacer, view: ReplayView): Promise<void> {
  for (const [index, event] of events.entries()) {
    await pacer.reach(event.time)
    if (pacer.exitCode !== undefined) return
    view.event(event, events[index + 1])
  }
}
