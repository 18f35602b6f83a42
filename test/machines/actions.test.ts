/**
 * Actions do what their names say, so that the rules may judge a chart by names alone.
 */
import type { AnyStateMachine } from 'xstate'
import { describe, expect, it } from 'vitest'
import { agentMachine } from '../../src/machines/agent.machine.ts'
import { stepMachine } from '../../src/machines/step.machine.ts'
import { turnMachine } from '../../src/machines/turn.machine.ts'

/** The host method that an action of this verb calls. */
const METHODS: Readonly<Record<string, RegExp>> = {
  abandon: /^abandon/,
  announce: /^reportAbandoned$/,
  append: /^(append|record)/,
  ask: /^ask/,
  hop: /^hop$/,
  note: /^recordSettled$/,
  notify: /^notifyStatus$/,
  open: /^openActivity$/,
  post: /^post$/,
  prepare: /^prepareStep$/,
  seal: /^sealError$/,
  start: /^(start|await)/,
  stop: /^stop/,
  yield: /^yieldTo$/,
}

interface Called {
  readonly method: string
  readonly args: readonly unknown[]
}
type Action = ((args: object) => void) & { readonly type?: string }

/** A host, with its parts, that keeps what is called; words are answered with their own name. */
function hostThatKeeps(calls: Called[]): object {
  const part = (): object =>
    new Proxy(
      {},
      {
        get: (_, method: string) =>
          /^(turnHost|stepHost|admission|continuation|closing|request|recovery|commit|calls)$/.test(
            method,
          )
            ? part()
            : (...args: readonly unknown[]) => {
                if (method.endsWith('Next')) return `said by ${method}`
                calls.push({ method, args })
                return undefined
              },
      },
    )
  return part()
}

const machines: readonly AnyStateMachine[] = [agentMachine, turnMachine, stepMachine]
const actions = machines.flatMap((machine) =>
  Object.entries(machine.implementations.actions as Record<string, Action>).map(
    ([name, action]) => ({ chart: machine.id, name, action }),
  ),
)
const own = actions.filter(({ action }) => action.type === undefined)
const builtIn = actions.filter(({ action }) => action.type !== undefined)

describe('an action calls the host once, as its name says', () => {
  it.each(own)('$chart: $name', ({ name, action }) => {
    const calls: Called[] = []
    const self = { send: () => {} }
    action({ context: { host: hostThatKeeps(calls) }, self })
    const [verb = '', object = ''] = name.split(' ')
    expect(calls.map(({ method }) => method)).toEqual([
      expect.stringMatching(METHODS[verb] ?? /^$/),
    ])
    const args = calls[0]?.args ?? []
    const make = args[1]
    if (typeof make !== 'function') return
    expect(args[0]).toBe(self)
    expect(make()).toMatchObject({ type: object })
  })
})

describe('an action that is no call of the host sends one event to a neighbour', () => {
  it.each(builtIn)('$chart: $name', ({ name, action }) => {
    expect(action.type).toBe('xstate.sendTo')
    expect(name).toMatch(/^(send|report) (turn|step)\.[a-z]+$/)
    expect(action).toHaveProperty('event', { type: name.split(' ')[1] })
  })
})
