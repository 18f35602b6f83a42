/**
 * What a request means: its method and path, read once.
 *
 * @module
 */
import { checkSessionId } from '../../log/log-place.ts'
import type { HttpAction } from './options.ts'
import { HttpRefusal } from './refusal.ts'

export type RouteName =
  | 'messages'
  | 'cancel'
  | 'approvals'
  | 'events'
  | 'projection'
  | 'chat'
  | 'ag-ui'

export interface Route {
  readonly name: RouteName
  readonly action: HttpAction
  readonly sessionId: string
  /** Name of the projection. */
  readonly projection: string
}

interface Known {
  readonly method: 'GET' | 'POST'
  readonly action: HttpAction
}

const ROUTES: { readonly [name in RouteName]: Known } = {
  messages: { method: 'POST', action: 'send' },
  cancel: { method: 'POST', action: 'cancel' },
  approvals: { method: 'POST', action: 'approve' },
  events: { method: 'GET', action: 'read' },
  projection: { method: 'GET', action: 'read' },
  chat: { method: 'POST', action: 'send' },
  'ag-ui': { method: 'POST', action: 'send' },
}

/** How each stands in a path; a projection has a name behind it. */
const NAMES = new Map(
  (Object.keys(ROUTES) as RouteName[]).map((name) => [
    name === 'projection' ? 'projections/' : name,
    name,
  ]),
)

const nowhere = (): HttpRefusal =>
  new HttpRefusal(404, 'NOT_FOUND', 'expected the path of a session, found none; nothing was done.')

const PATH = /^\/sessions\/([^/]+)\/([a-z-]+)(?:\/([a-z-]+))?$/

/** Name and id in a path. @throws HttpRefusal 404 */
function placeOf(pathname: string): Omit<Route, 'action'> {
  const [, id = '', first = '', second] = PATH.exec(pathname) ?? []
  const name = NAMES.get(second === undefined ? first : `${first}/`)
  if (name === undefined) throw nowhere()
  return { name, sessionId: decoded(id), projection: second ?? '' }
}

/** @throws HttpRefusal 404 or 405; TurnwiseError INVALID_OPTION for an id that no session may have. */
export function routeOf(request: Request, basePath: string): Route {
  const { pathname } = new URL(request.url)
  if (!pathname.startsWith(`${basePath}/`)) throw nowhere()
  const place = placeOf(pathname.slice(basePath.length))
  const { method, action } = ROUTES[place.name]
  if (request.method !== method)
    throw new HttpRefusal(
      405,
      'METHOD_NOT_ALLOWED',
      `expected ${method}, found ${request.method}; nothing was done.`,
      { allow: method },
    )
  checkSessionId(place.sessionId)
  return { ...place, action }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw nowhere()
  }
}
