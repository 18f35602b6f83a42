/**
 * `turnwise/ai-sdk`: models of the AI SDK for agents.
 *
 * @module
 */
export { fromAiSdk, type AiSdkOptions } from './from-ai-sdk.ts'
export type { LanguageModelLike, SpecVersion, StreamPart } from './language-model.ts'
export type { ProviderTool } from './call-options.ts'
