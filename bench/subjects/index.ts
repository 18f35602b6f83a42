/**
 * Everything that is measured. A peer is added here; the first subject of a list is what the others are compared with.
 *
 * @module
 */
import type { Subject } from '../subject.ts'
import { floor } from './floor.ts'
import { inMemory, onFile } from './turnwise.ts'

/** Who is compared with whom, and how much more it may cost. */
export interface Comparison {
  readonly floor: Subject
  readonly subject: Subject
  /** What is compared: where nobody waits, CPU time says the same as wall time and is not moved by other work. */
  readonly by: 'cpu' | 'wall'
  /** Highest ratio to the floor, by the name of the workload. */
  readonly targets: Readonly<Record<string, number>>
}

export const comparisons: readonly Comparison[] = [
  { floor: floor('memory'), subject: inMemory, by: 'cpu', targets: { W1: 6, W2: 8, W6: 3 } },
  { floor: floor('file'), subject: onFile('none'), by: 'cpu', targets: { W1: 2, W2: 3.5 } },
  { floor: floor('synced'), subject: onFile('strict'), by: 'wall', targets: { W1: 1.3, W2: 1.3 } },
]
