/**
 * Schemas of sessions, inbox, turns and steps.
 *
 * @module
 */
import * as v from 'valibot'
import {
  actor,
  at,
  cause,
  count,
  failure,
  failureFields,
  field,
  ids,
  list,
  message,
  messageId,
  ordinal,
  turn,
} from './parts.ts'

const index = field(count, 'Index in the list, from 0.')
const wake = field(v.boolean(), 'It asks the agent to work.')

const turnReason = field(
  v.variant('kind', [
    v.object({ kind: v.literal('completed') }),
    v.object({ kind: v.literal('max-tokens') }),
    v.object({ kind: v.literal('blocked'), by: v.string(), reason: v.string() }),
    v.object({ kind: v.literal('aborted'), cause }),
    v.object({ kind: v.literal('error'), attempts: v.exactOptional(ordinal), ...failureFields }),
    v.object({
      kind: v.literal('limit'),
      which: v.picklist(['steps', 'attempts', 'stops', 'time', 'tokens']),
      used: v.number(),
      allowed: v.number(),
      failure: v.exactOptional(failure),
    }),
    v.object({ kind: v.literal('interrupted') }),
  ]),
  'Why the turn ended.',
)

export const lifecycleSchemas = {
  'session/opened': field(
    v.object({
      how: field(v.picklist(['resume', 'fork']), 'Reopened, or copied from another session.'),
      inherited: v.exactOptional(field(count, 'Number of inherited events, for a fork.')),
      wake: field(v.boolean(), 'Pending waking work goes on; otherwise it is parked.'),
      inheritInbox: v.exactOptional(field(v.boolean(), 'A fork keeps the pending messages.')),
    }),
    'A new instance took over a log that existed before.',
  ),
  'inbox/inserted': field(
    v.object({
      target: field(list, 'The list it joined.'),
      index,
      message,
      wake,
      actor,
      mark: v.exactOptional(
        field(v.picklist(['restored', 'recovered']), 'What put it there, if it was no command.'),
      ),
    }),
    'A message was accepted and is pending.',
  ),
  'inbox/claimed': field(
    v.object({
      turn,
      nextStep: field(ids, 'Taken from next-step, in order.'),
      nextTurn: field(ids, 'Taken from next-turn, in order.'),
    }),
    'A boundary of the turn took pending messages.',
  ),
  'inbox/discarded': field(
    v.object({
      ids: field(ids, 'The dropped messages, next-step first.'),
      reason: field(
        v.picklist(['removed', 'cleared', 'replaced', 'disposed', 'rejected']),
        'Why they were dropped.',
      ),
      actor,
    }),
    'Pending messages were dropped.',
  ),
  'inbox/replaced': field(
    v.object({
      ids: field(ids, 'The messages that left.'),
      target: field(list, 'Their list.'),
      index,
      messages: field(v.array(message), 'The messages that took their place.'),
      wake,
      actor,
    }),
    'Pending messages gave way to others at the same place.',
  ),
  'inbox/moved': field(
    v.object({
      id: messageId,
      from: field(list, 'The list it left.'),
      to: field(list, 'The list it joined.'),
      index: field(count, 'Index in the new list, after it was taken out of the old place.'),
      actor,
    }),
    'A pending message changed its place.',
  ),
  'turn/start': field(v.object({ turn }), 'A turn opened.'),
  'turn/end': field(
    v.object({
      turn,
      reason: turnReason,
      uncommitted: field(ids, 'Claimed messages that never became a user message, in claim order.'),
      parks: v.exactOptional(
        field(
          v.picklist(['blocked', 'error', 'loop']),
          'Why everything pending waits for the next wake.',
        ),
      ),
    }),
    'A turn closed, for good.',
  ),
  'step/start': field(v.object(at), 'A step opened; its batch follows at once.'),
  'step/end': field(v.object(at), 'A step closed; every call of it is answered.'),
  'gate/decided': field(
    v.object({
      ...at,
      gate: field(v.literal('continuation'), 'The gate that decided.'),
      decision: field(v.picklist(['continue', 'stop']), 'What it decided against the default.'),
      by: field(v.string(), 'Who decided.'),
    }),
    'A gate deviated from the default in a way that leaves no other trace.',
  ),
  'cancel/requested': field(
    v.object({
      cause,
      actor,
      keepInbox: field(v.boolean(), 'Pending input stays, parked.'),
      resume: field(v.boolean(), 'Pending input goes on by itself.'),
      restoreClaimed: v.exactOptional(
        field(v.literal(true), 'Claimed messages of a turn without a step go back.'),
      ),
      turn: field(v.nullable(ordinal), 'The turn it hit, or null.'),
      discarded: field(ids, 'What was dropped with it.'),
    }),
    'A cancel took effect.',
  ),
}
