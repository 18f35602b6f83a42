/**
 * Starts the page.
 *
 * @module
 */
import { options, render } from 'preact'
import { App } from './app.tsx'
import { listenToKeys } from './view/travel.ts'
import { Store } from './view/store.ts'
import { StoreContext } from './view/use-store.ts'

// Many events may come between two frames; one drawing is enough for them.
options.debounceRendering = (draw) => {
  requestAnimationFrame(() => draw())
}

const place = document.querySelector('#page')
if (place !== null) {
  const store = new Store()
  listenToKeys(store)
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    place,
  )
  void store.start()
}
