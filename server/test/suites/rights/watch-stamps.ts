import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import { APP_ROLE } from '../../../src/platform/database/local-postgres.ts'

// Triggers that record, by transaction, each change of a row that visibility is decided from, and each change of an access
// version. A change without one would leave stale rights in memory.

/** Tables whose rows decide visibility, with the columns that do. Changes of other columns do not count. */
const INPUTS = {
  project: ['status', 'access', 'label', 'icon'],
  tracker: ['deleted_on', 'restriction_field_id', 'contributor_field_id', 'label', 'color_name', 'project_id'],
  tracker_grant: ['tracker_id', 'kind', 'group_id'],
  project_member: ['account_id', 'is_admin', 'is_svn_admin'],
  user_group: ['bound_to'],
  user_group_member: ['user_group_id', 'account_id'],
} as const

export async function watchStamps(owner: Db): Promise<void> {
  await sql`create schema watched`.execute(owner)
  await sql`create table watched.change (tx xid8 not null default pg_current_xact_id(), name text, project_id bigint, tracker_id bigint)`.execute(
    owner,
  )
  await sql`create table watched.stamp (tx xid8 not null default pg_current_xact_id(), project_id bigint, tracker_id bigint)`.execute(
    owner,
  )
  for (const [table, columns] of Object.entries(INPUTS)) {
    const changed = columns.map(
      (column) => `(to_jsonb(old) -> '${column}') is distinct from (to_jsonb(new) -> '${column}')`,
    )
    const tracker = table === 'tracker' ? 'one.id' : table === 'tracker_grant' ? 'one.tracker_id' : 'null'
    const project = table === 'project' ? 'one.id' : 'one.project_id'
    const stamped = ['project', 'tracker'].includes(table)
    await sql
      .raw(
        `create function watched.on_${table}() returns trigger language plpgsql security definer as $$
        declare one ${table};
        begin
          if session_user <> '${APP_ROLE}' then return null; end if;
          if tg_op = 'DELETE' then one := old; else one := new; end if;
          ${
            stamped
              ? `if tg_op <> 'UPDATE' or (old.version, old.rights_epoch) is distinct from (new.version, new.rights_epoch) then
            insert into watched.stamp (project_id, tracker_id) values (${project}, ${tracker}); end if;`
              : ''
          }
          if tg_op <> 'UPDATE' or ${changed.join(' or ')} then
            insert into watched.change (name, project_id, tracker_id) values ('${table} ' || lower(tg_op), ${project}, ${tracker});
          end if;
          return null;
        end $$`,
      )
      .execute(owner)
    await sql
      .raw(
        `create trigger watched after insert or update or delete on ${table} for each row execute function watched.on_${table}()`,
      )
      .execute(owner)
  }
}

export async function unwatchStamps(owner: Db): Promise<void> {
  await sql`drop schema watched cascade`.execute(owner)
}

/** Recorded changes whose transaction changed no access version of the tracker or its project; forgets all of them. */
export async function takeUnstampedChanges(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select change.name || ' in project ' || change.project_id as name from watched.change
    where not exists (select from watched.stamp where stamp.tx = change.tx and stamp.project_id = change.project_id
      and (stamp.tracker_id is null or stamp.tracker_id = change.tracker_id))`.execute(owner)
  const { rows: bound } = await sql<{ name: string }>`
    select distinct change.name || ' bound in project ' || bound.project_id as name
    from watched.change join user_group source on source.project_id = change.project_id
      join user_group bound on bound.bound_to = source.id
    where change.name like 'user_group_member %' and not exists (
      select from watched.stamp where stamp.tx = change.tx and stamp.project_id = bound.project_id)`.execute(owner)
  await sql`truncate watched.change, watched.stamp`.execute(owner)
  return [...rows, ...bound].map(({ name }) => name)
}
