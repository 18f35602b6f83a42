/**
 * Where the states of the lifecycle stand in its picture, and how the ways between them run. Chosen by eye.
 *
 * What is drawn is not decided here: a state or a way without a place is an error (`lifecycle-picture.ts`).
 *
 * @module
 */

/** A box, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A way: its corners from start to tip, and words beside it. */
export interface Route {
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly label?: readonly [
    text: string,
    x: number,
    y: number,
    anchor?: 'start' | 'middle' | 'end',
  ]
}

export const SIZE = { w: 1000, h: 500 }

const state = (x: number, y: number, w = 140): Box => ({ x, y, w, h: 46 })
const across = (from: number, to: number, y: number): Route['points'] => [
  [from, y],
  [to, y],
]
const down = (x: number, from: number, to: number): Route['points'] => [
  [x, from],
  [x, to],
]

/** Frames of the charts; `running` and `stepping` are the states that the inner ones run in. */
export const FRAMES: { readonly [chart: string]: Box & { readonly title: string } } = {
  agent: { x: 1, y: 1, w: 998, h: 498, title: 'agent' },
  turn: { x: 206, y: 36, w: 780, h: 450, title: 'running: the turn' },
  step: { x: 402, y: 94, w: 404, h: 382, title: 'stepping: the step' },
}

/** Boxes of the states, by chart and name. */
export const BOXES: { readonly [state: string]: Box } = {
  'agent maintenance': state(20, 62),
  'agent idle': state(20, 188),
  'agent disposing': state(20, 312),
  'agent disposed': state(20, 396),
  'agent running': FRAMES['turn'] as Box,
  'turn opening': state(222, 100),
  'turn claiming': state(222, 190),
  'turn gating': state(222, 280),
  'turn stepping': FRAMES['step'] as Box,
  'turn continuing': state(828, 190),
  'turn stopping': state(828, 280),
  'turn closing': state(828, 370),
  'step opening': state(424, 148, 166),
  'step streaming': state(424, 228, 166),
  'step noting': state(424, 308, 166),
  'step backingOff': state(424, 388, 166),
  'step committing': state(624, 228, 166),
  'step calling': state(624, 308, 166),
  'step closing': state(624, 388, 166),
}

/** Where a chart begins (a dot) and ends (a ringed dot). */
export const BEGINS: { readonly [chart: string]: readonly [x: number, y: number] } = {
  agent: [90, 160],
  turn: [292, 76],
  step: [507, 131],
}
export const ENDS: { readonly [chart: string]: readonly [x: number, y: number] } = {
  agent: [90, 470],
  turn: [898, 446],
  step: [707, 457],
}

/** What a dashed border says. */
export const LEGEND = { x: 222, y: 448, text: 'a cancel can arrive' }

/** The ways back to a claim meet above the step. */
const BACK = [
  [382, 78],
  [382, 213],
  [362, 213],
] as const

/** The ways, by chart and both names. */
export const ROUTES: { readonly [way: string]: Route } = {
  'agent idle running': { points: across(160, 206, 200), label: ['wakes', 183, 191, 'middle'] },
  'agent running idle': { points: across(206, 160, 222), label: ['rests', 183, 240, 'middle'] },
  'agent idle maintenance': { points: down(66, 188, 108) },
  'agent maintenance idle': { points: down(114, 108, 188) },
  'agent running disposing': { points: across(206, 160, 335) },
  'agent disposing disposed': { points: down(90, 358, 396) },
  'turn opening claiming': { points: down(292, 146, 190) },
  'turn claiming gating': { points: down(292, 236, 280) },
  'turn gating stepping': { points: across(362, 402, 303) },
  'turn stepping continuing': { points: across(806, 828, 213) },
  'turn continuing stopping': { points: down(898, 236, 280) },
  'turn stopping closing': { points: down(898, 326, 370) },
  'turn continuing claiming': {
    points: [[898, 190], [898, 78], ...BACK],
    label: ['owes another step, or was steered', 640, 69, 'middle'],
  },
  'turn stopping claiming': { points: [[968, 303], [978, 303], [978, 78], ...BACK] },
  'step opening streaming': { points: down(507, 194, 228) },
  'step streaming noting': { points: down(507, 274, 308) },
  'step noting backingOff': { points: down(507, 354, 388) },
  'step backingOff streaming': {
    points: [
      [424, 411],
      [413, 411],
      [413, 251],
      [424, 251],
    ],
  },
  'step streaming committing': { points: across(590, 624, 251) },
  'step committing calling': { points: down(707, 274, 308) },
  'step calling closing': { points: down(707, 354, 388) },
  'step noting closing': {
    points: [
      [590, 331],
      [607, 331],
      [607, 402],
      [624, 402],
    ],
  },
  'step backingOff closing': { points: across(590, 624, 420) },
}
