/**
 * What a child session says of itself, once its first prompt was judged: whose it is and how it was started.
 *
 * @module
 */
import type { PreStepDecision } from '../../actors/gates.port.ts'
import type { ServiceDoor } from '../../actors/service-door.ts'
import type { Json } from '../../events/json.ts'

/** Records `child/descriptor` behind the answer of all other `preStep` gates, once. */
export function describeAtFirstStep(
  door: ServiceDoor,
  child: string,
  descriptor: { readonly [name: string]: Json },
): void {
  const remove = door.gateFirst(
    async ({ signal }: { signal: AbortSignal }, next: () => Promise<PreStepDecision>) => {
      const decision = await next()
      if (signal.aborted) return decision
      door.apply((append) => append({ type: 'child/descriptor', data: { child, descriptor } }))
      remove()
      return decision
    },
  )
}
