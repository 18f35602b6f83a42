/**
 * Commands for a living agent: only where the viewer was opened with control.
 *
 * What became of a command is said here; nothing is shown as done before the server has answered.
 *
 * @module
 */
import { useState } from 'preact/hooks'
import type { CommandReceipt, ViewerCommand } from '../../../src/inspect/viewer/wire.ts'
import { command } from '../connection/api.ts'
import { Card } from './card.tsx'

/** What became of the last command. */
export interface Result {
  readonly ok: boolean
  readonly text: string
}

const DONE: Readonly<Record<string, string>> = {
  aborted: 'The turn is being aborted.',
  discarded: 'Nothing ran; what was pending was dropped.',
  none: 'Nothing to cancel.',
  queued: 'The cancel is queued behind the present move.',
}

/** What a receipt says. */
export function receiptText(sent: ViewerCommand, receipt: CommandReceipt): string {
  if ('id' in receipt) return `${sent.do}: accepted as ${receipt.id}.`
  if ('answer' in receipt) return `Answered: ${receipt.answer}.`
  const dropped = receipt.discarded.length
  const done =
    receipt.code === 'TURN_FINISHED'
      ? 'That turn is already over.'
      : (DONE[receipt.effect] ?? receipt.effect)
  return dropped === 0 ? done : `${done} ${dropped} pending dropped.`
}

/** Sends commands and keeps the result of the last. */
export function useCommands(agent: string) {
  const [result, tell] = useState<Result | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (body: ViewerCommand): Promise<boolean> => {
    setBusy(true)
    const sent = await command(agent, body)
    setBusy(false)
    tell(
      sent.ok
        ? { ok: true, text: receiptText(body, sent.receipt) }
        : { ok: false, text: sent.message },
    )
    return sent.ok
  }
  return { result, busy, send }
}

export interface ControlsProps {
  readonly commands: ReturnType<typeof useCommands>
  /** Is a turn open? */
  readonly running: boolean
}

const VERBS = [
  ['followup', 'Runs as a turn of its own'],
  ['steer', 'Joins the next step of the open turn'],
  ['inject', 'Context for the next step; wakes nobody'],
] as const

export function Controls({ commands, running }: ControlsProps) {
  const [text, write] = useState('')
  const [keepInbox, keep] = useState(false)
  const { result, busy, send } = commands
  const say = async (verb: 'followup' | 'steer' | 'inject'): Promise<void> => {
    if (text.trim() !== '' && (await send({ do: verb, text }))) write('')
  }
  return (
    <Card id="controls" title="Say">
      <textarea
        rows={2}
        value={text}
        aria-label="Message to the agent"
        placeholder="A message to the agent"
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <div class="buttons">
        {VERBS.map(([verb, title]) => (
          <button
            key={verb}
            type="button"
            class="button"
            title={title}
            disabled={busy || text.trim() === ''}
            onClick={() => void say(verb)}
          >
            {verb}
          </button>
        ))}
      </div>
      <div class="buttons">
        <button
          type="button"
          class="button danger"
          disabled={busy}
          onClick={() => void send({ do: 'cancel', keepInbox })}
        >
          {running ? 'cancel the turn' : 'cancel'}
        </button>
        <label>
          <input
            type="checkbox"
            checked={keepInbox}
            onChange={({ currentTarget }) => keep(currentTarget.checked)}
          />
          keep the inbox
        </label>
      </div>
      <p id="result" role="status" data-ok={result?.ok ?? true}>
        {result?.text ?? ''}
      </p>
    </Card>
  )
}
