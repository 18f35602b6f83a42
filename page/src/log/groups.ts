/**
 * Sorts events into the groups by which the list is coloured and filtered.
 *
 * @module
 */

export const GROUPS = [
  'turns',
  'inbox',
  'messages',
  'stream',
  'model',
  'tools',
  'approvals',
  'cancels',
  'session',
  'other',
] as const

export type Group = (typeof GROUPS)[number]

/** What each group holds, for people. */
export const GROUP_TITLES: Readonly<Record<Group, string>> = {
  turns: 'turns and steps',
  inbox: 'inbox',
  messages: 'messages taken in',
  stream: 'streamed chunks',
  model: 'model',
  tools: 'tool calls',
  approvals: 'approvals',
  cancels: 'cancels',
  session: 'session',
  other: 'your own events',
}

const BY_TYPE = new Map<string, Group>([
  ['assistant/chunk', 'stream'],
  ['cancel/requested', 'cancels'],
  ['user/message', 'messages'],
  ['context/message', 'messages'],
])

const BY_NOUN = new Map<string, Group>([
  ['turn', 'turns'],
  ['step', 'turns'],
  ['gate', 'turns'],
  ['inbox', 'inbox'],
  ['assistant', 'model'],
  ['request', 'model'],
  ['tool', 'tools'],
  ['approval', 'approvals'],
  ['session', 'session'],
  ['compaction', 'session'],
  ['goal', 'session'],
  ['child', 'session'],
])

export const groupOf = (type: string): Group =>
  BY_TYPE.get(type) ?? BY_NOUN.get(type.slice(0, type.indexOf('/'))) ?? 'other'
