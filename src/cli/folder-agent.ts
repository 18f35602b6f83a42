/**
 * The agent of the command line: it reads one folder, and nothing else.
 *
 * @module
 */
import type { AgentOptions } from '../actors/agent-options.ts'
import type { ChosenModel } from './model-choice.ts'
import type { Secrets } from './secrets.ts'
import { folderTools } from './tools/folder-tools.ts'
import type { Folder } from './tools/folder.ts'
import { modelWithout, toolWithout } from './without-secrets.ts'

/** Budget of one prompt; a question about a folder that needs more is not being answered. */
const MAX_STEPS = 50
/** How long a tool or a stream may take to notice a cancel. */
const DRAIN_GRACE_MS = 2000

const SYSTEM = `You answer questions about the files of one folder. Your tools only read, and only this folder; paths are relative to it. Look before you answer, name the files you looked at, and be brief. Say so when something is not there or was left out.`

/** What the agent is made with, apart from its log. */
export const folderAgent = (
  folder: Folder,
  { model, retry }: ChosenModel,
  secrets: Secrets,
): AgentOptions => ({
  model: modelWithout(secrets, model),
  tools: folderTools(folder).map((tool) => toolWithout(secrets, tool)),
  system: SYSTEM,
  retry,
  maxSteps: MAX_STEPS,
  drainGraceMs: DRAIN_GRACE_MS,
})
