import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifactsInOrder, type FoundArtifact } from '../reading/find-artifact.ts'
import { buildReadContext } from '../reading/read-context.ts'
import type { Audience } from '../reading/audience.ts'
import { crossTrackerCell, flatCrossTrackerCell } from './cross-tracker-cell.ts'
import { columnType } from './columns.ts'
import { countLinks } from './count-links.ts'
import type { SearchAcross } from './search-across.ts'

type Rows = Pick<SearchAcross, 'accesses' | 'columns'>
type Cells = Record<string, object>

/**
 * Artifacts as the columns show them, in this order; artifacts that became invisible or moved meanwhile are omitted.
 */
export async function showColumns(audience: Audience, rows: Rows, ids: readonly ArtifactId[]): Promise<Cells[]> {
  const found = await readColumns(audience, rows, ids)
  const counts = await countLinks(audience.db, audience.viewer, ids)
  return found.map(({ reading, ...each }) => {
    const { id } = each.artifact
    const { forward = 0, reverse = 0 } = counts.get(id) ?? {}
    const links = { number_of_forward_link: forward, number_of_reverse_link: reverse }
    const cells = rows.columns.map((column): [string, object] => [column.name, crossTrackerCell(column, each, reading)])
    return { '@artifact': { id, uri: `/artifacts/${id}`, ...links }, ...Object.fromEntries(cells) }
  })
}

/** The same as table rows, which begin with the id. */
export async function tabulateColumns(
  audience: Audience,
  rows: Rows,
  ids: readonly ArtifactId[],
): Promise<(readonly unknown[])[]> {
  const found = await readColumns(audience, rows, ids)
  return found.map(({ reading, ...each }) => [
    each.artifact.id,
    ...rows.columns.map((column) => flatCrossTrackerCell(column, each, reading)),
  ])
}

async function readColumns(
  audience: Audience,
  { accesses, columns }: Rows,
  ids: readonly ArtifactId[],
): Promise<(FoundArtifact & { readonly reading: ReadContext })[]> {
  const { context, db, viewer } = audience
  const shown = columns.filter((column) => columnType(column) !== 'unknown')
  const stamps = new Map(accesses.map(({ tracker }) => [tracker.id, tracker.stamp]))
  const read: (FoundArtifact & { readonly reading: ReadContext })[] = []
  for (const found of await findArtifactsInOrder(context, db, viewer, ids, { extent: 'head' })) {
    const { tracker } = found.access
    // The columns are bound for one access version of each tracker; skip artifacts read under another one.
    if (stamps.get(tracker.id) !== tracker.stamp) continue
    const fields = shown.flatMap(({ elements }) => elements.get(tracker.id) ?? [])
    read.push({ ...found, reading: await buildReadContext(audience, found, fields) })
  }
  return read
}
