import type { Reading } from '../../trackers/fields/field-type.ts'
import type { ArtifactId } from '../artifact.ts'
import { findInOrder, type FoundArtifact } from '../reading/find-artifact.ts'
import { type Audience, readingOf } from '../reading/reading.ts'
import { cellOf, flatCellOf } from './cell-of.ts'
import { typeOf } from './columns.ts'
import { countLinks } from './count-links.ts'
import type { SearchAcross } from './search-across.ts'

type Rows = Pick<SearchAcross, 'sights' | 'columns'>
type Cells = Record<string, object>

/** Artifacts as the columns show them, in this order; who has gone or changed sides meanwhile is left out. */
export async function showColumns(audience: Audience, rows: Rows, ids: readonly ArtifactId[]): Promise<Cells[]> {
  const found = await readColumns(audience, rows, ids)
  const counts = await countLinks(audience.db, audience.viewer, ids)
  return found.map(({ reading, ...each }) => {
    const { id } = each.artifact
    const { forward = 0, reverse = 0 } = counts.get(id) ?? {}
    const links = { number_of_forward_link: forward, number_of_reverse_link: reverse }
    const cells = rows.columns.map((column): [string, object] => [column.name, cellOf(column, each, reading)])
    return { '@artifact': { id, uri: `/artifacts/${id}`, ...links }, ...Object.fromEntries(cells) }
  })
}

/** The same as rows of a table, which begin with the id. */
export async function tabulateColumns(
  audience: Audience,
  rows: Rows,
  ids: readonly ArtifactId[],
): Promise<(readonly unknown[])[]> {
  const found = await readColumns(audience, rows, ids)
  return found.map(({ reading, ...each }) => [
    each.artifact.id,
    ...rows.columns.map((column) => flatCellOf(column, each, reading)),
  ])
}

async function readColumns(
  audience: Audience,
  { sights, columns }: Rows,
  ids: readonly ArtifactId[],
): Promise<(FoundArtifact & { readonly reading: Reading })[]> {
  const { context, db, viewer } = audience
  const shown = columns.filter((column) => typeOf(column) !== 'unknown')
  const stamps = new Map(sights.map(({ tracker }) => [tracker.id, tracker.stamp]))
  const read: (FoundArtifact & { readonly reading: Reading })[] = []
  for (const found of await findInOrder(context, db, viewer, ids, { extent: 'head' })) {
    const { tracker } = found.sight
    // What the columns know of a tracker is of one state of its rights.
    if (stamps.get(tracker.id) !== tracker.stamp) continue
    const fields = shown.flatMap(({ elements }) => elements.get(tracker.id) ?? [])
    read.push({ ...found, reading: await readingOf(audience, found, fields) })
  }
  return read
}
