import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { KEYS } from '../artifacts/keys.ts'

// Handwritten for this tracker and these people, and each as fast as possible: the ratio shows the overhead of the
// server.

/** The matches before permissions: rows of `one` with an `artifact_id`. */
export interface Fitting {
  readonly from: string
  readonly where: string
}

export const PAGE_SIZE = 50

/** Matches by the index of a field. */
export function indexed(table: 'value_index' | 'number_index', field: number, test: string, name = 'one'): Fitting {
  return { from: `${table} ${name}`, where: `${name}.field_id = ${field} and ${name}.value ${test}` }
}

/** Artifacts that match both. */
export function intersect(one: Fitting, other: Fitting): Fitting {
  return {
    from: one.from,
    where: `${one.where}
      and exists (select from ${other.from} where ${other.where} and other.artifact_id = one.artifact_id)`,
  }
}

/** The caller by access key, with their groups. */
function withMe({ project }: Ids): string {
  return `with me as materialized (select account.id, array(
      select user_group_member.user_group_id from user_group_member
      where user_group_member.project_id = ${project} and user_group_member.account_id = account.id
      union all select 3 from project_member
      where project_member.project_id = ${project} and project_member.account_id = account.id) as groups
    from access_key join account on account.id = access_key.account_id
    where access_key.id = ${String(KEYS.member.id)} and not access_key.is_over and account.status = 'A')`
}

function isGranted({ tracker }: Ids): string {
  return `exists (select from tracker_grant, me where tracker_grant.tracker_id = ${tracker}
    and tracker_grant.kind = 'full' and tracker_grant.group_id = any(me.groups))`
}

const OPEN_TO_ME = '(select me.groups from me)'

export function isSeen({ tracker }: Ids, name = 'artifact'): string {
  return `${name}.tracker_id = ${tracker} and ${name}.deleted_on is null
    and (${name}.restricted_to is null or ${name}.restricted_to && ${OPEN_TO_ME})`
}

/** The size by checking each match. */
export function countSql(ids: Ids, { from, where }: Fitting): string {
  return `(select count(*) from ${from} join artifact on artifact.id = one.artifact_id
    where ${where} and ${isSeen(ids)})`
}

/** The size as the index count minus the few hidden or deleted artifacts. */
export function countLessHiddenSql({ tracker }: Ids, { from, where }: Fitting): string {
  const those = `from ${from} join artifact on artifact.id = one.artifact_id
      where ${where} and artifact.tracker_id = ${tracker}`
  return `((select count(*) from ${from} where ${where})
    - (select count(*) ${those} and artifact.deleted_on is null and artifact.restricted_to is not null
      and not (artifact.restricted_to && ${OPEN_TO_ME}))
    - (select count(*) ${those} and artifact.deleted_on is not null))`
}

/** The first page, ordered by id. */
export function firstIdsSql(ids: Ids, { from, where }: Fitting): string {
  return `select artifact.*, 0 as key from ${from} join artifact on artifact.id = one.artifact_id
    where ${where} and ${isSeen(ids)} order by one.artifact_id limit ${PAGE_SIZE}`
}

/** The first page, ordered by a number. */
export function greatestIdsSql(ids: Ids, { from, where }: Fitting, field: number): string {
  return `select artifact.*, sorted.key from (
      select artifact.id, number_index.value as key from ${from} join artifact on artifact.id = one.artifact_id
        left join number_index on number_index.artifact_id = artifact.id and number_index.field_id = ${field}
      where ${where} and ${isSeen(ids)} order by key desc nulls last, artifact.id limit ${PAGE_SIZE}) sorted
    join artifact on artifact.id = sorted.id`
}

/** A page with all columns of a list entry, and the total size. */
export function listSql(ids: Ids, { page, size }: { readonly page: string; readonly size: string }): string {
  const { title, status, assigned_to } = ids.fields
  return `${withMe(ids)}
  select found.id, ${size} as size, found.submitted_on, found.last_modified_date, found.field_values ->> '${title}' as title,
    found.field_values -> '${status}' ->> 0 as status, found.submitted_by, submitter.login,
    submitter.real_name, submitter.has_avatar, found.last_update_by, updater.login, updater.real_name, updater.has_avatar,
    array(select (account.id, account.login, account.real_name, account.has_avatar)::text
      from jsonb_array_elements_text(found.field_values -> '${assigned_to}') as chosen
      join account on account.id = chosen.value::bigint) as assignees
  from (${page}) found
    left join account submitter on submitter.id = found.submitted_by
    left join account updater on updater.id = found.last_update_by
  where ${isGranted(ids)} order by found.key desc nulls last, found.id;`
}

/** The counts by value of a list field: the index count minus hidden or deleted artifacts. */
export function groupCounts(ids: Ids, field: number): string {
  return `${withMe(ids)}, gone as (
    select value_index.value, count(*) as number
    from artifact join value_index on value_index.artifact_id = artifact.id and value_index.field_id = ${field}
    where artifact.tracker_id = ${ids.tracker} and (artifact.deleted_on is not null
      or artifact.restricted_to is not null and not (artifact.restricted_to && ${OPEN_TO_ME}))
    group by value_index.value)
  select all_of.value as id, all_of.number - coalesce(gone.number, 0) as size
  from (select value, count(*) as number from value_index where field_id = ${field} group by value) all_of
    left join gone on gone.value = all_of.value
  where ${isGranted(ids)} order by all_of.value;`
}
