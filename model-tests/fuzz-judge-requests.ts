/**
 * Every request against the log: its messages are the history at its position, its header is the logged one.
 *
 * @module
 */
import type { HistoryEntry } from '../src/events/history-entry.ts'
import { fold } from '../src/projections/projection.ts'
import { history, historyView } from '../src/projections/history.ts'
import type { SeenRequest, World } from './fuzz-world.ts'

export function judgeRequests(world: World): void {
  let former: readonly string[] = []
  let formerPosition = 0
  for (const request of world.requests) {
    const events = world.log.read(0, request.position)
    const want = JSON.stringify(historyView(fold(history, events)))
    if (want !== request.text) world.problem('a request differs from the history of its position')
    if (request.late() !== request.text) world.problem('the messages of a request changed')
    const entries = JSON.parse(request.text) as HistoryEntry[]
    answered(world, entries)
    const now = entries.map((entry) => JSON.stringify(entry))
    const replaced = events.some(
      ({ type, seq }) => type === 'compaction/summary' && seq >= formerPosition,
    )
    const longer = former.every((text, i) => text === now[i])
    world.law(replaced || longer, 'a request does not extend the former one')
    former = now
    formerPosition = request.position
    header(world, request)
  }
}

/** No history holds a call without its outcome directly behind the message. */
function answered(world: World, entries: readonly HistoryEntry[]): void {
  let open: string[] = []
  for (const entry of entries) {
    if (entry.role === 'tool') {
      if (!open.includes(entry.call.key))
        world.problem('a request holds an outcome without its call')
      open = open.filter((key) => key !== entry.call.key)
      continue
    }
    if (open.length > 0) break
    if (entry.role === 'assistant')
      open = entry.content.flatMap((block) => (block.type === 'tool-call' ? [block.call.key] : []))
  }
  if (open.length > 0) world.problem('a request holds a call without its outcome')
}

const sorted = (value: object): string =>
  JSON.stringify(Object.entries({ tools: [], ...value }).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Fields of a header that are no part of the request. */
const ABOUT: ReadonlySet<string> = new Set(['turn', 'step', 'reason', 'adapterDefaults'])

function header(world: World, { position, header: text }: SeenRequest): void {
  const events = world.log.read(0, position)
  const logged = events.findLast((event) => event.type === 'request/header')
  const fields = Object.entries(logged?.data ?? {}).filter(([name]) => !ABOUT.has(name))
  const same = sorted(Object.fromEntries(fields)) === sorted(JSON.parse(text) as object)
  world.law(same, 'a request differs from its header')
}
