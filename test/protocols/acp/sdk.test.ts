/**
 * Without the optional package there is no agent, and a sentence that says what to do.
 */
import { afterEach, expect, it, vi } from 'vitest'
import { createAcpAgent } from '../../../src/protocols/acp/acp-agent.ts'

afterEach(() => {
  vi.doUnmock('@agentclientprotocol/sdk')
})

it('says how to install what is missing', async () => {
  vi.doMock('@agentclientprotocol/sdk', () => {
    throw new Error('Cannot find package')
  })
  await expect(createAcpAgent({ prepare: () => ({}) })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('npm install @agentclientprotocol/sdk@2') as string,
  })
})
