/**
 * Asks the server of this page, and no other address.
 *
 * @module
 */
import type { StoredEvent } from '../../../src/events/event.ts'
import type {
  AgentList,
  Chart,
  CommandReceipt,
  Refusal,
  ViewerCommand,
} from '../../../src/inspect/viewer/wire.ts'

/** Where something stands, seen from the page. */
export const address = (path: string): string => new URL(`api/${path}`, document.baseURI).href

/** The token that the address of the page holds behind `#`, where nothing sends it anywhere. */
const tokenOf = (hash: string): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? ''

const words = (fault: unknown): string =>
  fault instanceof Error ? fault.message : 'the server did not answer'

async function get<T>(path: string): Promise<T> {
  const response = await fetch(address(path), { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(await refusalOf(response))
  return (await response.json()) as T
}

/** What an answer that is no success says. */
async function refusalOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as Refusal
    return `${error.code}: ${error.message}`
  } catch {
    return `the server answered ${response.status}`
  }
}

export const listAgents = (): Promise<AgentList> => get('agents')
export const listCharts = (): Promise<readonly Chart[]> => get('charts')
export const wholeEvent = (id: string, seq: number): Promise<StoredEvent> =>
  get(`agents/${encodeURIComponent(id)}/events/${seq}`)

/** How a command went. */
export type Sent =
  | { readonly ok: true; readonly receipt: CommandReceipt }
  | { readonly ok: false; readonly message: string }

/** Sends a command. A refusal and a broken connection are answers too. */
export async function command(id: string, body: ViewerCommand): Promise<Sent> {
  try {
    const response = await fetch(address(`agents/${encodeURIComponent(id)}/commands`), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokenOf(location.hash)}`,
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) return { ok: false, message: await refusalOf(response) }
    return { ok: true, receipt: (await response.json()) as CommandReceipt }
  } catch (fault) {
    return { ok: false, message: words(fault) }
  }
}
