/**
 * The frame of a group of facts.
 *
 * @module
 */
import type { ComponentChildren } from 'preact'

export interface CardProps {
  readonly id: string
  readonly title: string
  /** A short word beside the title. */
  readonly note?: string
  readonly children: ComponentChildren
}

export const Card = ({ id, title, note = '', children }: CardProps) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <header>
      <h2 id={`${id}-title`}>{title}</h2>
      {note === '' ? null : <span class="count">{note}</span>}
    </header>
    {children}
  </section>
)

export const Nothing = ({ children }: { readonly children: string }) => (
  <p class="nothing">{children}</p>
)
