import { type RawBuilder, sql } from 'kysely'
import { fold } from '../../accounts/login.ts'
import { findUsersAmong, listUsersAmong } from '../../accounts/users/users-among.ts'
import type { UserFull } from '../../accounts/users/schemas.ts'
import { representUser } from '../../accounts/users/user.ts'
import { isActive, maySee } from '../../accounts/users/visibility.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { english } from '../../platform/messages/english.ts'
import { accountsInGroups } from '../../projects/groups/accounts-in-groups.ts'
import { DYNAMIC_GROUPS } from '../../projects/groups/user-group-id.ts'
import type { FoundPerson, OpenValue } from '../field-types/field-type.ts'
import { groupIn } from '../groups-of-tracker.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { Element, FieldId, GroupNumber, Tracker, TrackerId, UserSource } from '../tracker.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Submitters and modifiers of artifacts. The artifacts module provides it. */
    readonly artifactPeople: ArtifactPeople
  }
}

/** Subqueries that select account ids. */
export interface ArtifactPeople {
  submitters(tracker: TrackerId): RawBuilder<unknown>
  modifiers(tracker: TrackerId): RawBuilder<unknown>
}

type People = Pick<Context, 'artifactPeople'>
type Place = Pick<Tracker, 'id' | 'project_id'>

/** The maximum that a form lists; other people can still be entered by name. */
export const MAX_LISTED_PEOPLE = 1000

/** Those of the requested people who can be chosen in the field or are already stored in it. */
export async function findChoosablePeople(
  { artifactPeople }: People,
  db: Db | Tx,
  tracker: Place,
  { bind }: Element,
  wanted: readonly (number | string)[],
  kept: readonly AccountId[] = [],
): Promise<readonly FoundPerson[]> {
  if (bind?.type !== 'users' || wanted.length === 0) return []
  const stays = sql<boolean>`account.id = any(${kept}::bigint[])`
  const condition = sql<boolean>`(${stays} or ${isInSources({ artifactPeople }, tracker, bind.sources)})`
  return findUsersAmong(db, { condition }, wanted)
}

/** The people that each field offers, by login. Registered users are never listed in full. */
export async function populationsOf(
  context: Pick<Context, 'artifactPeople' | 'sharesProject' | 'settings' | 'config'>,
  db: Db | Tx,
  viewer: Viewer,
  tracker: Place,
  elements: readonly Element[],
): Promise<ReadonlyMap<FieldId, readonly UserFull[]>> {
  const listed = elements.map(({ id, bind }) => ({ id, sources: bind?.type === 'users' ? expanded(bind.sources) : [] }))
  // Most fields of a tracker have the same sources; query each set of sources once.
  const lists = new Map(
    listed.filter(({ sources }) => sources.length > 0).map(({ sources }) => [sources.join(), sources]),
  )
  const among = [...lists].map(([key, sources]) => ({
    key,
    condition: sql<boolean>`(${isInSources(context, tracker, sources)} and ${maySee(context, viewer)})`,
  }))
  const found = await listUsersAmong(db, among, MAX_LISTED_PEOPLE)
  const people = new Map([...found].map(([key, rows]) => [key, rows.map((row) => representUser(context, viewer, row))]))
  return new Map(listed.map(({ id, sources }) => [id, people.get(sources.join()) ?? []]))
}

/** The same for one field. */
export async function populationOf(
  context: Pick<Context, 'artifactPeople' | 'sharesProject' | 'settings' | 'config'>,
  db: Db | Tx,
  viewer: Viewer,
  tracker: Place,
  element: Element,
): Promise<readonly UserFull[]> {
  const found = await populationsOf(context, db, viewer, tracker, [element])
  return found.get(element.id) ?? []
}

function expanded(sources: readonly UserSource[]): UserSource[] {
  return sources.filter((source) => source !== 'registered_users')
}

/** Whether the `account` row is in one of the sources and may sign in. */
function isInSources({ artifactPeople }: People, tracker: Place, sources: readonly UserSource[]): RawBuilder<boolean> {
  const groups = sources.filter((source) => typeof source === 'number')
  const conditions = [
    ...(groups.length > 0 ? [sql`account.id in (${accountsInGroups(tracker.project_id, groups)})`] : []),
    ...(sources.includes('artifact_submitters') ? [sql`account.id in (${artifactPeople.submitters(tracker.id)})`] : []),
    ...(sources.includes('artifact_modifiers') ? [sql`account.id in (${artifactPeople.modifiers(tracker.id)})`] : []),
    // The registered users group excludes restricted users.
    ...(sources.includes('registered_users') ? [sql`account.status = 'A'`] : []),
  ]
  if (conditions.length === 0) return sql`false`
  return sql`(${isActive} and (${sql.join(conditions, sql` or `)}))`
}

/** A group of the tracker's project, by its wire id (`105_3`, `158`, `105_158`) or its short name. */
export function findGroupIn(
  tracker: Pick<LoadedTracker, 'project'>,
  given: string,
  byName: boolean,
): GroupNumber | undefined {
  const numbers = [...DYNAMIC_GROUPS, ...tracker.project.groups.keys()]
  return numbers.find((number) => {
    const group = groupIn(tracker, number, english)
    if (byName) return group !== undefined && fold(group.short_name) === fold(given)
    return group?.id === given || `${tracker.project.id}_${number}` === given
  })
}

/** An existing open value of the field. */
export async function findOpenValue(
  db: Db | Tx,
  field: FieldId,
  given: { readonly id: number } | { readonly label: string },
): Promise<OpenValue | undefined> {
  const fits = 'id' in given ? sql`open_value.id = ${given.id}` : sql`folded(open_value.label) = folded(${given.label})`
  const { rows } = await sql<OpenValue>`
    select open_value.id, open_value.label from open_value
    where open_value.field_id = ${field} and ${fits}`.execute(db)
  return rows[0]
}

/** The existing open values, keyed by the label as given. */
export async function findOpenValues(
  db: Db | Tx,
  field: FieldId,
  labels: readonly string[],
): Promise<ReadonlyMap<string, OpenValue>> {
  if (labels.length === 0) return new Map()
  const { rows } = await sql<OpenValue & { given: string }>`
    select asked.given, open_value.id, open_value.label from unnest(${labels}::text[]) as asked (given)
      join open_value on open_value.field_id = ${field} and folded(open_value.label) = folded(asked.given)`.execute(db)
  return new Map(rows.map(({ given, id, label }) => [given, { id, label }]))
}

/** The values that users added to each field, in order. */
export async function openValuesOf(
  db: Db | Tx,
  fields: readonly FieldId[],
): Promise<ReadonlyMap<FieldId, readonly OpenValue[]>> {
  if (fields.length === 0) return new Map()
  const { rows } = await sql<OpenValue & { field_id: FieldId }>`
    select listed.* from unnest(${fields}::bigint[]) as field (id), lateral (
      select open_value.field_id, open_value.id, open_value.label from open_value where open_value.field_id = field.id
      order by open_value.label collate waypost, open_value.id limit ${MAX_LISTED_OPEN_VALUES}
    ) listed order by listed.label collate waypost, listed.id`.execute(db)
  return Map.groupBy(rows, ({ field_id }) => field_id)
}

const MAX_LISTED_OPEN_VALUES = 1000

/**
 * Creates the missing labels and returns all of them, keyed by the label as given. Concurrent writers get the same row.
 */
export async function createOpenValues(
  tx: Tx,
  { id, project_id }: Place,
  field: FieldId,
  labels: readonly string[],
): Promise<ReadonlyMap<string, OpenValue>> {
  // A fixed insert order prevents deadlocks between concurrent writers.
  await sql`
    insert into open_value (project_id, tracker_id, field_id, label)
    select ${project_id}, ${id}, ${field}, asked.label
    from unnest(${labels}::text[]) as asked (label) order by folded(asked.label)
    on conflict (field_id, folded(label)) do nothing`.execute(tx)
  return findOpenValues(tx, field, labels)
}
