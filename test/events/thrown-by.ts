/**
 * For tests of errors: what was thrown, to look at all of it.
 *
 * @module
 */

/** What `body` throws. @throws if it throws nothing */
export function thrownBy(body: () => unknown): unknown {
  try {
    body()
  } catch (error) {
    return error
  }
  throw new Error('expected an error, but nothing was thrown')
}

/** An object whose fields cannot be listed, and the error of whoever asks for them. */
export function unlistable(): { readonly value: object; readonly error: Error } {
  const error = new Error('nobody lists my fields')
  const value = new Proxy(
    {},
    {
      ownKeys() {
        throw error
      },
    },
  )
  return { value, error }
}
