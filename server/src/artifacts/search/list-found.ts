import type { Tx } from '../../platform/database/db.ts'
import { cutPage, type Pagination, type KeysetPosition } from '../../platform/http/pages.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { findIds, type Search, streamIds } from './find-ids.ts'
import { ARTIFACT_BATCH_SIZE } from './show-found.ts'

/** One page of matches; undefined if data changed meanwhile and the caller must retry. */
export async function pageFound<Row>(
  audience: Audience,
  accesses: readonly TrackerAccess[],
  search: Search & { readonly mark: string },
  page: Pagination,
  show: (ids: readonly ArtifactId[]) => Promise<Row[]>,
) {
  const { mark } = search
  const { rows, size, isCurrent } = await findIds(audience.db, accesses, search, unmarked(page, mark))
  if (!isCurrent) return undefined // Permissions have changed.
  const cut = cutPage(rows, page.limit, ({ place }): KeysetPosition => [mark, ...place])
  const ids = cut.rows.map(({ id }) => id)
  const body = await show(ids)
  // Pages are full: if an artifact disappeared after the count, the page is read again.
  return body.length === ids.length ? { body, size, next: cut.next, placeAt: cut.placeAt } : undefined
}

/** The whole list, in batches. */
export async function* streamFound<Row>(
  tx: Tx,
  accesses: readonly TrackerAccess[],
  search: Search,
  show: (ids: readonly ArtifactId[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const ids of streamIds(tx, accesses, search, ARTIFACT_BATCH_SIZE)) yield await show(ids)
}

/** The cursor without its mark. A cursor of another list is refused. */
export function unmarked(page: Pagination, mark: string): Pagination {
  if (!page.after) return page
  const [marked, ...after] = page.after
  if (marked !== mark) throw new ApiError('parameter_conflict', { path: 'cursor', cause: 'cursor_of_another_query' })
  return { ...page, after }
}
