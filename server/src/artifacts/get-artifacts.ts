import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../platform/database/db.ts'
import { isId } from '../platform/database/ids.ts'
import { cutPage } from '../platform/http/pages.ts'
import { readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { ArtifactId } from './artifact.ts'
import { findArtifactsInOrder } from './reading/find-artifact.ts'
import { ArtifactRepresentation, representArtifact } from './reading/represent-artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from './visibility.ts'

const MAX_IDS = 100
const Query = Type.Object({ id: Type.Optional(Type.Unknown()) })

export const getArtifacts = readRoute({
  method: 'GET',
  path: '/artifacts',
  operationId: 'getArtifacts',
  summary: 'Show several artifacts by their ids.',
  description:
    'Reads several artifacts at once, by ids in `query`. Everyone; artifacts that the caller may not see are left out. More than 100 ids are refused.',
  access: 'everyone',
  query: { query: Type.String({ description: '`{"id":[12,15]}`: at most 100, each once.' }) },
  pages: { default: 100, min: 1, max: 100 },
  formats: { sparse: true },
  answer: Type.Object({ collection: Type.Array(ArtifactRepresentation) }),
  async handle({ context, viewer, language, query, page }) {
    const { db } = context
    const seen = await seenAmong(db, viewer, idsIn(readJsonQuery(Query, query.query)))
    const { after, offset, limit } = page
    const rest = after ? seen.slice(seen.findIndex((id) => id === after[0]) + 1) : seen.slice(offset)
    const { rows, next, placeAt } = cutPage(rest, limit, (id) => [id])

    const audience = { context, db, viewer, language }
    const found = await findArtifactsInOrder(context, db, viewer, rows)
    const collection: ArtifactRepresentation[] = []
    for (const each of found) collection.push(await representArtifact(audience, each, { values: 'all' }))
    const fieldNames = found.flatMap(({ access }) => access.readable)
    return { body: { collection }, size: seen.length, next, placeAt, fieldNames }
  },
})

/** Ids out of range are accepted and match nothing. */
function idsIn({ id: given }: Static<typeof Query>): ArtifactId[] {
  if (!isListOfIds(given) || new Set(given).size < given.length)
    throw new ApiError('query_malformed', { path: 'query.id' })
  if (given.length > MAX_IDS) {
    const details = { path: 'query.id', rule: 'maximum', cause: 'too_many_ids', allowed: { maximum: MAX_IDS } } as const
    throw new ApiError('parameter_out_of_range', details).withStatus(403) // Kept for compatibility: clients expect 403.
  }
  return given.filter((id) => isId<ArtifactId>(id))
}

function isListOfIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => Number.isInteger(each))
}

/** The ids that the viewer sees, in the requested order. */
async function seenAmong(db: Db, viewer: Viewer, ids: readonly ArtifactId[]): Promise<ArtifactId[]> {
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id from artifact ${joined}
    where artifact.id = any(${ids}::bigint[]) and ${maySeeArtifact(viewer, joined)}
    order by array_position(${ids}::bigint[], artifact.id)`.execute(db)
  return rows.map(({ id }) => id)
}
