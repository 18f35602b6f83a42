/**
 * The agents and logs there are.
 *
 * @module
 */
import type { AgentSummary } from '../../../src/inspect/viewer/wire.ts'
import { shortLine } from '../../../src/projections/plain-text.ts'
import { numberText } from '../log/texts.ts'
import { useStore } from '../view/use-store.ts'

export const nameOf = ({ title, id, path }: AgentSummary): string =>
  shortLine(title ?? path?.slice(path.lastIndexOf('/') + 1) ?? id, 60)

export function Agents() {
  const store = useStore()
  const { agents, chosen } = store.view
  return (
    <nav class="agents" aria-label="Agents">
      <ul>
        {agents.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              aria-current={agent.id === chosen}
              title={shortLine(agent.path ?? agent.id, 200)}
              onClick={() => store.choose(agent.id)}
            >
              <span class="dot" data-status={agent.status} aria-hidden="true" />
              <span class="name">{nameOf(agent)}</span>
              <span class="about">
                {agent.kind === 'live' ? 'live · ' : ''}
                {agent.status} · {numberText(agent.events)} events
                {agent.trouble === undefined ? '' : ' · damaged'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
