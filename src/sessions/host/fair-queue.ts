/**
 * Waiting in fair order: whoever is served goes behind everybody else who waits.
 *
 * F1 Groups are served one after another, one item each; within a group the oldest is first.
 * F2 A group that may not be served keeps its turn.
 *
 * @module
 */

/** Items that wait, in groups. */
export class FairQueue<Group, Item> {
  /** The group whose turn it is comes first. */
  private readonly lines = new Map<Group, Set<Item>>()
  private count = 0

  get size(): number {
    return this.count
  }

  sizeOf(group: Group): number {
    return this.lines.get(group)?.size ?? 0
  }

  groups(): Iterable<readonly [Group, ReadonlySet<Item>]> {
    return this.lines
  }

  add(group: Group, item: Item): void {
    const line = this.lines.get(group)
    if (line === undefined) this.lines.set(group, new Set([item]))
    else line.add(item)
    this.count += 1
  }

  /** @returns whether it was waiting. */
  delete(group: Group, item: Item): boolean {
    const line = this.lines.get(group)
    if (line?.delete(item) !== true) return false
    this.count -= 1
    if (line.size === 0) this.lines.delete(group)
    return true
  }

  /** Takes the next item whose group may be served; undefined if there is none. */
  take(may: (group: Group) => boolean): Item | undefined {
    for (const [group, line] of this.lines) {
      if (!may(group)) continue
      const [item] = line as Set<Item> & Iterable<Item>
      this.delete(group, item as Item)
      if (line.size > 0) {
        this.lines.delete(group)
        this.lines.set(group, line)
      }
      return item
    }
    return undefined
  }
}
