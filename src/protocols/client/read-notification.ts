/**
 * Notifications from the wire, checked as far as this client relies on them.
 *
 * @module
 */
import type { TurnReason } from '../../events/message.ts'
import {
  asInteger,
  asList,
  asName,
  asRecord,
  asText,
  asWord,
  ShapeError,
} from '../../events/shape.ts'
import type { Notification } from '../json-rpc/notifications.ts'
import { SdkProtocolError } from './client-errors.ts'
import type { Heard } from './transport.ts'

type Checked = { readonly [key: string]: unknown }

const REASONS: readonly TurnReason['kind'][] = [
  'completed',
  'max-tokens',
  'blocked',
  'aborted',
  'error',
  'limit',
  'interrupted',
]

/** What of an event must be there for its type. */
const OF_TYPE: { readonly [type: string]: (data: Checked) => void } = {
  'inbox/inserted': (data) => asName(asRecord(data['message'], 'message')['id'], 'message.id'),
  'inbox/discarded': (data) => asList(data['ids'], 'ids'),
  'assistant/message': (data) => {
    const path = 'message.content'
    for (const value of asList(asRecord(data['message'], 'message')['content'], path)) {
      const block = asRecord(value, `${path}[]`)
      if (block['type'] === 'text') asText(block['text'], `${path}[].text`)
    }
  },
  'turn/end': (data) => {
    asInteger(data['turn'], 'turn', 1)
    asWord(asRecord(data['reason'], 'reason')['kind'], 'reason.kind', REASONS)
  },
}

function checkEvent(params: Checked): void {
  asName(params['sessionId'], 'sessionId')
  const event = asRecord(params['event'], 'event')
  asInteger(event['seq'], 'event.seq')
  const type = asName(event['type'], 'event.type')
  const data = asRecord(event['data'], 'event.data')
  if (!Object.hasOwn(OF_TYPE, type)) return
  try {
    OF_TYPE[type]?.(data)
  } catch (error) {
    throw error instanceof ShapeError ? error.within(`event.data of ${type}`) : error
  }
}

const CHECKS: { readonly [method in Notification['method']]: (params: Checked) => void } = {
  'session.event': checkEvent,
  'session.status': (params) => {
    asName(params['sessionId'], 'sessionId')
    asWord(params['status'], 'status', ['idle', 'running', 'disposed'])
  },
  'child.started': (params) => {
    asName(params['parent'], 'parent')
    asName(params['child'], 'child')
  },
  'child.finished': (params) => {
    asName(params['parent'], 'parent')
    asName(params['child'], 'child')
    asWord(params['status'], 'status', ['ok', 'error'])
  },
}

/** A notification of this protocol; undefined for one that this client has never heard of. @throws SdkProtocolError */
export function readNotification({ method, params }: Heard): Notification | undefined {
  if (!Object.hasOwn(CHECKS, method)) return undefined
  try {
    CHECKS[method as Notification['method']](asRecord(params, 'params'))
    return { method, params } as Notification
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new SdkProtocolError(
      `expected a notification ${method} of this protocol, but ${error.message}; what it belonged to was given up.`,
    )
  }
}

/** The session that a notification is about, as far as it says so. */
export function sessionOf(params: unknown): string | undefined {
  const named = (params as { readonly sessionId?: unknown } | null | undefined)?.sessionId
  return typeof named === 'string' ? named : undefined
}
