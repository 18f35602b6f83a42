/**
 * Schemas of messages, requests, calls and what stands beside the run.
 *
 * @module
 */
import * as v from 'valibot'
import { chunk } from './chunk.schema.ts'
import {
  amount,
  assistantMessage,
  at,
  call,
  count,
  failure,
  field,
  finish,
  json,
  message,
  name,
  ordinal,
  outcome,
  seqRange,
  turn,
  usage,
} from './parts.ts'

const attempt = field(ordinal, 'Number of the attempt in its step, from 1.')
const compactionTurn = field(v.nullable(ordinal), 'The turn it belongs to; null as maintenance.')

export const workSchemas = {
  'user/message': field(v.object({ ...at, message }), 'A message became part of the history.'),
  'context/message': field(
    v.object({ turn, message }),
    'A message became part of the history in a turn of its own, without a model call.',
  ),
  'request/header': field(
    v.object({
      ...at,
      provider: field(v.string(), 'Who serves the model.'),
      model: field(v.string(), 'Name of the model.'),
      maxTokens: v.exactOptional(field(ordinal, 'Most tokens of one answer.')),
      settings: v.exactOptional(
        field(v.record(v.string(), json), 'Further settings of the adapter.'),
      ),
      reason: field(v.picklist(['initial', 'resume', 'change']), 'Why it is recorded.'),
      system: v.exactOptional(field(v.string(), 'The system prompt.')),
      tools: v.exactOptional(
        field(
          v.array(
            v.object({
              name,
              description: v.exactOptional(v.string()),
              parameters: field(json, 'JSON Schema of the arguments.'),
            }),
          ),
          'The tools shown to the model, in canonical order.',
        ),
      ),
      adapterDefaults: v.exactOptional(
        field(v.array(v.string()), "Settings that are the adapter's defaults."),
      ),
    }),
    'What the following requests are made with, apart from their messages.',
  ),
  'request/context': field(
    v.object({
      ...at,
      provider: field(v.string(), 'Who serves the model.'),
      model: field(v.string(), 'Name of the model.'),
      contextWindow: v.exactOptional(field(count, 'Tokens that fit into one request.')),
    }),
    'Route or capacity changed.',
  ),
  'assistant/chunk': field(v.object({ ...at, attempt, chunk }), 'The model streamed a piece.'),
  'request/failed': field(
    v.object({
      ...at,
      attempt,
      provider: field(v.string(), 'Who served the attempt.'),
      failure,
      action: field(v.picklist(['retry', 'fail']), 'What follows.'),
      delayMs: field(amount, 'Wait before the next attempt, in ms.'),
      usage: v.exactOptional(usage),
    }),
    'An attempt failed; nothing of it is in the history.',
  ),
  'assistant/message': field(
    v.object({
      ...at,
      message: assistantMessage,
      usage: v.exactOptional(usage),
      finish: v.exactOptional(field(finish, 'How the provider says the attempt ended.')),
      interrupted: v.exactOptional(
        field(v.literal(true), 'An abort cut it; this is its visible prefix.'),
      ),
      transformedBy: v.exactOptional(field(v.string(), 'The gate that changed it.')),
    }),
    'An attempt was committed; it cites its chunks.',
  ),
  'tool/call': field(
    v.object({
      ...at,
      call,
      name: field(v.string(), 'Name of the tool.'),
      arguments: field(v.string(), 'The raw text the model wrote.'),
      repeatable: v.exactOptional(
        field(v.literal(true), 'Its tool says that calling it again is safe.'),
      ),
    }),
    'A call is about to run, or is answered without running.',
  ),
  'tool/settled': field(
    v.object({ ...at, call, outcome }),
    'A call ended while an earlier one, or its own gate, is not through.',
  ),
  'tool/result': field(
    v.object({
      ...at,
      call,
      outcome,
      meta: v.exactOptional(field(json, 'Facts that are never shown to the model.')),
    }),
    'A call was answered.',
  ),
  'approval/asked': field(
    v.object({
      ...at,
      call,
      question: field(
        v.object({
          tool: field(v.string(), 'Name of the tool.'),
          arguments: field(json, 'Parsed arguments, or the raw text where that failed.'),
          prompt: v.exactOptional(v.string()),
          expiresAt: v.exactOptional(
            field(
              v.pipe(v.number(), v.integer()),
              'When it expires unanswered, ms since the epoch.',
            ),
          ),
        }),
        'What is to be approved.',
      ),
    }),
    'Somebody must allow a call.',
  ),
  'approval/decided': field(
    v.object({
      ...at,
      call,
      answer: field(
        v.picklist(['allow', 'deny', 'cancelled', 'expired']),
        'Anything but `allow` denies.',
      ),
      by: field(v.string(), 'Who answered.'),
      reason: v.exactOptional(v.string()),
    }),
    'The question was answered or closed.',
  ),
  'compaction/start': field(
    v.object({ turn: compactionTurn, range: seqRange }),
    'A range of the history is being replaced.',
  ),
  'compaction/summary': field(
    v.object({ turn: compactionTurn, range: seqRange, message }),
    'What stands in the history instead of the range; the transcript keeps everything.',
  ),
  'compaction/end': field(
    v.object({
      turn: compactionTurn,
      range: seqRange,
      outcome: field(v.picklist(['completed', 'failed', 'aborted']), 'How it ended.'),
      failure: v.exactOptional(failure),
    }),
    'The replacement is over.',
  ),
  'goal/change': field(
    v.object({
      goal: field(v.string(), 'Id of the goal.'),
      revision: field(count, 'Revision the change made.'),
      change: field(json, 'Owned by the goal service.'),
    }),
    'A goal changed.',
  ),
  'child/descriptor': field(
    v.object({
      child: field(v.string(), 'Session id of the child, which is this session.'),
      descriptor: field(json, 'Owned by the child service.'),
    }),
    'What this session is as a child: whose, how deep, how it was started.',
  ),
}
