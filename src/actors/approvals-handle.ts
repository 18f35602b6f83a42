/**
 * The open questions as a handle shows them, and answers that go through the mailbox.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { showWhole } from '../events/shape.ts'
import { approvals as questions, type OpenQuestion } from '../projections/approvals.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { AgentApprovals, AnswerAllOptions, CallAnswer } from './approval.port.ts'
import type { Approvals } from './approvals.ts'
import type { Commands } from './commands.ts'

function checkAnswer({ answer }: Pick<CallAnswer, 'answer'>): void {
  if (answer === 'allow' || answer === 'deny') return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `an answer should be allow or deny, found ${showWhole(answer)}; nothing was recorded.`,
  )
}

/** The approvals of an agent. */
export class ApprovalsHandle implements AgentApprovals {
  private readonly approvals: Approvals
  private readonly commands: Commands
  private readonly models: ReadModel

  constructor(approvals: Approvals, commands: Commands, models: ReadModel) {
    this.approvals = approvals
    this.commands = commands
    this.models = models
  }

  get open(): readonly OpenQuestion[] {
    const keys = new Set(this.approvals.answerable.map(({ streamed }) => streamed.call.key))
    return this.models.read(questions).open.filter(({ call }) => keys.has(call.key))
  }

  answer(answers: readonly CallAnswer[]): void {
    for (const answer of answers) checkAnswer(answer)
    this.approvals.check(answers)
    this.commands.apply(() => {
      this.approvals.answer(answers)
    })
  }

  answerAll(answer: 'allow' | 'deny', options: AnswerAllOptions = {}): readonly string[] {
    const { tool, ...rest } = options
    const open = this.open.filter(({ question }) => tool === undefined || question.tool === tool)
    const keys = open.map(({ call }) => call.key)
    this.answer(keys.map((call) => ({ ...rest, call, answer })))
    return keys
  }
}
