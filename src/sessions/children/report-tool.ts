/**
 * The tool by which a child in the background tells its parent something before it has stopped.
 *
 * @module
 */
import type { AnyTool } from '../../actors/tool.port.ts'
import type { ChildRun } from './child-port.ts'

/** The tool of one child. */
export const reportTool = (run: ChildRun): AnyTool => ({
  name: 'report_to_parent',
  description: 'Tells whoever gave you the task something before you are done.',
  parameters: {
    type: 'object',
    properties: { message: { type: 'string', description: 'What to tell.' } },
    required: ['message'],
  },
  run(input: unknown) {
    const message = (input as { readonly message?: unknown } | null)?.message
    if (typeof message === 'string' && message !== '')
      return run.report(message) === 'undelivered' ? 'Nobody listens any more.' : 'Told.'
    throw Object.assign(new Error('expected a text as message'), { code: 'INVALID_ARGS' })
  },
})
