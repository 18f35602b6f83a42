/**
 * Mermaid itself, as far as it reads diagrams: it wants a browser only to clean markup, which reading does not need.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A relation of a state diagram, or a message of a sequence diagram. */
export interface ParsedDiagram {
  readonly db: {
    readonly getStates?: () => ReadonlyMap<string, unknown>
    readonly getRelations?: () => readonly { readonly id1: string; readonly id2: string }[]
    readonly getMessages?: () => readonly { readonly from: string; readonly message: unknown }[]
  }
}

interface Mermaid {
  parse(text: string): Promise<unknown>
  readonly mermaidAPI: { getDiagramFromText(text: string): Promise<ParsedDiagram> }
}

let loading: Promise<Mermaid> | undefined

async function load(): Promise<Mermaid> {
  const from = createRequire(createRequire(import.meta.url).resolve('mermaid'))
  const purify = from.resolve('dompurify').replace('purify.cjs.js', 'purify.es.mjs')
  const cleaner = (await import(pathToFileURL(purify).href)) as { readonly default: object }
  Object.assign(cleaner.default, { addHook: () => {}, sanitize: (text: string) => text })
  const mermaid = (await import('mermaid')) as unknown as { readonly default: Mermaid }
  // It learns the kinds of diagrams at the first one.
  await mermaid.default.parse('sequenceDiagram\n  a->>b: c')
  return mermaid.default
}

/** Reads a diagram. Rejects as Mermaid does for what it cannot read. */
export async function readMermaid(text: string): Promise<ParsedDiagram> {
  loading ??= load()
  return (await loading).mermaidAPI.getDiagramFromText(text)
}

/** A label as it will be seen: Mermaid keeps characters that were given by their number in a form of its own. */
export const seen = (label: string): string =>
  label.replaceAll(/ﬂ°°(\d+)¶ß/g, (_, code: string) => String.fromCodePoint(Number(code)))
