/**
 * One schema per durable event: what its payload must look like in a stored log.
 *
 * The hot path does not use them: what machines make is held by types. They read loaded logs and draw `docs/events.md`;
 * events and fields carry their descriptions as Valibot metadata. A type test holds them equal to `CoreEvents`.
 *
 * @module
 */
import { lifecycleSchemas } from './schemas/lifecycle.schemas.ts'
import { workSchemas } from './schemas/work.schemas.ts'

/** By event type, in the order of the docs. Unknown fields are let through: a newer writer may add some. */
export const schemas = { ...lifecycleSchemas, ...workSchemas }
