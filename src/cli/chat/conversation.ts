/**
 * A chat from its first line to the disposal of its agent.
 *
 * C1 It ends by ending the agent, whoever asks for that: the person, a signal, an output that broke, the end of the input.
 * C2 What waits stays in the log. At the end of piped input what runs is finished first, unless only a person could go on.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { written } from '../conduct.ts'
import { cancelBy, Interrupts } from '../interrupts.ts'
import { canMove, type Canvas, Screen } from '../live/screen.ts'
import { type RunHead, showHead } from '../reports.ts'
import type { Secrets } from '../secrets.ts'
import type { Surroundings } from '../surroundings.ts'
import { EXIT, type ExitCode } from '../usage.ts'
import { ChatView } from './chat-view.ts'
import { FootedScreen, type FootLine } from './footed-screen.ts'
import { type Desk, obey } from './obey.ts'
import { type Ear, takeKeys, takeLines, type Typing } from './typing.ts'
import { answerHint, parkedLine, pendingLines, questionLine } from './words.ts'

/** What a chat is made of. */
export interface Setting {
  readonly desk: Omit<Desk, 'quit'>
  readonly head: Omit<RunHead, 'prompt'>
  readonly secrets: Secrets
}

/** Talks until somebody ends it. @throws what the agent could not write. */
export async function converse(setting: Setting, at: Surroundings): Promise<ExitCode> {
  const conversation = new Conversation(setting, at)
  try {
    return await conversation.run()
  } finally {
    conversation.close()
  }
}

class Conversation {
  readonly #at: Surroundings
  readonly #setting: Setting
  readonly #agent: Agent
  readonly #screen: Canvas
  /** The same screen, where there is a terminal to draw on. */
  readonly #footed: FootedScreen | undefined
  readonly #view: ChatView
  readonly #interrupts: Interrupts
  #typing: Typing | undefined
  /** Lines that are being obeyed. */
  readonly #obeying = new Set<Promise<void>>()
  #leaves = false
  /** Piped input has ended, and the last turn did not complete. */
  #fell = false

  constructor(setting: Setting, at: Surroundings) {
    const { agent } = setting.desk
    this.#at = at
    this.#setting = setting
    this.#agent = agent
    const { stdin, stdout, env } = at
    if (stdin.isTTY === true && canMove(stdout, env))
      this.#footed = new FootedScreen(stdout, env, (most) => footerOf(agent, most))
    this.#screen = this.#footed ?? new Screen(stdout, env)
    this.#view = new ChatView(this.#screen, agent, this.#footed === undefined)
    this.#interrupts = new Interrupts(agent, at, () => this.#pressed())
  }

  async run(): Promise<ExitCode> {
    const { head } = this.#setting
    const gone = new Promise<void>((resolve) => {
      this.#agent.onDispose(resolve)
    })
    const ear = this.#ear()
    // First of all: until then the terminal itself shows what is typed, wherever its cursor stands.
    this.#typing =
      this.#footed === undefined ? takeLines(this.#at, ear) : takeKeys(this.#at, this.#footed, ear)
    showHead(this.#screen, head, this.#agent.id, this.#at.cwd)
    this.#view.begin(head.stored)
    await gone
    await Promise.all(this.#obeying)
    await this.#agent.dispose({ keepInbox: true })
    return this.#leave()
  }

  /** Gives the terminal back. */
  close(): void {
    this.#typing?.close()
    this.#view.end()
    this.#footed?.close()
    this.#interrupts.end()
  }

  async #leave(): Promise<ExitCode> {
    const { exitCode, outputFault } = this.#interrupts
    if (exitCode !== EXIT.pipeClosed) {
      const { agent, opens } = this.#setting.desk
      this.#view.end()
      this.#footed?.close()
      this.#view.say([`go on with: ${opens(agent.id)}`])
      await written(this.#at.stdout)
    }
    if (outputFault !== undefined) throw outputFault
    return exitCode ?? (this.#fell ? EXIT.failed : EXIT.ok)
  }

  #ear(): Ear {
    return {
      line: (text) => this.#line(text),
      interrupt: () => this.#interrupts.press(),
      key: () => this.#interrupts.forgive(),
      end: () => this.#ended(),
    }
  }

  #line(text: string): void {
    this.#interrupts.forgive()
    const desk: Desk = { ...this.#setting.desk, quit: () => this.#quit() }
    // It never rejects.
    const obeyed = obey(desk, this.#setting.secrets.hide(text)).then((lines) => {
      this.#view.say(lines)
      this.#obeying.delete(obeyed)
    })
    this.#obeying.add(obeyed)
  }

  /** A queue is not lost to a key that was only to clear the line. */
  #pressed(): void {
    if (this.#agent.status === 'running') cancelBy(this.#agent)
    else this.#view.say(['Ctrl-C again leaves'])
  }

  #quit(): void {
    this.#leaves = true
    this.#interrupts.forgive()
    // Whoever awaits the disposal hears what went wrong.
    this.#agent.dispose({ keepInbox: true }).catch(() => undefined)
  }

  #ended(): void {
    if (this.#leaves) return
    if (this.#at.stdin.isTTY === true) this.#quit()
    else void this.#finish()
  }

  /** Nobody types any more: what runs is finished, but a question stays a question. */
  async #finish(): Promise<void> {
    const agent = this.#agent
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (agent.log.ledger.standsStill) resolve()
      }
      agent.subscribe({ from: agent.log.length }, () => queueMicrotask(look))
      look()
      void agent.whenIdle().then(resolve)
    })
    await Promise.all(this.#obeying)
    const last = agent.log
      .read(this.#setting.head.stored)
      .findLast(({ type }) => type === 'turn/start' || type === 'turn/end')
    this.#fell =
      last !== undefined && !(last.type === 'turn/end' && last.data.reason.kind === 'completed')
    this.#quit()
  }
}

/** What waits, for an answer first. The last line counts what has no room. */
function footerOf(agent: Agent, most: number): readonly FootLine[] {
  const { approvals, inbox } = agent
  const asked = approvals.open.map((open) => `${answerHint(open)} · ${questionLine(open)}`)
  const parked = parkedLine(agent)
  const pressing = [...asked, ...(parked === undefined ? [] : [parked])]
  const count = pressing.length + inbox.nextStep.length + inbox.nextTurn.length
  const lines: readonly FootLine[] = [
    ...pressing.map((text) => ({ mark: 'yellow', text }) as const),
    ...pendingLines(agent, most).map((text) => ({ mark: 'dim', text }) as const),
  ]
  if (count <= most) return lines
  const kept = lines.slice(0, Math.max(0, most - 1))
  return [...kept, { mark: 'dim', text: `… ${count - kept.length} more (/status)` }]
}
