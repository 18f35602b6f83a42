/**
 * Keeps a part that cannot be drawn from taking the others with it: a log may come from anywhere.
 *
 * @module
 */
import { Component, type ComponentChildren } from 'preact'

export interface GuardProps {
  /** What is kept from view. */
  readonly part: string
  /** Another value is a reason to try again. */
  readonly at: unknown
  readonly children: ComponentChildren
}

interface GuardState {
  /** The `at` that cannot be drawn. */
  readonly failed: { readonly at: unknown } | null
}

export class Guard extends Component<GuardProps, GuardState> {
  override state: GuardState = { failed: null }

  override componentDidCatch(): void {
    this.setState({ failed: { at: this.props.at } })
  }

  override render({ part, at, children }: GuardProps, { failed }: GuardState) {
    if (failed === null || failed.at !== at) return children
    return (
      <p class="card nothing" role="alert">
        {part} cannot be shown here: an event has another shape than this page knows.
      </p>
    )
  }
}
