/**
 * What is asked about a call, and how the question may close.
 *
 * @module
 */
import type { Json } from './json.ts'

/** The question of an approval. */
export interface ApprovalQuestion {
  readonly tool: string
  /** Arguments as the policy saw them: parsed JSON, or the raw text where that failed. */
  readonly arguments: Json
  readonly prompt?: string
  /** When it expires unanswered, ms since the epoch. */
  readonly expiresAt?: number
}

/** The answer to an approval; anything but `allow` denies. */
export type ApprovalAnswer = 'allow' | 'deny' | 'cancelled' | 'expired'
