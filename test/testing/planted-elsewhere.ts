/**
 * Planted faults of the file, of payloads, and of facts that are recorded twice.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { fault, Patient, type Planted } from './patient.ts'

const file = new URL('../logs/conversation.jsonl', import.meta.url)

/** A log that an agent wrote, with chunks, citations and marks. */
export function agentsLog(): Patient {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const patient = new Patient(lines.map((line) => JSON.parse(line) as never))
  patient.header = JSON.parse(header) as Patient['header']
  return patient
}

/** The place of the nth event of a type in the sound log. */
export function placeOf(type: string, nth = 0): number {
  const log = agentsLog()
  return log.events.indexOf(log.find(type, nth))
}

const line = (n: number, bend: (line: string) => string) => (text: string) =>
  text
    .split('\n')
    .map((one, i) => (i === n ? bend(one) : one))
    .join('\n')

/** Faults of lines, envelopes and payloads. A line that cannot be read is the event it should have been. */
export const FILE: readonly Planted[] = [
  fault('a line is cut in the middle of the file', 'line', 5, (log) => {
    log.bend = line(6, (one) => one.slice(0, 20))
  }),
  fault('two lines are glued together', 'line', 5, (log) => {
    log.bend = (text) =>
      text.split('\n').toSpliced(6, 2, text.split('\n').slice(6, 8).join('')).join('\n')
  }),
  fault('a line is no UTF-8', 'line', 3, (log) => {
    log.bend = (text) => {
      const bytes = new TextEncoder().encode(text)
      bytes[text.split('\n').slice(0, 4).join('\n').length + 10] = 0xff
      return bytes
    }
  }),
  fault('an empty line stands between events', 'line', 2, (log) => {
    log.bend = line(3, (one) => `\n${one}`)
  }),
  fault('the file is empty', 'header', null, (log) => {
    log.bend = () => ''
  }),
  fault('the header is missing', 'header', null, (log) => {
    log.bend = (text) => text.slice(text.indexOf('\n') + 1)
  }),
  fault('the header has no id', 'header', null, (log) => {
    delete log.header['id']
  }),
  fault('the format of the log is of a later version', 'unknown-event', null, (log) => {
    log.header['formatVersion'] = 2
  }),
  fault('an event is missing', 'seq', 7, (log) => {
    log.bend = (text) => text.split('\n').toSpliced(8, 1).join('\n')
  }),
  fault('an event is doubled', 'seq', 8, (log) => {
    log.bend = (text) =>
      text
        .split('\n')
        .toSpliced(8, 0, text.split('\n')[8] ?? '')
        .join('\n')
  }),
  fault('a time is no whole number', 'envelope', 4, (log) => {
    if (log.events[4] !== undefined) log.events[4].time = 0.5
  }),
  fault('an event has no payload', 'envelope', 4, (log) => {
    Reflect.deleteProperty(log.events[4] ?? {}, 'data')
  }),
  fault('a payload lacks a field', 'payload', placeOf('step/start'), (log) => {
    delete log.find('step/start').data['step']
  }),
  fault('a payload has a word that nobody knows', 'payload', placeOf('turn/end'), (log) => {
    log.find('turn/end').data['reason'] = { kind: 'bored' }
  }),
  fault('a type of this library that nobody knows', 'unknown-event', placeOf('step/end'), (log) => {
    log.find('step/end').type = 'step/paused'
  }),
  fault('a payload of a later version', 'unknown-event', placeOf('step/end'), (log) => {
    log.find('step/end').v = 2
  }),
]

/** Faults of what is said twice. */
export const DERIVED: readonly Planted[] = [
  fault('a message cites too few chunks', 'message-cites', placeOf('assistant/message'), (log) => {
    const said = log.find('assistant/message')
    said.cites = (said.cites as number[]).slice(1)
  }),
  fault(
    'a message cites chunks of another attempt',
    'message-cites',
    placeOf('assistant/message', 2),
    (log) => {
      const said = log.find('assistant/message', 2)
      said.cites = [placeOf('assistant/chunk'), ...(said.cites as number[])]
    },
  ),
  fault(
    'a message says what was not streamed',
    'message-content',
    placeOf('assistant/message', 1),
    (log) => {
      log.find('assistant/message', 1).data['message'] = {
        role: 'assistant',
        content: [{ type: 'text', text: 'Undone.' }],
      }
    },
  ),
  fault(
    'an interrupted message hides a part of what was seen',
    'message-content',
    placeOf('assistant/message', 4),
    (log) => {
      log.find('assistant/message', 4).data['message'] = {
        role: 'assistant',
        content: [{ type: 'text', text: 'part' }],
      }
    },
  ),
  fault(
    'a call was recorded with other arguments',
    'call-content',
    placeOf('tool/call', 1),
    (log) => {
      log.find('tool/call', 1).data['arguments'] = '{"path":"elsewhere"}'
    },
  ),
  fault('a turn completes although a message was cut', 'cut-stays', placeOf('turn/end'), (log) => {
    log.find('assistant/message', 1).data['finish'] = 'max-tokens'
  }),
  fault('a turn is said to be cut, but nothing was', 'cut-stays', placeOf('turn/end'), (log) => {
    log.find('turn/end').data['reason'] = { kind: 'max-tokens' }
  }),
  fault(
    'a result cites another event than its call',
    'result-cites',
    placeOf('tool/result'),
    (log) => {
      log.find('tool/result').cites = [0]
    },
  ),
  fault(
    'a cancel names a message that nothing discarded',
    'cancel-names',
    placeOf('cancel/requested'),
    (log) => {
      log.find('cancel/requested').data['discarded'] = ['nobody']
    },
  ),
  fault('a cancelled turn completes', 'cancel-wins', placeOf('turn/end', 4), (log) => {
    log.find('turn/end', 4).data['reason'] = { kind: 'completed' }
  }),
  fault(
    'a cancelled turn takes a whole message',
    'after-cancel',
    placeOf('assistant/message', 4),
    (log) => {
      delete log.find('assistant/message', 4).data['interrupted']
    },
  ),
  fault(
    'a cancelled turn ends with another cause',
    'cancel-wins',
    placeOf('turn/end', 4),
    (log) => {
      log.find('turn/end', 4).data['reason'] = { kind: 'aborted', cause: { kind: 'parent' } }
    },
  ),
  fault(
    'a second cancel hits the same turn',
    'first-cause',
    placeOf('cancel/requested') + 1,
    (log) => {
      const hit = log.find('cancel/requested')
      log.put(hit, structuredClone(hit) as never)
      for (const event of log.events) Reflect.deleteProperty(event, 'cites')
    },
  ),
  fault(
    'a message comes back as restored that no turn has given back',
    'known-mark',
    placeOf('inbox/inserted', 1),
    (log) => {
      log.find('inbox/inserted', 1).data['mark'] = 'restored'
    },
  ),
  fault(
    'a turn ends before its compaction does',
    'compaction-ends',
    placeOf('turn/end', 1) + 1,
    (log) => {
      const at = log.find('turn/start', 1)
      log.put(at, { type: 'compaction/start', data: { turn: 2, range: { from: 0, to: 1 } } })
      for (const event of log.events) Reflect.deleteProperty(event, 'cites')
    },
  ),
  fault('a fork has copied more than it holds', 'fork-marker', null, (log) => {
    log.header['inheritedLength'] = 500
  }),
]
