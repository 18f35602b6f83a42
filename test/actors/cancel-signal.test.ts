/**
 * Abort signals made only when somebody looks, with the very cause object as their reason.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CancelSignal } from '../../src/actors/cancel-signal.ts'
import { finish, heldTool, rig, say } from './rig.ts'

/** Counts the platform signals that are made. */
function countControllers(): () => number {
  let made = 0
  class Counted extends AbortController {
    constructor() {
      super()
      made += 1
    }
  }
  vi.stubGlobal('AbortController', Counted)
  return () => made
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a cancel signal', () => {
  it('aborts with the object that it was given, and only once', () => {
    const cancel = new CancelSignal()
    const { signal } = cancel
    const first = { kind: 'user' }
    cancel.abort(first)
    cancel.abort({ kind: 'parent' })
    expect(cancel.reason).toBe(first)
    expect(signal.reason).toBe(first)
  })

  it('makes the platform signal at the first look, aborted if it is late', () => {
    const made = countControllers()
    const cancel = new CancelSignal()
    const reason = { kind: 'user' }
    cancel.abort(reason)
    expect(made()).toBe(0)
    expect(cancel.signal.aborted).toBe(true)
    expect(cancel.signal.reason).toBe(reason)
    expect(made()).toBe(1)
  })

  it('takes its followers with it, with the same object', () => {
    const leader = new CancelSignal()
    const follower = new CancelSignal(leader)
    const heard: unknown[] = []
    follower.signal.addEventListener('abort', () => heard.push(follower.signal.reason))
    const reason = { kind: 'user' }
    leader.abort(reason)
    expect(heard).toEqual([reason])
    expect(heard[0]).toBe(reason)
  })

  it('is aborted from the start where its leader is', () => {
    const leader = new CancelSignal()
    const reason = { kind: 'user' }
    leader.abort(reason)
    expect(new CancelSignal(leader).reason).toBe(reason)
  })

  it('lets a follower abort alone, and keeps that reason', () => {
    const leader = new CancelSignal()
    const follower = new CancelSignal(leader)
    const timeout = new Error('too long')
    follower.abort(timeout)
    expect(leader.aborted).toBe(false)
    leader.abort({ kind: 'user' })
    expect(follower.reason).toBe(timeout)
  })

  it('leaves what somebody watches as it is, too, once it has aborted alone', () => {
    const leader = new CancelSignal()
    const follower = new CancelSignal(leader)
    const late = new CancelSignal(follower)
    const signals = [follower.signal, late.signal]
    const timeout = new Error('too long')
    follower.abort(timeout)
    leader.abort({ kind: 'user' })
    expect([follower.reason, late.reason]).toEqual([timeout, timeout])
    for (const { reason } of signals) expect(reason).toBe(timeout)
  })

  it('aborts a follower of a follower with the same reason, however late somebody looks', () => {
    const leader = new CancelSignal()
    const watched = new CancelSignal(new CancelSignal(leader))
    const unwatched = new CancelSignal(leader)
    const { signal } = watched
    const cause = { kind: 'user' }
    leader.abort(cause)
    expect(signal.reason).toBe(cause)
    expect(unwatched.signal.reason).toBe(cause)
  })
})

it('gate, model and tool of a turn see the cause object of the cancel itself', async () => {
  const tool = heldTool('held')
  const reasons: unknown[] = []
  const { agent, model } = rig({
    model: ['call c1 held'],
    tools: [tool.tool],
    gates: {
      preStep: ({ signal }, next) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        return next()
      },
    },
  })
  agent.followup(say('A'))
  await vi.waitUntil(() => tool.running.length === 1)
  const body = tool.running[0]
  const cause = { kind: 'user', why: 'enough' } as const
  agent.cancel(cause)
  expect(body?.context.signal.reason).toBe(cause)
  expect(model.requests[0]?.context.signal.reason).toBe(cause)
  expect(reasons).toEqual([cause])
  expect(reasons[0]).toBe(cause)
  body?.settle()
  await finish(agent)
})

it('a turn that nobody watches makes no signal', async () => {
  const made = countControllers()
  const { agent } = rig({
    model: {
      provider: 'p',
      modelId: 'm',
      async *stream() {
        yield { kind: 'finish', reason: 'stop' } as const
      },
    },
  })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(made()).toBe(0)
  await finish(agent)
})
