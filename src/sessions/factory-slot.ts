/**
 * The one factory of a registry, from the moment it is set until everything made with it has ended.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { Household } from './household.ts'
import type { AgentFactory, FactoryHandle } from './registry-port.ts'

/** A factory while it is set. */
export class Tenure {
  readonly factory: AgentFactory
  readonly household = new Household()
  ending = false

  constructor(factory: AgentFactory) {
    this.factory = factory
  }
}

/** Holds one factory at a time. */
export class FactorySlot {
  private tenure: Tenure | undefined

  /** Is there a factory that is not being torn down? */
  get active(): boolean {
    return this.tenure !== undefined && !this.tenure.ending
  }

  /** @throws TurnwiseError NO_FACTORY, FACTORY_INACTIVE */
  get current(): Tenure {
    if (this.tenure === undefined) {
      throw new TurnwiseError(
        'NO_FACTORY',
        'expected a factory to make the agent with, found none; nothing was created. Set one first.',
      )
    }
    if (this.tenure.ending) throw inactive()
    return this.tenure
  }

  /** @throws TurnwiseError FACTORY_ALREADY_SET */
  set(factory: AgentFactory): FactoryHandle {
    if (this.tenure !== undefined) {
      throw new TurnwiseError(
        'FACTORY_ALREADY_SET',
        'expected no factory, found one; it was left in place. Tear it down first.',
      )
    }
    const tenure = new Tenure(factory)
    this.tenure = tenure
    return new Handle(tenure, () => {
      if (this.tenure === tenure) this.tenure = undefined
    })
  }
}

class Handle implements FactoryHandle {
  private readonly tenure: Tenure
  private readonly clear: () => void
  private torn: Promise<void> | undefined

  constructor(tenure: Tenure, clear: () => void) {
    this.tenure = tenure
    this.clear = clear
  }

  get active(): boolean {
    return !this.tenure.ending
  }

  tearDown(): Promise<void> {
    this.tenure.ending = true
    this.torn ??= this.tenure.household.end(inactive()).finally(this.clear)
    return this.torn
  }
}

const inactive = (): TurnwiseError =>
  new TurnwiseError(
    'FACTORY_INACTIVE',
    'expected an active factory, but it is torn down; nothing was created. Set another one when it is gone.',
  )
