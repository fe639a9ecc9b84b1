import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { findLogins, findUsersBy } from '../../accounts/users/find-users-by.ts'
import type { PeopleContext } from '../../accounts/users/visibility.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { findOwnGroups } from '../../projects/groups/find-own-groups.ts'
import type { ProjectId } from '../../projects/project.ts'
import { loadTracker } from '../load-tracker.ts'
import { getTrackerAccess } from '../tracker-access.ts'
import type { Element, Tracker, TrackerId } from '../tracker.ts'
import { maySeeTracker } from '../visibility.ts'
import { referencedIds, referencedNames } from './referenced-names.ts'
import type { TrackerDefinition } from './schemas.ts'
import { groupNames, type NamedTracker, type ReferenceNames, type ReferenceLookup } from './reference-lookup.ts'

/** For stored documents, which are shown only to viewers who may see all of them. */
export const UNRESTRICTED_VIEWER: Viewer = { language: null, time_zone: null, is_site_admin: true }

/** The names of the tracker's references, as this viewer may see them. */
export async function loadReferenceNames(db: Db | Tx, viewer: Viewer, tracker: Tracker): Promise<ReferenceNames> {
  const { accounts, trackers, shared } = referencedIds(tracker)
  const logins = await findLogins(db, accounts)
  const wanted = { names: [], trackers, shared }
  const rows = trackers.length + shared.length === 0 ? [] : await listTrackers(db, viewer, tracker.project_id, wanted)
  return {
    ...groupNames(await findOwnGroups(db, tracker.project_id)),
    loginOf: (id) => logins.get(id) ?? `@${id}`,
    trackers: await loadNamed(db, viewer, tracker.project_id, rows, wanted),
  }
}

/** The references that this viewer may use in a document; `stored` is the existing tracker, if any. */
export async function loadReferenceLookup(
  context: PeopleContext,
  db: Db | Tx,
  viewer: Viewer,
  project_id: ProjectId,
  document: TrackerDefinition,
  stored?: Tracker,
): Promise<ReferenceLookup> {
  const named = referencedNames(document)
  const kept = stored ? referencedIds(stored) : { accounts: [], trackers: [], shared: [] }
  const wanted = { names: named.trackers, trackers: kept.trackers, shared: kept.shared }
  const rows = await listTrackers(db, viewer, project_id, wanted)
  const others = rows.filter(({ id }) => id !== stored?.id)
  const trackers = await loadNamed(db, viewer, project_id, others, wanted)
  const logins = await findLogins(db, kept.accounts)
  const users = await findUsersBy(context, db, viewer, 'username', named.logins)
  const accounts = new Map(users.map(({ name, id, status }) => [name, { id, isUsable: 'AR'.includes(status) }]))
  const own = rows.filter((row) => row.project_id === project_id)
  const taken = new Set(
    own
      .filter(({ id, is_deleted }) => id !== stored?.id && !is_deleted)
      .map(({ item_name }) => item_name.toLowerCase()),
  )
  return {
    ...groupNames(await findOwnGroups(db, project_id)),
    project_id,
    trackers,
    trackerNamed: (name) => trackers.find((each) => each.name === name || rows.some(isCalled(name, each))),
    loginOf: (id) => logins.get(id) ?? `@${id}`,
    // An account that is already a default stays one, even if the viewer cannot see it.
    accountNamed: (login) => accounts.get(login) ?? keptAccount(logins, login),
    linkTypes: await findLinkTypes(db, project_id),
    isTaken: (item_name) => taken.has(item_name.toLowerCase()),
    parentOf: (id) => own.find((each) => each.id === id)?.parent_id ?? null,
  }
}

function keptAccount(logins: ReadonlyMap<number, string>, login: string) {
  const found = logins.entries().find(([, each]) => each === login)
  return found && { id: toId<AccountId>(found[0]), isUsable: true }
}

interface Row {
  readonly id: TrackerId
  readonly project_id: ProjectId
  readonly shortname: string
  readonly item_name: string
  readonly parent_id: TrackerId | null
  readonly is_deleted: boolean
  readonly may_see: boolean
  readonly is_wanted: boolean
}

interface Wanted {
  readonly names: readonly string[]
  readonly trackers: readonly TrackerId[]
  readonly shared: readonly number[]
}

/** All trackers of the project, and the requested ones of other projects. */
async function listTrackers(db: Db | Tx, viewer: Viewer, project: ProjectId, wanted: Wanted): Promise<Row[]> {
  const full = wanted.names.filter((name) => name.includes('/'))
  const asked = sql`(tracker.id = any(${wanted.trackers}::bigint[]) or tracker.id in (
    select tracker_part.tracker_id from tracker_part where tracker_part.id = any(${wanted.shared}::bigint[])))`
  const { rows } = await sql<Row>`
    select tracker.id, tracker.project_id, project.shortname, tracker.item_name, tracker.parent_id,
      tracker.deleted_on is not null as is_deleted, ${maySeeTracker(viewer, aliases('tracker', 'project'))} as may_see, ${asked} as is_wanted
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.project_id = ${project} or ${asked}
      or (project.shortname || '/' || tracker.item_name) = any(${full}::text[])
    order by tracker.id`.execute(db)
  return rows
}

/** The referenced trackers, with their elements. */
async function loadNamed(
  db: Db | Tx,
  viewer: Viewer,
  project: ProjectId,
  rows: readonly Row[],
  { names }: Wanted,
): Promise<NamedTracker[]> {
  const found: NamedTracker[] = []
  for (const row of rows) {
    const name = row.project_id === project ? row.item_name : fullName(row)
    const isNamed = row.may_see && (names.includes(name) || names.includes(fullName(row)))
    if (!isNamed && !row.is_wanted) continue
    const tracker = await loadTracker(db, row.id)
    if (!tracker) continue
    const access = await getTrackerAccess(db, tracker, viewer)
    found.push({
      id: row.id,
      project_id: row.project_id,
      name: row.may_see ? name : `@${row.id}`,
      isSeen: row.may_see,
      elements: tracker.elements.map((each) => (row.may_see && access.mayRead(each) ? each : withoutNames(each))),
    })
  }
  return found
}

const fullName = ({ shortname, item_name }: Row) => `${shortname}/${item_name}`
const isCalled = (name: string, tracker: NamedTracker) => (row: Row) =>
  tracker.isSeen && row.id === tracker.id && fullName(row) === name

/** References that the viewer may not see keep their position and are represented by id. */
function withoutNames(element: Element): Element {
  const { bind, id } = element
  if (bind?.type !== 'static') return { ...element, name: `@${id}` }
  return {
    ...element,
    name: `@${id}`,
    bind: { ...bind, values: bind.values.map((each) => ({ ...each, key: `@${each.id}` })) },
  }
}

async function findLinkTypes(db: Db | Tx, project: ProjectId): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ shortname: string }>`
    select link_type.shortname from link_type where not exists (
      select from disabled_link_type disabled
      where disabled.project_id = ${project} and disabled.shortname = link_type.shortname)`.execute(db)
  return new Set(rows.map(({ shortname }) => shortname))
}
