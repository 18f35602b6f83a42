/**
 * An observable whose subscribers cannot harm the process: what they throw is reported and goes no further.
 *
 * RxJS rethrows the error of a subscriber in a timer of its own, where nothing can catch it. Here the plain observers,
 * also those at the end of a pipe, are wrapped before RxJS sees them; a wrapped subscriber stays subscribed.
 *
 * @module
 */
import { Observable, Subscriber } from 'rxjs'
import type { Observer, Operator, Subscription, TeardownLogic } from 'rxjs'

/** Told of an error that a subscriber or an operator has thrown. */
export type OnFault = (error: unknown) => void

class ContainedObservable<T> extends Observable<T> {
  readonly #onFault: OnFault

  constructor(onFault: OnFault, subscribe?: (subscriber: Subscriber<T>) => TeardownLogic) {
    super(subscribe)
    this.#onFault = onFault
  }

  /** Operators build on this, so that what they derive is contained too. */
  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new ContainedObservable<R>(this.#onFault)
    lifted.source = this
    lifted.operator = operator
    return lifted
  }

  override subscribe(
    observer?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    if (observer instanceof Subscriber) return super.subscribe(observer)
    const plain: Partial<Observer<T>> =
      typeof observer === 'function' || observer == null
        ? partial(observer, error, complete)
        : observer
    return super.subscribe({
      next: (value) => this.#guard(() => plain.next?.(value)),
      error: (thrown) => {
        if (plain.error === undefined) this.#onFault(thrown)
        else this.#guard(() => plain.error?.(thrown))
      },
      complete: () => this.#guard(() => plain.complete?.()),
    })
  }

  #guard(call: () => void): void {
    try {
      call()
    } catch (thrown) {
      this.#onFault(thrown)
    }
  }
}

function partial<T>(
  next?: ((value: T) => void) | null,
  error?: ((error: unknown) => void) | null,
  complete?: (() => void) | null,
): Partial<Observer<T>> {
  return { ...(next && { next }), ...(error && { error }), ...(complete && { complete }) }
}

/**
 * Makes an observable that contains its subscribers.
 *
 * @param onFault - must not throw.
 * @param subscribe - as for `new Observable`.
 */
export const contained = <T>(
  onFault: OnFault,
  subscribe: (subscriber: Subscriber<T>) => TeardownLogic,
): Observable<T> => new ContainedObservable(onFault, subscribe)
