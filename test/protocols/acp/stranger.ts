/**
 * Somebody who writes lines by hand to the real ACP agent.
 *
 * @module
 */
import { behind, type Behind, cwd, finish } from './editor.ts'

/** A line that the agent wrote. */
export interface Said {
  readonly id?: unknown
  readonly result?: { readonly sessionId?: string }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Somebody who writes lines by hand. */
export class Stranger {
  readonly said: Said[] = []
  readonly stage: Behind
  private rest = ''
  private asked = 0
  private readonly watchers = new Set<() => void>()

  constructor(stage: Behind) {
    this.stage = stage
    stage.fromAgent.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (this.rest + piece).split('\n')
      this.rest = lines.pop() ?? ''
      for (const line of lines) this.said.push(JSON.parse(line) as Said)
      for (const watch of this.watchers) watch()
    })
  }

  write(text: string | Uint8Array): void {
    this.stage.toAgent.write(text)
  }

  until(fits: (said: Said) => boolean): Promise<Said> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = this.said.find(fits)
        if (found !== undefined) resolve(found)
      }
      this.watchers.add(watch)
      watch()
    })
  }

  ask(method: string, params?: unknown): Promise<Said> {
    this.asked += 1
    const id = `asked-${this.asked}`
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return this.until((said) => said.id === id)
  }

  async session(): Promise<string> {
    await this.ask('initialize', { protocolVersion: 1 })
    const { result } = await this.ask('session/new', { cwd, mcpServers: [] })
    return result?.sessionId ?? ''
  }
}

export const stranger = async (script: readonly string[], options = {}): Promise<Stranger> =>
  new Stranger(await behind(script, options))

export const end = ({ stage }: Stranger): Promise<void> =>
  finish({ ...stage, client: { close: () => stage.toAgent.end() } })

export const text = (words: string) => ({ type: 'text', text: words })
