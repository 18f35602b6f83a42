/**
 * A signal closes a host and ends its process.
 */
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { SignalOptions, SignalSource } from '../../../src/sessions/host/closing-port.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { deferred } from '../../support/deferred.ts'
import { codeOf, hostRig } from './rig.ts'

/** What takes the place of `process`. */
function signalled(options: SignalOptions = {}) {
  const rig = hostRig()
  const exits: number[] = []
  const emitter = new EventEmitter()
  const source = Object.assign(emitter, {
    exit: (code: number) => exits.push(code),
  }) as unknown as SignalSource
  const off = rig.host.onSignals(source, options)
  return { ...rig, exits, emitter, off }
}

it('the first signal closes and exits 0; what the service does at it is waited for', async () => {
  const order: string[] = []
  const stopped = deferred<void>()
  const { host, release, emitter, exits } = signalled({
    onSignal: async (signal) => {
      order.push(signal)
      await stopped.promise
    },
  })
  await host.send('a', 'hold')
  await settle()
  emitter.emit('SIGTERM')
  expect(await codeOf(host.send('a', 'late'))).toBe('HOST_CLOSING')
  await release('a')
  await host.close()
  await settle()
  expect([order, exits]).toEqual([['SIGTERM'], []])
  stopped.resolve()
  await settle()
  expect(exits).toEqual([0])
})

it('what the service does at the signal is waited for no longer than the bound, and its fault is told', async () => {
  const hanging = signalled({ giveUpMs: 100, onSignal: () => new Promise(() => {}) })
  hanging.emitter.emit('SIGINT')
  await settle()
  expect(hanging.exits).toEqual([])
  await hanging.clock.advance(100)
  expect(hanging.exits).toEqual([0])
  const failing = signalled({
    onSignal: () => {
      throw new Error('no server')
    },
  })
  failing.emitter.emit('SIGTERM')
  await settle()
  expect([failing.exits, failing.faults]).toEqual([[1], ['no server']])
})

it('a second signal exits at once, and after that nobody listens who was taken off', async () => {
  const { host, emitter, exits, off, release } = signalled()
  await host.send('a', 'hold')
  await settle()
  emitter.emit('SIGTERM')
  emitter.emit('SIGINT')
  expect(exits).toEqual([130])
  off()
  expect(emitter.listenerCount('SIGTERM') + emitter.listenerCount('SIGINT')).toBe(0)
  await release('a')
  await settle()
})
