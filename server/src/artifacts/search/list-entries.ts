import { sql } from 'kysely'
import type { FullUserRow } from '../../accounts/users/user.ts'
import { usersByIdSql } from '../../accounts/users/user.ts'
import { cutPage, type KeysetPosition, type Pagination } from '../../platform/http/pages.ts'
import { toOwnBuffer } from '../../platform/wire/own-buffer.ts'
import { stringifier } from '../../platform/wire/stringify.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTracker } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { asArray, columnsWith } from '../reading/look-rows.ts'
import { ArtifactRepresentation, represent } from '../reading/represent-artifact.ts'
import { isVisibleInTracker } from '../visibility.ts'
import { type EntryVersions, entryVersionsSql, type SelectedVersions, toEntryVersions } from './entry-versions.ts'
import { findIds, type Search } from './find-ids.ts'
import { unmarked } from './list-found.ts'

/**
 * One page of matches without their values, as JSON texts. Entries that are in memory and unchanged are not made again.
 * Undefined if data changed meanwhile and the caller must retry.
 */
export async function pageEntries(
  audience: Audience,
  access: TrackerAccess,
  search: Search & { readonly mark: string },
  page: Pagination,
) {
  const { mark } = search
  const { db, context } = audience
  const own = unmarked(page, mark)
  const { rows, size, versions, isCurrent } = await findIds(db, [access], search, own, context.searches)
  if (!isCurrent) return undefined // Permissions have changed.
  const cut = cutPage(rows, page.limit, ({ place }): KeysetPosition => [mark, ...place])
  const printed = await printEntries(
    audience,
    access,
    cut.rows.map(({ id }) => id),
    versions,
  )
  return printed && { printed, size, next: cut.next }
}

/** In the order of the ids; undefined if one has disappeared. */
async function printEntries(
  audience: Audience,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
  versions: EntryVersions | undefined,
): Promise<Buffer[] | undefined> {
  const { listEntries } = audience.context
  const form = describeForm(audience, access)
  const printed = new Map<ArtifactId, Buffer>()
  const missing: ArtifactId[] = []
  for (const id of ids) {
    const known = versions && listEntries.find(form, id, access.tracker, versions)
    if (known) printed.set(id, known)
    else missing.push(id)
  }
  if (missing.length > 0) {
    const made = await makeEntries(audience, access, missing)
    if (!made) return undefined
    for (const { id, entry } of made) {
      printed.set(id, entry.bytes)
      if (versions) listEntries.store(form, id, entry)
    }
  }
  const all = ids.flatMap((id) => printed.get(id) ?? [])
  return all.length === ids.length ? all : undefined
}

/** Everything about the viewer that an entry depends on. */
function describeForm({ language }: Audience, { tracker, mayRead }: TrackerAccess): string {
  const { title, status, contributor } = tracker.semantics
  const shown = [title, status?.field_id, contributor].map((id) => {
    const field = typeof id === 'number' ? tracker.byId.get(id) : undefined
    return field !== undefined && mayRead(field)
  })
  return `${language.tag} ${shown.join()}`
}

const print = stringifier(ArtifactRepresentation)

interface EntryRow extends Artifact {
  /** The row of the first artifact has the following for all. */
  readonly common: {
    readonly stamp: string
    readonly versions: SelectedVersions
    readonly people: readonly FullUserRow[]
  } | null
}

/** Reads and renders entries; undefined if permissions have changed. Invisible artifacts are omitted. */
async function makeEntries(audience: Audience, access: TrackerAccess, ids: readonly ArtifactId[]) {
  const rows = await readEntries(audience, access, ids)
  const common = rows.find((row) => row.common)?.common
  if (!common) return []
  if (common.stamp !== access.tracker.stamp) return undefined
  const versions = toEntryVersions(common.versions)
  return rows.map((artifact) => {
    const found = { artifact, access, people: common.people, forward: [], reverse: [], outgoing: [], incoming: [] }
    const shown = represent(audience, found, { values: 'none' }, undefined)
    const people = [shown.submitted_by_user, shown.last_update_by_user, ...shown.assignees].flatMap(
      ({ id }) => id ?? [],
    )
    const entry = {
      tracker: access.tracker,
      version: versions.artifacts.get(artifact.id) ?? '',
      people: people.map((id) => [id, versions.people.get(id)] as const),
      bytes: toOwnBuffer(print(shown)),
    }
    return { id: artifact.id, entry }
  })
}

/** Only the values that an entry shows are read: texts are wide. */
async function readEntries({ db }: Audience, access: TrackerAccess, ids: readonly ArtifactId[]): Promise<EntryRow[]> {
  const { tracker } = access
  const { title, status, contributor } = tracker.semantics
  const values = [title, status?.field_id, contributor].flatMap((field) =>
    typeof field === 'number' ? [sql`${String(field)}::text`, sql`artifact.field_values -> ${String(field)}`] : [],
  )
  const columns = columnsWith(sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(values)})) as field_values`)
  const named = sql`array(select distinct unnest(main.people || main.submitted_by || main.last_update_by) from main)`
  const { rows } = await sql<EntryRow>`
    with main as materialized (
      select ${columns} from artifact where artifact.id = any(${ids}::bigint[]) and ${isVisibleInTracker(access)}
    )
    select main.*, case when row_number() over () = 1 then json_build_object(
      'stamp', (select ${accessVersion} from ${fromTracker(tracker.id)}),
      'versions', ${entryVersionsSql(sql`select main.id from main`)},
      'people', ${asArray(usersByIdSql(named))}) end as common
    from main`.execute(db)
  return rows
}
