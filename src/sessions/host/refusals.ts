/**
 * What a host refuses with.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'

/** The refusal of everything that comes once the end has begun. */
export const hostClosing = (session: string): TurnwiseError =>
  new TurnwiseError(
    'HOST_CLOSING',
    `expected an open host for session ${session}, but it is closing; nothing was written. Send it to another process, or again after the restart.`,
  )

/** The refusal of a message that would be one too many. @param whose - who has that many. */
export const overloaded = (
  session: string,
  { most, found, whose }: { readonly most: number; readonly found: number; readonly whose: string },
): TurnwiseError =>
  new TurnwiseError(
    'OVERLOADED',
    `expected fewer than ${most} pending messages ${whose}, found ${found}; nothing was done for session ${session}. Wait, and try again.`,
  )
