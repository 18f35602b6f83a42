/**
 * How agents are seen: the viewer, a page on loopback, and the answers it gives.
 *
 * @module
 */
export { budgetsUsed, type BudgetsUsed } from './account/budgets-used.ts'
export type { Finding, FindingCode } from './account/finding.ts'
export { messageFates, type MessageFate } from './account/message-fates.ts'
export { type Standing, standing, standingOf, standingView } from './account/standing.ts'
export { whyNotIdle } from './account/why-not-idle.ts'
export { chartText, type ChartFormat, type ChartName } from './chart-formats.ts'
export { machineDefinition } from './definition.ts'
export { machineDot } from './dot.ts'
export { sessionMarkdown } from './markdown.ts'
export { machineMermaid, machinesMermaid, type MermaidOptions } from './mermaid.ts'
export { otlpTraces, type OtlpOptions, type OtlpTraces } from './otel/otlp.ts'
export {
  inspectWithStately,
  type StatelyInspection,
  type StatelyOptions,
  type StatelyServer,
} from './stately/inspect-with-stately.ts'
export { type Agents, serveViewer, type Viewer, type ViewerOptions } from './viewer/serve-viewer.ts'
