/**
 * Small machines that use all a table runs, each to be run stock and as a table.
 *
 * @module
 */
import { and, assign, not, setup } from 'xstate'
import type { MakeMachine } from './table-trace.ts'

export interface Ctx {
  n: number
  seen: string[]
}
export const types = {} as {
  context: Ctx
  events: { type: string; go?: boolean; text?: string }
  input: { from?: string }
  output: unknown
}

export type Say = Parameters<MakeMachine>[0]

/** Actions and guards that the machines below share. */
export const parts = (say: Say) =>
  setup({
    types,
    guards: {
      go: ({ event }) => event.go === true,
      even: ({ context }) => context.n % 2 === 0,
      'n is below': ({ context }, params: { limit: number }) => context.n < params.limit,
      'goes when even': and(['go', 'even']),
      odd: not('even'),
      fails: () => {
        throw new Error('guard broke')
      },
    },
    actions: {
      note: ({ context, event }, params?: { text: string }) => {
        say('note', context, event.type, params)
      },
      count: assign({ n: ({ context }) => context.n + 1 }),
      see: assign(({ context, event }) => ({ seen: [...context.seen, event.type] })),
      'keep everything': assign(() => ({})),
      break: () => {
        throw new Error('action broke')
      },
    },
  })

export const base = { context: { n: 0, seen: [] } satisfies Ctx as Ctx }
export const note = (text: string) => ({ type: 'note' as const, params: { text } })

export const nested: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'nested',
    entry: note('in root'),
    exit: note('out root'),
    initial: 'a',
    on: {
      outer: { actions: note('outer') },
      both: { target: '.b', actions: note('outer wins') },
      again: { target: '#nested', reenter: true },
      hop: '.a.one.deep',
    },
    states: {
      a: {
        tags: ['t1'],
        entry: [note('in a'), 'count'],
        exit: [note('out a'), 'see'],
        initial: 'one',
        on: {
          inner: { target: 'a', actions: note('self a') },
          reenter: { target: 'a', reenter: true, actions: note('self a again') },
          stay: { actions: ['count', note('stay')] },
          both: { guard: 'odd', target: 'b', actions: note('inner wins') },
          next: '.two',
        },
        states: {
          one: {
            initial: 'deep',
            entry: note('in one'),
            exit: note('out one'),
            on: { self: { target: 'one' }, selfAgain: { target: 'one', reenter: true } },
            states: { deep: { tags: ['t2', 't3'], entry: note('in deep') }, deeper: {} },
          },
          two: { type: 'atomic', entry: note('in two'), on: { outer: undefined, back: '#x' } },
        },
      },
      b: {
        id: 'x',
        tags: 't1',
        entry: [note('in b'), 'count', note('counted')],
        exit: note('out b'),
        on: { back: 'a', up: '#nested.a.two', noop: {} },
      },
    },
  })

export const guarded: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'guarded',
    initial: 'a',
    states: {
      a: {
        on: {
          try: [
            {
              guard: { type: 'n is below', params: { limit: 2 } },
              actions: ['count', note('low')],
            },
            {
              guard: { type: 'n is below', params: ({ context }) => ({ limit: context.n - 1 }) },
              target: 'b',
            },
            { guard: 'goes when even', target: 'b', actions: note('even') },
            { guard: ({ event }) => event.text === 'inline', target: 'b', actions: note('inline') },
            { guard: not('go'), actions: note('not go') },
          ],
          fails: { guard: 'fails', target: 'b' },
        },
      },
      b: { on: { back: { target: 'a', actions: 'keep everything' } } },
    },
  })

export const ending: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'ending',
    initial: 'work',
    exit: [note('out root'), 'count'],
    output: ({ context, event }: { context: Ctx; event: object }) => ({ n: context.n, event }),
    states: {
      work: {
        initial: { target: 'first', actions: [note('initial transition'), 'count'] },
        exit: note('out work'),
        onDone: [
          { guard: 'odd', target: 'work', actions: note('once more') },
          { target: 'end', actions: [note('work is done'), 'see'] },
        ],
        states: {
          first: { on: { finish: { target: 'over', actions: 'count' } } },
          over: {
            type: 'final',
            entry: note('in over'),
            output: ({ context }: { context: Ctx }) => context.n,
          },
        },
      },
      end: {
        type: 'final',
        entry: ['count', note('in end')],
        exit: note('out end'),
        output: ({ context }: { context: Ctx }) => ({ last: context.n }),
      },
    },
  })

export const breaking: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'breaking',
    initial: 'a',
    states: {
      a: {
        exit: note('out a'),
        on: {
          entry: 'b',
          own: { target: 'c', actions: ['count', 'break', note('never')] },
          guard: { guard: 'fails', target: 'c' },
        },
      },
      b: { entry: ['count', 'break'] },
      c: { entry: note('in c') },
    },
  })

/** Its first actions throw. */
export const brokenStart: MakeMachine = (say) =>
  parts(say).createMachine({
    ...base,
    id: 'm',
    initial: 'a',
    states: { a: { entry: ['count', 'break', note('never')] } },
  })

/** Its context cannot be made. */
export const brokenContext: MakeMachine = (say) =>
  parts(say).createMachine({
    id: 'm',
    context: () => {
      throw new Error('no context')
    },
    initial: 'a',
    states: { a: {} },
  })
