/**
 * A machine that invokes another one, each to be run stock and as a table.
 *
 * @module
 */
import { forwardTo, sendParent, sendTo, setup } from 'xstate'
import { base, note, parts, types } from './table-charts.ts'
import type { Ctx, Say } from './table-charts.ts'
import type { MakeMachine } from './table-trace.ts'

const kid = (say: Say, how: 'plain' | 'breaks at start' | 'ends at start') =>
  parts(say).createMachine({
    context: ({ input }) => ({ n: 10, seen: [String(input.from)] }),
    id: 'kid',
    initial: how === 'ends at start' ? 'over' : 'up',
    entry: note('in kid'),
    exit: note('out kid'),
    output: ({ context }: { context: Ctx }) => context.seen,
    states: {
      up: {
        entry:
          how === 'breaks at start' ? ['count', 'break'] : ['count', sendParent({ type: 'hello' })],
        on: {
          ask: {
            actions: [
              'see',
              note('asked'),
              sendParent(({ context }) => ({ type: 'told', text: String(context.n) })),
            ],
          },
          end: 'over',
          break: { actions: ['count', 'break'] },
        },
      },
      over: { type: 'final', entry: note('kid ends') },
    },
  })

export const parent =
  (how: Parameters<typeof kid>[1]): MakeMachine =>
  (say) =>
    setup({
      types,
      actors: { kid: kid(say, how) },
      actions: {
        note: (_, params: { text: string }) => {
          say('note', params)
        },
      },
    }).createMachine({
      ...base,
      id: 'parent',
      initial: 'resting',
      on: { hello: { actions: note('hello') }, told: { actions: note('told') } },
      states: {
        resting: { on: { go: 'busy' } },
        busy: {
          entry: [note('in busy'), sendTo('kid', { type: 'ask' })],
          exit: [note('out busy'), sendTo('kid', { type: 'ask' })],
          invoke: {
            id: 'kid',
            src: 'kid',
            input: ({ context, event }) => ({ from: `${event.type} ${context.n}` }),
            onDone: {
              target: 'done',
              actions: [
                note('kid is done'),
                ({ event }) => {
                  say('output', event.output)
                },
              ],
            },
            onError: {
              target: 'resting',
              actions: [
                note('kid failed'),
                ({ event }) => {
                  say('error', event.error)
                },
              ],
            },
          },
          on: {
            leave: 'resting',
            reenter: { target: 'busy', reenter: true },
            ask: {
              actions: [
                sendTo('kid', ({ event }) => ({ ...event, text: 'from parent' })),
                note('passed on'),
              ],
            },
            end: { actions: sendTo('kid', { type: 'end' }) },
            break: { actions: forwardTo('kid') },
            finish: 'over',
          },
        },
        done: { on: { go: 'busy', lost: { actions: sendTo('kid', { type: 'ask' }) } } },
        over: { type: 'final', entry: note('over') },
      },
    })
