/**
 * examples/json-rpc-client.ts does what it says, with a real server process.
 */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drive } from '../../../examples/json-rpc-client.ts'

it('drives an agent in another process', async () => {
  const server = [
    process.execPath,
    join(import.meta.dirname, '../../fixtures/wire/scripted-server.ts'),
  ]
  const model = ['text "Hi."', 'hang "x"', 'text "two"', 'text "three"']
  expect(await drive(server, JSON.stringify(model))).toEqual([
    'demo is running',
    'demo is idle',
    'Hi.',
    '1 waits, parked by cancel',
    expect.stringMatching(/^the first one is (uncommitted|committed)$/),
    '2 turns followed',
  ])
})
