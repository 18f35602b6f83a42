/**
 * How providers word a failure, and what must never be repeated of it.
 *
 * @module
 */

/** A request that is too long for the model: the wordings of the providers themselves. */
const OVERFLOW: readonly RegExp[] = [
  // Anthropic
  /prompt is too long/i,
  /exceed(s|ed)? (the )?context (limit|window)/i,
  /request(_| )too(_| )large/i,
  /request exceeds the maximum (allowed )?(size|number of bytes)/i,
  // OpenAI, DeepSeek, OpenRouter, vLLM
  /maximum context length/i,
  /exceeds the (model's )?(maximum )?context (window|length)/i,
  /input (tokens|length) exceeds?/i,
  // Google
  /input token count.*exceeds the maximum/i,
  // xAI
  /maximum prompt length is \d+/i,
  // Groq
  /reduce the length of the (messages|prompt|input)/i,
  // llama.cpp, LM Studio, Ollama
  /exceeds the available context size/i,
  /greater than the context length/i,
  /exceeded max context length/i,
  // Mistral, Moonshot, MiniMax, Amazon Bedrock
  /too large for model with \d+ maximum context/i,
  /exceeded model token limit/i,
  /context window exceeds limit/i,
  /input is too long for (the )?requested model/i,
  // What servers say to status 413 without an answer of their own
  /(payload|request entity|content) too large/i,
]

/** Statuses that never mean an overflow, whatever the text says: limits per minute are worded alike. */
const NO_OVERFLOW: ReadonlySet<number> = new Set([401, 403, 408, 429, 529])

/** Does a provider say that the request was too long? */
export const saysOverflow = (
  texts: readonly string[],
  words: ReadonlySet<string>,
  status: number | undefined,
): boolean => {
  if (status !== undefined && NO_OVERFLOW.has(status)) return false
  if (words.has('context_length_exceeded') || words.has('request_too_large')) return true
  return texts.some((text) => OVERFLOW.some((wording) => wording.test(text)))
}

/** Codes for the error types and codes of providers, where these say more than the status. */
const WORD_CODES: ReadonlyMap<string, string> = new Map([
  ['rate_limit_error', 'RATE_LIMIT'],
  ['rate_limit_exceeded', 'RATE_LIMIT'],
  ['too_many_requests', 'RATE_LIMIT'],
  ['throttlingexception', 'RATE_LIMIT'],
  ['resource_exhausted', 'RATE_LIMIT'],
  ['insufficient_quota', 'RATE_LIMIT'],
  ['overloaded_error', 'SERVER'],
  ['api_error', 'SERVER'],
  ['server_error', 'SERVER'],
  ['internal_server_error', 'SERVER'],
  ['internal_error', 'SERVER'],
  ['service_unavailable', 'SERVER'],
  ['insufficient_system_resource', 'SERVER'],
  ['server_is_overloaded', 'SERVER'],
  ['authentication_error', 'AUTH'],
  ['permission_error', 'AUTH'],
  ['invalid_api_key', 'AUTH'],
  ['ai_loadapikeyerror', 'AUTH'],
  ['timeout_error', 'TIMEOUT'],
])

/** The code for the first known word. */
export const codeOfWords = (words: ReadonlySet<string>): string | undefined => {
  for (const word of words) {
    const code = WORD_CODES.get(word)
    if (code !== undefined) return code
  }
  return undefined
}

/** Some packages pass on nothing but the text of an error in the stream. */
const TEXT_CODES: readonly (readonly [RegExp, string])[] = [
  [/rate limit|too many requests/i, 'RATE_LIMIT'],
  [/overloaded|internal server error|service unavailable|server is busy|bad gateway/i, 'SERVER'],
]

/** The code for a text without any structure. */
export const codeOfText = (text: string): string | undefined =>
  TEXT_CODES.find(([wording]) => wording.test(text))?.[1]

/** Longest text of a failure, in characters. */
const MAX_TEXT = 600

/** What looks like a credential. Names are kept where they tell what was left out. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{8,}/gi, '$1 [redacted]'],
  [/(?<![A-Za-z0-9])(sk|pk|rk|xai|gsk|ghp|gho|hf|pplx|r8)[-_][A-Za-z0-9_*.-]{6,}/g, '[redacted]'],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, '[redacted]'],
  [/\bA(KIA|SIA)[A-Z0-9]{12,}/g, '[redacted]'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?/g, '[redacted]'],
  [
    /((?:x-)?api[-_ ]?key|access[-_ ]?token|authorization|secret|password)(["']?\s*[:=]\s*["']?)[^\s"',;&)}]+/gi,
    '$1$2[redacted]',
  ],
  [/([?&](?:key|token|sig|signature)=)[^\s&"']+/gi, '$1[redacted]'],
  [/(\w+:\/\/)[^\s/@:]+:[^\s/@]+@/g, '$1[redacted]@'],
]

/** The text without anything that looks like a credential, and not longer than a paragraph. */
export function redacted(text: string): string {
  let clean = text
  for (const [secret, mark] of SECRETS) clean = clean.replace(secret, mark)
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean
}
