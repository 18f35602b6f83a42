/**
 * How agents are seen: the viewer, a page on loopback.
 *
 * @module
 */
export { type Agents, serveViewer, type Viewer, type ViewerOptions } from './viewer/serve-viewer.ts'
