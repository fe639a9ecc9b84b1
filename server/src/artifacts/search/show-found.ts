import { ApiError } from '../../platform/messages/errors.ts'
import { mapInSlices } from '../../platform/operation/slices.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findPastArtifact, type PastArtifact } from '../history/find-past-artifact.ts'
import { tableCell, type ArtifactColumn } from '../reading/artifact-table.ts'
import { findArtifactsInOrder, type FoundArtifact } from '../reading/find-artifact.ts'
import { type FlatFormat, flatValues } from '../reading/flat-values.ts'
import { isShownByItself, buildPlainReadContext, buildReadContexts } from '../reading/read-context.ts'
import type { Audience } from '../reading/audience.ts'
import { type ArtifactRepresentation, represent } from '../reading/represent-artifact.ts'

export const ARTIFACT_BATCH_SIZE = 100

/** Handles ids in batches, in order. */
export async function inBatches<Row>(
  ids: readonly ArtifactId[],
  handle: (ids: readonly ArtifactId[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += ARTIFACT_BATCH_SIZE)
    rows.push(...(await handle(ids.slice(from, from + ARTIFACT_BATCH_SIZE))))
  return rows
}

/** Representations of the listed artifacts in order; artifacts that disappeared meanwhile are omitted. */
export async function showFound(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  { withValues, fields = access.readable, asOf }: Form,
): Promise<ArtifactRepresentation[]> {
  const values = withValues ? 'collection' : 'none'
  if (asOf) return showPast(audience, access, ids, asOf, values)
  if (withValues && fields.every(isShownByItself)) {
    const { found } = await read(audience, access, ids, { values: false, charts: false, shown: fields })
    return mapInSlices(found, (each) =>
      represent(audience, each, { values, fields }, buildPlainReadContext(audience, each)),
    )
  }
  const { found, readings } = await read(audience, access, ids, { values: withValues, charts: true })
  return mapInSlices(found, (each, at) => represent(audience, each, { values, fields }, readings[at]))
}

interface Form {
  readonly withValues: boolean
  /** The fields to show, in this order; absent for all. */
  readonly fields?: readonly Element[] | undefined
  /** The moment whose values are shown; absent for now. */
  readonly asOf?: Date | undefined
}

async function showPast(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  asOf: Date,
  values: 'collection' | 'none',
): Promise<ArtifactRepresentation[]> {
  const past = await findPast(audience, access, ids, asOf)
  return mapInSlices(past, ({ found, reading, versionInfo }) => ({
    ...represent(audience, found, { values }, reading),
    ...versionInfo,
  }))
}

async function findPast(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  asOf: Date,
): Promise<PastArtifact[]> {
  const { context, db, viewer } = audience
  const past: PastArtifact[] = []
  for (const now of await findArtifactsInOrder(context, db, viewer, ids, { access })) {
    const then = await findPastArtifact(audience, now, { moment: asOf.toISOString() })
    if (!then) throw new ApiError('unavailable') // Permissions changed concurrently.
    past.push(then)
  }
  return past
}

/** The same in flat form: field values only. */
export async function flattenFound(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  format: FlatFormat,
): Promise<Record<string, unknown>[]> {
  const { found, readings } = await read(audience, access, ids, { values: true, charts: false })
  return found.flatMap((each, at) => {
    const reading = readings[at]
    return reading ? [flatValues(each, reading, format)] : []
  })
}

/** The same as table rows. */
export async function tabulateFound(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  columns: readonly ArtifactColumn[],
  asOf?: Date,
): Promise<readonly (readonly unknown[])[]> {
  const rowOf = (found: FoundArtifact, reading: ReadContext | undefined) => {
    const shown = represent(audience, found, { values: 'none' }, undefined)
    return columns.map((column) => tableCell(column, found, shown, reading))
  }
  if (asOf) return (await findPast(audience, access, ids, asOf)).map(({ found, reading }) => rowOf(found, reading))
  const values = columns.some((column) => 'field' in column)
  const { found, readings } = await read(audience, access, ids, { values, charts: false })
  return mapInSlices(found, (each, at) => rowOf(each, readings[at]))
}

interface Reading {
  /** Values of any field. */
  readonly values: boolean
  readonly charts: boolean
  /** Otherwise only the values of these fields. */
  readonly shown?: readonly Element[]
}

/** Fields whose values such a row does not show: texts are wide, and a list entry has only title, status and assignees. */
function fieldsWithout({ tracker }: TrackerAccess, shown: readonly Element[]): FieldId[] {
  const { title, status, contributor } = tracker.semantics
  const needed = new Set<FieldId | null | undefined>([
    title,
    status?.field_id,
    contributor,
    ...shown.map(({ id }) => id),
  ])
  return tracker.elements.map(({ id }) => id).filter((id) => !needed.has(id))
}

/** As many statements for several artifacts as for one. Links and references are read only if values are shown. */
async function read(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  { values, charts, shown = [] }: Reading,
) {
  const { context, db, viewer } = audience
  const extent = values ? 'whole' : 'head'
  const omitted = values ? [] : fieldsWithout(access, shown)
  const found: FoundArtifact[] = []
  const readings: ReadContext[] = []
  for (let from = 0; from < ids.length; from += ARTIFACT_BATCH_SIZE) {
    const some = await findArtifactsInOrder(context, db, viewer, ids.slice(from, from + ARTIFACT_BATCH_SIZE), {
      extent,
      access,
      omitted,
    })
    found.push(...some)
    if (values) readings.push(...(await buildReadContexts(audience, some, { charts })))
  }
  return { found, readings }
}
