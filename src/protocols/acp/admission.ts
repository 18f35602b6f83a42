/**
 * What happens to a prompt before it is sent: it is read, its attachments are kept, and hooks look at it.
 *
 * It must not send anything: whoever calls it looks once more whether the client has cancelled, and then sends at once.
 *
 * @module
 */
import type { ContentBlock } from '../../events/message.ts'
import type { AcpAgentOptions } from './acp-port.ts'
import { readPrompt } from './prompt-content.ts'

/** Parts of the options that admission needs. */
export type AdmissionOptions = Pick<AcpAgentOptions, 'attachments' | 'admit' | 'hide'>

/** @throws AcpFault for blocks that are not understood; what attachments and hooks throw. */
export async function admit(
  sessionId: string,
  blocks: readonly unknown[],
  { attachments, admit: hooks = [], hide = (text) => text }: AdmissionOptions,
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  let content = await keep(readPrompt(blocks, hide), attachments, signal)
  for (const hook of hooks) {
    if (signal.aborted) return content
    content = (await hook({ sessionId, content, signal })) ?? content
  }
  return content
}

async function keep(
  blocks: readonly ContentBlock[],
  attachments: AdmissionOptions['attachments'],
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  if (attachments === undefined) return blocks
  const kept: ContentBlock[] = []
  for (const block of blocks) {
    if (signal.aborted) return kept
    kept.push(block.type === 'text' ? block : await attachments.put(block, signal))
  }
  return kept
}
