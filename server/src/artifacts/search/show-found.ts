import type { Reading } from '../../trackers/fields/field-type.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findPastArtifact, type PastArtifact } from '../history/find-past-artifact.ts'
import { cellOf, type Column } from '../reading/artifact-table.ts'
import { findInOrder, type FoundArtifact } from '../reading/find-artifact.ts'
import { type FlatFormat, flatValues } from '../reading/flat-values.ts'
import { type Audience, isShownByItself, plainReading, readingsOf } from '../reading/reading.ts'
import { type ArtifactRepresentation, represent } from '../reading/represent-artifact.ts'

export const AT_ONCE = 100

/** The artifacts of a list as answers show them, in its order; who has gone meanwhile is left out. */
export async function showFound(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  { withValues, fields = sight.readable, asOf }: Form,
): Promise<ArtifactRepresentation[]> {
  const values = withValues ? 'collection' : 'none'
  if (asOf) return showPast(audience, sight, ids, asOf, values)
  if (withValues && fields.every(isShownByItself)) {
    const { found } = await read(audience, sight, ids, { values: false, charts: false })
    return found.map((each) => represent(audience, each, { values, fields }, plainReading(audience, each)))
  }
  const { found, readings } = await read(audience, sight, ids, { values: withValues, charts: true })
  return found.map((each, at) => represent(audience, each, { values, fields }, readings[at]))
}

interface Form {
  readonly withValues: boolean
  /** The fields whose values are shown, in this order; absent: all. */
  readonly fields?: readonly Element[] | undefined
  /** The moment whose values are shown; absent: now. */
  readonly asOf?: Date | undefined
}

async function showPast(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  asOf: Date,
  values: 'collection' | 'none',
): Promise<ArtifactRepresentation[]> {
  const past = await findPast(audience, sight, ids, asOf)
  return past.map(({ found, reading, told }) => ({ ...represent(audience, found, { values }, reading), ...told }))
}

async function findPast(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  asOf: Date,
): Promise<PastArtifact[]> {
  const { context, db, viewer } = audience
  const past: PastArtifact[] = []
  for (const now of await findInOrder(context, db, viewer, ids, { sight }))
    past.push(await findPastArtifact(audience, now, { moment: asOf.toISOString() }))
  return past
}

/** The same in plain words: only what the fields hold. */
export async function flattenFound(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  format: FlatFormat,
): Promise<Record<string, unknown>[]> {
  const { found, readings } = await read(audience, sight, ids, { values: true, charts: false })
  return found.flatMap((each, at) => {
    const reading = readings[at]
    return reading ? [flatValues(each, reading, format)] : []
  })
}

/** The same as rows of a table. */
export async function tabulateFound(
  audience: Audience,
  sight: Sight,
  ids: readonly ArtifactId[],
  columns: readonly Column[],
  asOf?: Date,
): Promise<readonly (readonly unknown[])[]> {
  const rowOf = (found: FoundArtifact, reading: Reading | undefined) => {
    const shown = represent(audience, found, { values: 'none' }, undefined)
    return columns.map((column) => cellOf(column, found, shown, reading))
  }
  if (asOf) return (await findPast(audience, sight, ids, asOf)).map(({ found, reading }) => rowOf(found, reading))
  const values = columns.some((column) => 'field' in column)
  const { found, readings } = await read(audience, sight, ids, { values, charts: false })
  return found.map((each, at) => rowOf(each, readings[at]))
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
