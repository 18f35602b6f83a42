/**
 * Every method of a session by its name.
 *
 * @module
 */
import { inboxMethods } from './inbox.methods.ts'
import type { Method, MethodsOf } from './method.ts'
import { readingMethods } from './reading.methods.ts'
import type { MethodName } from './wire.ts'
import { workMethods } from './work.methods.ts'

const METHODS: MethodsOf<Exclude<MethodName, 'initialize' | 'shutdown'>> = {
  ...workMethods,
  ...inboxMethods,
  ...readingMethods,
}

const BY_NAME = new Map(Object.entries(METHODS) as [string, Method<never>][])

/** Every name. */
export const methodNames: readonly string[] = [...BY_NAME.keys()]

/** The method of that name, if there is one. */
export const methodNamed = (name: string): Method<never> | undefined => BY_NAME.get(name)
