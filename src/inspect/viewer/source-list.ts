/**
 * Everything the viewer shows, found anew at each look: living agents, and the log files of the named places.
 *
 * D1 A source keeps its identity while its agent or its file is there.
 * D2 The file of an agent that is shown living is not shown a second time.
 * D3 Only what was named is ever opened: a file by its path, a folder by the `.jsonl` files in it.
 *
 * @module
 */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Agent } from '../../actors/agent-handle.ts'
import { FileSource } from './file-source.ts'
import { LiveSource } from './live-source.ts'
import type { LogSource } from './log-source.ts'

/** Agents that live now: a list, or a function that answers with them. */
export type Agents = Iterable<Agent> | (() => Iterable<Agent>)

/** Finds what is there. */
export class SourceList {
  private readonly agents: Agents
  private readonly logs: readonly string[]
  private readonly files = new Map<string, FileSource>()
  private readonly living = new WeakMap<Agent, LiveSource>()
  /** How many agents had this id so far. */
  private readonly namesakes = new Map<string, number>()

  constructor(agents: Agents, logs: readonly string[]) {
    this.agents = agents
    this.logs = logs.map((log) => resolve(log))
  }

  /** @throws what the function of the agents throws. */
  async all(): Promise<LogSource[]> {
    const { agents } = this
    const living = [...(typeof agents === 'function' ? agents() : agents)]
    const taken = new Set(living.map((agent) => (agent.log as { readonly file?: string }).file))
    const paths = (await Promise.all(this.logs.map(filesIn))).flat()
    const files = [...new Set(paths)].filter((path) => !taken.has(path))
    return [...living.map((agent) => this.ofAgent(agent)), ...files.map((path) => this.of(path))]
  }

  async find(id: string): Promise<LogSource | undefined> {
    return (await this.all()).find((source) => source.id === id)
  }

  private ofAgent(agent: Agent): LiveSource {
    const known = this.living.get(agent)
    if (known !== undefined) return known
    const before = this.namesakes.get(agent.id) ?? 0
    this.namesakes.set(agent.id, before + 1)
    const source = new LiveSource(before === 0 ? agent.id : `${agent.id}~${before + 1}`, agent)
    this.living.set(agent, source)
    return source
  }

  private of(path: string): FileSource {
    const known = this.files.get(path)
    if (known !== undefined) return known
    const source = new FileSource(path)
    this.files.set(path, source)
    return source
  }
}

/** A folder stands for the logs in it. What is not there is shown as trouble of its own. */
async function filesIn(place: string): Promise<string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place]
    const names = await readdir(place)
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .map((name) => join(place, name))
  } catch {
    return [place]
  }
}
