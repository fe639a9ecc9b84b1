import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../platform/database/db.ts'
import { cutPage, type Page } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findTracker } from '../trackers/find-tracker.ts'
import { stamp } from '../trackers/load-tracker.ts'
import type { Reading } from '../trackers/fields/field-type.ts'
import type { Sight } from '../trackers/sight.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { oneTracker } from '../trackers/visibility.ts'
import type { ArtifactId } from './artifact.ts'
import { cellOf, type Column, columnsOf, fieldsOf } from './reading/artifact-table.ts'
import { findInOrder, type FoundArtifact } from './reading/find-artifact.ts'
import { type Audience, readingsOf } from './reading/reading.ts'
import { ArtifactRepresentation, represent } from './reading/represent-artifact.ts'
import { inSight, sizeInSight } from './visibility.ts'

const TURNS = 5
const AT_ONCE = 100

export const listArtifacts = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts',
  operationId: 'listArtifacts',
  summary: 'List the artifacts of a tracker.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    values: Type.Optional(
      Type.Enum(['all'], {
        description: 'With the values of every field; `fields` that name `values` ask for them too.',
      }),
    ),
    order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By id; ascending unless said otherwise.' })),
  },
  pages: { default: 100, min: 0, max: 1000 },
  sparse: true,
  answer: Type.Array(ArtifactRepresentation),
  async handle({ context, viewer, language, params, query, chosen, page }) {
    const audience = { context, db: context.db, viewer, language }
    const { order = 'asc' } = query
    requirePlaceIn(order, page)
    for (let turn = 0; turn < TURNS; turn++) {
      const sight = await findTracker(context, context.db, viewer, params.id)
      const { ids, size, stamp: seen } = await readIds(context.db, sight, order, page)
      if (seen !== sight.tracker.stamp) continue // Rights have changed between the two: they are looked at again.
      const { rows, next, placeAt } = cutPage(ids, page.limit, (id) => [id, order])
      const body = await showAll(audience, sight, rows, showsValues(query, chosen))
      // A page is full: where something has gone since it was counted, the page is read again.
      if (body.length === rows.length) return { body, size, next, placeAt, fieldNames: fieldsOf(sight) }
    }
    throw new ApiError('unavailable')
  },
  async exportRows({ context, viewer, language, params, query, chosen }, tx) {
    const audience = { context, db: tx, viewer, language }
    const sight = await findTracker(context, tx, viewer, params.id)
    const { order = 'asc' } = query
    const { size } = await readIds(tx, sight, order, { limit: 0, offset: 0, after: undefined })
    return {
      size,
      fieldNames: fieldsOf(sight),
      rows: walk(tx, sight, order, (ids) => showAll(audience, sight, ids, showsValues(query, chosen))),
      table(names) {
        const columns = columnsOf(sight, names)
        const rows = walk(tx, sight, order, (ids) => tabulate(audience, sight, ids, columns))
        return { columns: columns.map(({ name }) => name), rows }
      },
    }
  },
})

type Order = 'asc' | 'desc'

/** A place in one order is none in the other. */
function requirePlaceIn(order: Order, { after }: Page): void {
  if (after && after[1] !== order) throw new ApiError('parameter_invalid', { path: 'cursor', rule: 'format' })
}

function showsValues({ values }: { values?: 'all' }, chosen: ReadonlySet<string> | undefined): boolean {
  return chosen ? chosen.has('values') : values === 'all'
}

/** The whole list, some at a time. */
async function* walk<Row>(
  tx: Tx,
  sight: Sight,
  order: Order,
  show: (ids: readonly ArtifactId[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Page['after']
  do {
    const { ids } = await readIds(tx, sight, order, { limit: AT_ONCE, offset: 0, after })
    const { rows, next } = cutPage(ids, AT_ONCE, (id) => [id])
    yield await show(rows)
    after = next
  } while (after)
}

interface Ids {
  readonly ids: readonly ArtifactId[]
  readonly size: number
  readonly stamp: string | undefined
}

async function readIds(db: Db | Tx, sight: Sight, order: Order, page: Page): Promise<Ids> {
  const [last] = page.after ?? []
  const behind =
    last === undefined ? sql`true` : order === 'asc' ? sql`artifact.id > ${last}` : sql`artifact.id < ${last}`
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<{ ids: ArtifactId[]; size: number; stamp: string }>`
    select ${stamp} as stamp, ${sizeInSight(sight)} as size, array(
      select artifact.id from artifact where ${inSight(sight)} and ${behind} order by artifact.id ${direction}
      limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}) as ids
    from ${oneTracker(sight.tracker.id)}`.execute(db)
  const [row] = rows
  return { ids: row?.ids ?? [], size: row?.size ?? 0, stamp: row?.stamp }
}

async function showAll(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  withValues: boolean,
): Promise<ArtifactRepresentation[]> {
  const { found, readings } = await read(audience, sight, ids, { values: withValues, charts: true })
  const values = withValues ? 'collection' : 'none'
  return found.map((each, at) => represent(audience, each, { values }, readings[at]))
}

async function tabulate(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  columns: readonly Column[],
): Promise<readonly (readonly unknown[])[]> {
  const values = columns.some((column) => 'field' in column)
  const { found, readings } = await read(audience, sight, ids, { values, charts: false })
  return found.map((each, at) => {
    const shown = represent(audience, each, { values: 'none' }, undefined)
    return columns.map((column) => cellOf(column, each, shown, readings[at]))
  })
}

/**
 * As many statements for some of them as for one, and none of them long. Links and references are read only where values
 * are shown.
 */
async function read(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  { values, charts }: { readonly values: boolean; readonly charts: boolean },
) {
  const { context, db, viewer } = audience
  const extent = values ? 'whole' : 'head'
  const found: FoundArtifact[] = []
  const readings: Reading[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = await findInOrder(context, db, viewer, ids.slice(from, from + AT_ONCE), { extent, sight })
    found.push(...some)
    if (values) readings.push(...(await readingsOf(audience, some, { charts })))
  }
  return { found, readings }
}
