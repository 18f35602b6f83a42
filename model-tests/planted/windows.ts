/**
 * Faults of one kind: a window without its cancel transition. There is one for each window of the charts of turn and step.
 *
 * @module
 */
import type { Fault } from './fault.ts'

/** The block of a state, from its name to the line that ends it at the same depth. */
function blockOf(source: string, state: string): { readonly from: number; readonly to: number } {
  const found = [...source.matchAll(new RegExp(`^( +)${state}: \\{$`, 'gm'))]
  const marked = found.filter(({ index, 1: indent }) => {
    const end = source.indexOf(`\n${indent}},`, index)
    return source.slice(index, end).includes("tags: 'cancel-window'")
  })
  const [only] = marked
  if (only === undefined || marked.length > 1)
    throw new Error(`expected one window named ${state}, found ${marked.length}`)
  return { from: only.index, to: source.indexOf(`\n${only[1]}},`, only.index) }
}

const CANCEL = /,?\s*'(?:turn|step)\.abort': (?:\{[^{}]*\}|abort|'[^']+'),?/

const forgotten = (window: string, state: string, file: string): Fault => ({
  id: `no-cancel-${window.toLowerCase()}-${state.toLowerCase()}`,
  what: `${window}: \`${state}\` has no way out for a cancel`,
  file,
  plant: (source) => {
    const { from, to } = blockOf(source, state)
    const block = source.slice(from, to)
    if (!CANCEL.test(block)) throw new Error(`expected a cancel transition in ${state}, found none`)
    return (
      source.slice(0, from) + block.replace(CANCEL, ',').replace(/\{\s*,/, '{') + source.slice(to)
    )
  },
})

const TURN = 'machines/turn.machine.ts'
const STEP = 'machines/step.machine.ts'
const CALLS = 'machines/step.calls.ts'

/** Every window whose cancel leads somewhere. */
export const FORGOTTEN_WINDOWS: readonly Fault[] = [
  forgotten('W05', 'opening', TURN),
  forgotten('W06', 'claiming', TURN),
  forgotten('W07', 'yielding', TURN),
  forgotten('W08', 'assembling', TURN),
  forgotten('W09', 'securing', TURN),
  forgotten('W09', 'gating', TURN),
  forgotten('W10', 'opening', STEP),
  forgotten('W11', 'composing', STEP),
  forgotten('W11', 'heading', STEP),
  forgotten('W11', 'securing', STEP),
  forgotten('W12', 'streaming', STEP),
  forgotten('W13', 'recovering', STEP),
  forgotten('W14', 'noting', STEP),
  forgotten('W14', 'backingOff', STEP),
  forgotten('W15', 'transforming', STEP),
  forgotten('W16', 'committing', STEP),
  forgotten('W16', 'answering', STEP),
  forgotten('W17', 'announcing', CALLS),
  forgotten('W17', 'admitting', CALLS),
  forgotten('W17', 'questioning', CALLS),
  forgotten('W17', 'approving', CALLS),
  forgotten('W17', 'flushing', CALLS),
  forgotten('W17', 'withdrawing', CALLS),
  forgotten('W18', 'running', CALLS),
  forgotten('W19', 'accounting', CALLS),
  forgotten('W19', 'recording', CALLS),
  forgotten('W19', 'answering', CALLS),
  forgotten('W20', 'continuing', TURN),
  forgotten('W21', 'deciding', TURN),
  forgotten('W21', 'decided', TURN),
  forgotten('W22', 'stopping', TURN),
]
