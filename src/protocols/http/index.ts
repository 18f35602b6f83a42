/**
 * Sessions over HTTP and server-sent events, by a web-standard handler, in the forms of this library, of the AI SDK and of
 * AG-UI.
 *
 * @module
 */
export { type AgUiEvent, AgUiStream } from '../../projections/narration/ag-ui.ts'
export { type LiveChunk, Narration } from '../../projections/narration/narration.ts'
export { type BlockType, type OpenBlock, type Told } from '../../projections/narration/told.ts'
export {
  type UiMessageOptions,
  UiMessageStream,
  type UiPart,
} from '../../projections/narration/ui-message.ts'
export { createHttpHandler } from './handler.ts'
export type { HttpAction, HttpAsked, HttpCaller, HttpHandler, HttpOptions } from './options.ts'
export type { HttpCode, HttpProblem } from './refusal.ts'
