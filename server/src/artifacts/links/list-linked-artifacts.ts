import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../platform/database/db.ts'
import { cutPage, type Pagination } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact, findArtifactsInOrder } from '../reading/find-artifact.ts'
import { flatValues, OUTPUT_FORMATS } from '../reading/flat-values.ts'
import { buildReadContext } from '../reading/read-context.ts'
import { ArtifactRepresentation, represent } from '../reading/represent-artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import { readableLinkField } from './link-field.ts'

export const listLinkedArtifacts = readRoute({
  method: 'GET',
  path: '/artifacts/:id/linked_artifacts',
  operationId: 'listLinkedArtifacts',
  summary: 'List the artifacts that an artifact links to, or that link to it.',
  description:
    'Lists linked artifacts of one direction, optionally of one type. Everyone who may see the artifact; hidden ones are left out and not counted. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  query: {
    direction: Type.Enum(['forward', 'reverse'], { description: '`forward`: the artifacts that it links to.' }),
    nature: Type.Optional(Type.String({ description: 'The type of the links; if absent, links without a type.' })),
    output_format: Type.Optional(
      Type.Enum([...OUTPUT_FORMATS], { description: 'Flat: a scalar or labels by field name.' }),
    ),
  },
  pages: { default: 10, min: 1, max: 50 },
  answer: Type.Union([
    Type.Object({ collection: Type.Array(ArtifactRepresentation) }),
    Type.Array(Type.Record(Type.String(), Type.Unknown())),
  ]),
  async handle({ context, viewer, language, params, query, page }) {
    const { db } = context
    const { direction, nature = '', output_format: format = 'nested' } = query
    const { access, artifact } = await findArtifact(context, db, viewer, params.id)
    const links = readableLinkField(access) ? linksOf(artifact.id, direction, nature) : sql`false`
    const { size, ids } = await readEnds(db, viewer, direction, links, page)
    const { rows, next, placeAt } = cutPage(ids, page.limit, (id) => [id])

    const audience = { context, db, viewer, language }
    const found = await findArtifactsInOrder(context, db, viewer, rows)
    const shown = []
    for (const each of found) shown.push({ each, reading: await buildReadContext(audience, each) })
    const body =
      format === 'nested'
        ? { collection: shown.map(({ each, reading }) => represent(audience, each, { values: 'all' }, reading)) }
        : shown.map(({ each, reading }) => flatValues(each, reading, format))
    return { body, size, next, placeAt }
  },
})

type Direction = 'forward' | 'reverse'

function linksOf(id: ArtifactId, direction: Direction, type: string): RawBuilder<unknown> {
  const here = direction === 'forward' ? sql`link.source_id` : sql`link.target_id`
  return sql`${here} = ${id} and link.type = ${type}`
}

/** The other ends, ordered by id as links are; one statement, so that size and page agree. */
async function readEnds(
  db: Db,
  viewer: Viewer,
  direction: Direction,
  links: RawBuilder<unknown>,
  { after, limit, offset }: Pagination,
): Promise<{ size: number; ids: ArtifactId[] }> {
  const there = direction === 'forward' ? sql`link.target_id` : sql`link.source_id`
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ size: number; id: ArtifactId | null }>`
    with seen as materialized (
      select artifact.id from artifact_link link join artifact on artifact.id = ${there} ${joined}
      where ${links} and ${maySeeArtifact(viewer, joined)}
    )
    select counted.size, page.id from (select count(*) as size from seen) counted left join lateral (
      select seen.id from seen where seen.id > ${after?.[0] ?? 0}::bigint
      order by seen.id limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id`.execute(db)
  return { size: rows[0]?.size ?? 0, ids: rows.flatMap(({ id }) => id ?? []) }
}
