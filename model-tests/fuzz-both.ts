/**
 * The same seed on the table-driven logic and on the stock machine: both must do exactly the same.
 *
 * @module
 */
import { simulate, type SimulateOptions, type Simulation } from './fuzz.ts'

export interface Both {
  readonly table: Simulation
  readonly stock: Simulation
}

/** Simulates a seed twice, watching the process for what nobody caught. */
export async function simulateBoth(seed: number, options: SimulateOptions = {}): Promise<Both> {
  const uncaught: string[] = []
  const see = (error: unknown): void => {
    uncaught.push(
      `uncaught: ${error instanceof Error ? (error.stack ?? '').slice(0, 400) : String(error)}`,
    )
  }
  // XState warns of events that reach a stopped actor: nothing of ours may.
  const warn = Object.getOwnPropertyDescriptor(globalThis.console, 'warn') ?? {}
  Object.assign(globalThis.console, {
    warn: (...texts: unknown[]) =>
      uncaught.push(`warned: ${texts.map(String).join(' ').slice(0, 120)}`),
  })
  process.on('unhandledRejection', see)
  process.on('uncaughtException', see)
  try {
    const table = await simulate(seed, { ...options, stock: false })
    const stock = await simulate(seed, { ...options, stock: true })
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    return { table: { ...table, problems: [...table.problems, ...uncaught] }, stock }
  } finally {
    Object.defineProperty(globalThis.console, 'warn', warn)
    process.off('unhandledRejection', see)
    process.off('uncaughtException', see)
  }
}

const textOf = ({ log }: Simulation): string => log.map((event) => JSON.stringify(event)).join('\n')

/** How the two runs differ; empty when they do not. */
export function differ({ table, stock }: Both): string[] {
  const problems: string[] = []
  if (textOf(table) !== textOf(stock))
    problems.push('the stock machine writes another log than the table')
  if (table.trace.join('\n') !== stock.trace.join('\n'))
    problems.push('the stock machine calls back otherwise than the table')
  return problems
}
