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
import { FileLog } from '../../log/file-log.ts'
import { FileSource } from './file-source.ts'
import { LiveSource } from './live-source.ts'
import type { LogSource } from './log-source.ts'

/** Agents that live now: a list, or a function that answers with them. */
export type Agents = Iterable<Agent> | (() => Iterable<Agent>)

/** Makes an agent live that goes on with a log. */
export type Revive = (file: string) => Promise<Agent>

/** The file of an agent's log, where it has one. */
const fileOf = ({ log }: Agent): string | undefined =>
  log instanceof FileLog ? resolve(log.file) : undefined

/** Finds what is there. */
export class SourceList {
  private readonly agents: Agents
  private readonly logs: readonly string[]
  private readonly revive: Revive | undefined
  private readonly files = new Map<string, FileSource>()
  /** Agents that were made live for a command, by their files. */
  private readonly revived = new Map<string, Promise<Agent>>()
  private readonly awake = new Map<string, Agent>()
  private readonly living = new WeakMap<Agent, LiveSource>()
  /** How many agents had this id so far. */
  private readonly namesakes = new Map<string, number>()

  constructor(agents: Agents, logs: readonly string[], revive?: Revive) {
    this.agents = agents
    this.revive = revive
    this.logs = logs.map((log) => resolve(log))
  }

  /** @throws what the function of the agents throws. */
  async all(): Promise<LogSource[]> {
    const { agents } = this
    const given = typeof agents === 'function' ? agents() : agents
    const living = new Set([...given, ...this.awake.values()])
    const paths = (await Promise.all(this.logs.map(filesIn))).flat()
    const taken = new Set([...living].map(fileOf))
    const files = [...new Set(paths)].filter((path) => !taken.has(path))
    return [
      ...[...living].map((agent) => this.ofAgent(agent)),
      ...files.map((path) => this.of(path)),
    ]
  }

  async find(id: string): Promise<LogSource | undefined> {
    return (await this.all()).find((source) => source.id === id)
  }

  /** The agent at work on a source, made live if it may be. @throws what makes it live. */
  async agentOf(source: LogSource): Promise<Agent | undefined> {
    const { revive, revived } = this
    if (source.agent !== undefined || !(source instanceof FileSource)) return source.agent
    if (revive === undefined) return undefined
    const { path } = source
    const waking = revived.get(path) ?? revive(path)
    revived.set(path, waking)
    try {
      const agent = await waking
      this.awake.set(path, agent)
      return agent
    } catch (error) {
      // The next command tries again.
      revived.delete(path)
      throw error
    }
  }

  private ofAgent(agent: Agent): LiveSource {
    const known = this.living.get(agent)
    if (known !== undefined) return known
    const source = new LiveSource(this.nameOf(agent), agent)
    this.living.set(agent, source)
    return source
  }

  /** A log keeps its name when an agent takes it up: whoever looks at it goes on looking. */
  private nameOf(agent: Agent): string {
    const file = this.files.get(fileOf(agent) ?? '')
    if (file !== undefined) return file.id
    const before = this.namesakes.get(agent.id) ?? 0
    this.namesakes.set(agent.id, before + 1)
    return before === 0 ? agent.id : `${agent.id}~${before + 1}`
  }

  private of(path: string): FileSource {
    const known = this.files.get(path)
    if (known !== undefined) return known
    const source = new FileSource(path, this.revive !== undefined)
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
