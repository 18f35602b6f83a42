/**
 * SIGTERM and SIGINT: the first one closes a host and ends the process, a second one ends it at once.
 *
 * @module
 */
import type {
  CloseOptions,
  CloseReport,
  ExitSignal,
  SignalOptions,
  SignalSource,
} from './closing-port.ts'

/** Exit codes of processes that a signal ended. */
const CODES: Readonly<Record<ExitSignal, number>> = { SIGINT: 130, SIGTERM: 143 }

/** What closes. */
export interface Closable {
  close(options: CloseOptions): Promise<CloseReport>
  /** Told of what `onSignal` threw or rejected with. */
  fault(error: unknown): void
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>
}

/** Listens for both. @returns takes the listeners off. */
export function closeOnSignals(
  host: Closable,
  source: SignalSource,
  { onSignal, ...bounds }: SignalOptions,
): () => void {
  let begun = false
  const end = async (signal: ExitSignal): Promise<void> => {
    let code = 0
    const failed = (error: unknown): void => {
      code = 1
      host.fault(error)
    }
    const closing = host.close(bounds)
    const own = Promise.resolve(signal).then(onSignal).catch(failed)
    try {
      const { exitCode } = await closing
      code ||= exitCode
    } catch (error) {
      failed(error)
    }
    await Promise.race([own, host.wait(bounds.giveUpMs ?? 10_000)])
    source.exit(code)
  }
  const listeners = (['SIGTERM', 'SIGINT'] as const).map((signal) => {
    const listener = (): void => {
      if (begun) source.exit(CODES[signal])
      begun = true
      void end(signal)
    }
    source.on(signal, listener)
    return () => source.off(signal, listener)
  })
  return () => {
    for (const off of listeners) off()
  }
}
