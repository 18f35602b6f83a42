/**
 * The page: everything that is known of one agent at one position, in one view.
 *
 * @module
 */
import type { Moment } from './log/moment.ts'
import { Agents } from './parts/agents.tsx'
import { Answer } from './parts/answer.tsx'
import { Charts } from './parts/charts.tsx'
import { Controls, useCommands } from './parts/controls.tsx'
import { Differences } from './parts/differences.tsx'
import { EventDetail } from './parts/event-detail.tsx'
import { EventList } from './parts/event-list.tsx'
import { Approvals, Budgets, Calls, Inbox, Usage } from './parts/facts.tsx'
import { Guard } from './parts/guard.tsx'
import { Head } from './parts/head.tsx'
import { Sequence } from './parts/sequence.tsx'
import { Timeline } from './parts/timeline.tsx'
import type { Store } from './view/store.ts'
import { useChanges, useNow, useStore } from './view/use-store.ts'

/** May the log still grow, and is its end shown? */
const isGoingOn = ({ view, agent }: Store): boolean =>
  view.cursor === null && (agent?.kind === 'live' || agent?.owner === 'alive')

export function App() {
  const store = useStore()
  useChanges(store)
  const goesOn = isGoingOn(store)
  const clock = useNow(goesOn)
  // A position is judged by the clock where the log may still go on, else by its last event.
  const now = goesOn ? clock : (store.moment.time ?? clock)
  const { agents, chosen } = store.view
  const at = store.moment
  return (
    <div class="page" data-many={agents.length > 1}>
      <Head />
      {agents.length > 1 ? <Agents /> : null}
      <Timeline />
      <Guard part="The answer" at={at}>
        <Answer now={now} />
      </Guard>
      <main>
        <Guard part="The charts" at={at}>
          <Charts />
        </Guard>
        <Guard part="The events" at={at}>
          <EventList />
        </Guard>
        <Guard part="The sequence" at={at}>
          <Sequence />
        </Guard>
      </main>
      <aside aria-label="State">
        {chosen === null ? null : (
          <Guard part="The state" at={at}>
            <State key={chosen} agent={chosen} moment={store.moment} now={now} />
          </Guard>
        )}
      </aside>
    </div>
  )
}

interface StateProps {
  readonly agent: string
  readonly moment: Moment
  readonly now: number
}

function State({ agent, moment, now }: StateProps) {
  const store = useStore()
  const commands = useCommands(agent)
  const control = store.agent?.control === true && store.view.cursor === null
  const onAnswer = (call: string, allow: boolean): void => {
    void commands.send({ do: allow ? 'approve' : 'deny', call })
  }
  return (
    <>
      {control ? (
        <Controls commands={commands} running={moment.status.status === 'running'} />
      ) : null}
      <Differences />
      <Approvals moment={moment} now={now} {...(control ? { onAnswer } : {})} />
      <Calls moment={moment} now={now} />
      <Inbox moment={moment} />
      <Budgets moment={moment} now={now} allowed={store.agent?.budgets} />
      <Usage moment={moment} />
      <EventDetail />
    </>
  )
}
