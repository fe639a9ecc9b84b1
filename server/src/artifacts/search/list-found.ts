import type { Tx } from '../../platform/database/db.ts'
import { cutPage, type Page, type Place } from '../../platform/http/pages.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { findIds, type Search, walkIds } from './find-ids.ts'
import { AT_ONCE } from './show-found.ts'

/** One page of what fits; undefined: the world has moved on meanwhile, and it is to be looked at again. */
export async function pageFound<Row>(
  audience: Audience,
  sights: readonly Sight[],
  search: Search & { readonly mark: string },
  page: Page,
  show: (ids: readonly ArtifactId[]) => Promise<Row[]>,
) {
  const { mark } = search
  const { rows, size, isCurrent } = await findIds(audience.db, sights, search, unmarked(page, mark))
  if (!isCurrent) return undefined // Rights have changed.
  const cut = cutPage(rows, page.limit, ({ place }): Place => [mark, ...place])
  const ids = cut.rows.map(({ id }) => id)
  const body = await show(ids)
  // A page is full: where something has gone since it was counted, the page is read again.
  return body.length === ids.length ? { body, size, next: cut.next, placeAt: cut.placeAt } : undefined
}

/** The whole list, some at a time. */
export async function* walkFound<Row>(
  tx: Tx,
  sights: readonly Sight[],
  search: Search,
  show: (ids: readonly ArtifactId[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const ids of walkIds(tx, sights, search, AT_ONCE)) yield await show(ids)
}

/** The place behind its mark. Whoever brings one of another list is refused. */
export function unmarked(page: Page, mark: string): Page {
  if (!page.after) return page
  const [marked, ...after] = page.after
  if (marked !== mark) throw new ApiError('parameter_conflict', { path: 'cursor', cause: 'cursor_of_another_query' })
  return { ...page, after }
}
