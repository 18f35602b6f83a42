/**
 * Reads the setup of a case about children: whose script is whose, and what the gates of the child do.
 *
 * @module
 */
import type { AgentOptions } from '../../../actors/agent-options.ts'
import type { Gates } from '../../../actors/gates.port.ts'
import { parseScript } from '../../parse-script.ts'
import type { ScriptEntry } from '../../script.ts'
import { looseRecord } from '../loose-value.ts'
import { group, splitTop } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'
import type { FamilyParts } from './family.ts'

const SIDE = /^(parent|child):\s*(.+)$/

/** `parent: call c1 spawn; child: hang`: entries by side; without a side they are the child's. */
function scriptsOf(
  model: readonly unknown[],
  unread: string[],
): Record<'parent' | 'child', ScriptEntry[]> {
  const scripts = { parent: [] as ScriptEntry[], child: [] as ScriptEntry[] }
  for (const part of model.flatMap((entry) => splitTop(String(entry), /\s*;\s*/))) {
    const [, side = 'child', text = part] = SIDE.exec(part) ?? []
    try {
      scripts[side as 'child'].push(parseScript(text))
    } catch (error) {
      unread.push(`model ${JSON.stringify(part)}: ${String(error)}`)
    }
  }
  return scripts
}

const PRE_STEP = /^(?:the )?(?:child )?preStep (?:gate |hook )?(.+)$/

/** The gates of the child. */
function gatesOf(hooks: readonly unknown[], unread: string[]): Gates {
  const preStep: NonNullable<Gates['preStep']>[] = []
  for (const hook of hooks.map(String)) {
    const does = group(PRE_STEP, hook) ?? ''
    if (does.startsWith('rejects')) preStep.push(() => ({ kind: 'reject', reason: 'rejected' }))
    else if (/^waits? (?:for|until) abort/.test(does)) preStep.push(() => new Promise(() => {}))
    else if (does.startsWith('throws'))
      preStep.push(() => {
        throw new Error('boom')
      })
    else unread.push(`hook ${JSON.stringify(hook)}`)
  }
  return { preStep: preStep.flat() }
}

/** Options of the child: `maxSteps: 1; rejectEmpty: true`. */
function optionsOf({ setup }: Scenario): AgentOptions {
  const { options = '' } = setup ?? {}
  return typeof options === 'string' ? looseRecord(options.replaceAll(';', ',')) : options
}

/** What a family is made with. */
export function readParts(scenario: Scenario, unread: string[]): FamilyParts {
  const { model = [], hooks = [] } = scenario.setup ?? {}
  const { parent, child } = scriptsOf(Array.isArray(model) ? (model as unknown[]) : [], unread)
  const deep = /max depth/.test(JSON.stringify(scenario.commands ?? []))
  const gates = gatesOf(hooks, unread)
  return { parent, child, gates, options: optionsOf(scenario), ...(deep && { maxDepth: 1 }) }
}
