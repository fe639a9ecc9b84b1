import { type RawBuilder, sql } from 'kysely'
import { hashPassword } from '../src/accounts/passwords/password.ts'
import type { Db } from '../src/platform/database/db.ts'
import { sha256 } from '../src/platform/operation/secrets.ts'
import { PLATFORM_CANARY, QUARRY_CANARY, VAULT_CANARY } from './canaries.ts'
import { GUS, MARA, PASSWORD, PEOPLE, RITA, SAM, secretOf, TOM, UMA, VICTOR } from './people.ts'
import {
  KEEPERS,
  LEADS,
  MARSH,
  NURSERY,
  ORCHARD,
  ORCHARD_SUMMARY,
  ORCHARD_SVN,
  ORCHARD_TRACKERS,
  QUARRY,
  RUIN,
  SECRET_LABEL,
  SHADOWS,
  URGENT,
  VAULT,
  VAULT_SVN,
} from './places.ts'
import { seedTrackers } from './seed-trackers.ts'

const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const passwordHash = hashPassword(PASSWORD)

let epoch = 0

/** What a server remembers of the world before is old: ids and versions begin anew, and rights must not. */
export function nextEpoch(): number {
  epoch += 1_000_000
  return epoch
}

/** The same small world before each test, whatever the one before did to it. */
export async function seed(db: Db): Promise<void> {
  await empty(db)
  const password_hash = await passwordHash
  await db
    .insertInto('account')
    .values(
      PEOPLE.map(({ id, login, real_name, email, status, is_site_admin }) => ({
        id,
        login,
        real_name,
        email,
        status,
        is_site_admin,
        password_hash,
        created_on: LONG_AGO,
      })),
    )
    .execute()
  await db
    .insertInto('access_key')
    .values(
      PEOPLE.map(({ id, key_id }) => ({
        id: key_id,
        account_id: id,
        prefix: 'tlp',
        digest: sha256(secretOf(key_id)),
        scopes: ['write:rest'],
        created_on: LONG_AGO,
      })),
    )
    .execute()
  await seedProjects(db)
  await seedTrackers(db, LONG_AGO)
  await sql`update project set rights_epoch = ${nextEpoch()}`.execute(db)
  await sql`insert into audit (action, object, outcome, after) values ('seed', 'nothing', 'done', ${JSON.stringify({ canary: PLATFORM_CANARY })}::jsonb)`.execute(
    db,
  )
}

async function seedProjects(db: Db): Promise<void> {
  const common = { created_on: LONG_AGO, created_by: VICTOR.id }
  await db
    .insertInto('project')
    .values([
      {
        id: ORCHARD,
        shortname: 'orchard',
        label: 'Orchard',
        icon: '🌳',
        description: 'Fruit logistics',
        status: 'active',
        access: 'public',
        ...common,
      },
      {
        id: VAULT,
        shortname: 'vault',
        label: `Vault ${VAULT_CANARY}`,
        description: VAULT_CANARY,
        banner: VAULT_CANARY,
        status: 'active',
        access: 'private',
        ...common,
      },
      {
        id: QUARRY,
        shortname: 'quarry',
        label: `Quarry ${QUARRY_CANARY}`,
        description: QUARRY_CANARY,
        status: 'active',
        access: 'private',
        ...common,
      },
      { id: MARSH, shortname: 'marsh', label: 'Marsh', status: 'suspended', access: 'public', ...common },
      { id: RUIN, shortname: 'ruin', label: 'Ruin', status: 'deleted', access: 'public', ...common },
      {
        id: NURSERY,
        shortname: 'nursery',
        label: 'Nursery',
        is_template: true,
        status: 'active',
        access: 'public',
        ...common,
      },
    ])
    .execute()
  const member = (project_id: typeof ORCHARD, { id }: { id: typeof MARA.id }, is_admin = false) => ({
    project_id,
    account_id: id,
    is_admin,
    added_on: LONG_AGO,
  })
  await db
    .insertInto('project_member')
    .values([
      member(ORCHARD, MARA, true),
      member(ORCHARD, TOM),
      member(ORCHARD, UMA),
      member(ORCHARD, SAM),
      member(VAULT, VICTOR, true),
      member(QUARRY, VICTOR, true),
      member(QUARRY, RITA),
      member(MARSH, MARA, true),
      member(MARSH, TOM),
      member(MARSH, UMA),
      member(MARSH, SAM),
      member(RUIN, MARA, true),
      member(RUIN, TOM),
      member(NURSERY, MARA, true),
    ])
    .execute()
  await db
    .insertInto('user_group')
    .values([
      { id: LEADS, project_id: ORCHARD, short_name: 'leads', description: 'Who decides', created_on: LONG_AGO },
      { id: KEEPERS, project_id: VAULT, short_name: `keepers-${VAULT_CANARY}`, created_on: LONG_AGO },
      { id: SHADOWS, project_id: ORCHARD, short_name: 'shadows', bound_to: LEADS, created_on: LONG_AGO },
    ])
    .execute()
  await db
    .insertInto('user_group_member')
    .values([
      { project_id: ORCHARD, user_group_id: LEADS, account_id: UMA.id },
      { project_id: ORCHARD, user_group_id: LEADS, account_id: GUS.id },
      { project_id: VAULT, user_group_id: KEEPERS, account_id: VICTOR.id },
    ])
    .execute()
  await db
    .insertInto('label')
    .values([
      { id: URGENT, project_id: ORCHARD, label: 'urgent', color: 'fiesta-red' },
      { id: SECRET_LABEL, project_id: VAULT, label: VAULT_CANARY, color: 'deep-blue' },
    ])
    .execute()
  await db
    .insertInto('project_service')
    .values([
      { id: ORCHARD_SVN, project_id: ORCHARD, name: 'plugin_svn', label: 'Subversion', is_enabled: true },
      { id: VAULT_SVN, project_id: VAULT, name: 'plugin_svn', label: VAULT_CANARY, is_enabled: true },
      { id: ORCHARD_SUMMARY, project_id: ORCHARD, name: 'summary', label: 'Summary', is_enabled: true },
      { id: ORCHARD_TRACKERS, project_id: ORCHARD, name: 'plugin_tracker', label: 'Trackers', is_enabled: true },
    ])
    .execute()
}

/** Everything but what the migrations themselves put there. */
async function empty(db: Db): Promise<void> {
  const statement = emptying.get(db) ?? emptyingOf(db)
  emptying.set(db, statement)
  await (await statement).execute(db)
  await sql`insert into project (id, shortname, label, status, access, is_template, created_on)
    values (100, 'template', 'Default template', 'system', 'public', true, ${LONG_AGO})`.execute(db)
  await sql`insert into project_service (id, project_id, name, label, is_enabled) values
    (1, 100, 'summary', 'Summary', true), (2, 100, 'plugin_tracker', 'Trackers', true),
    (3, 100, 'plugin_svn', 'Subversion', true), (4, 100, 'admin', 'Administration', true)`.execute(db)
  // Ids of one table fit into no other.
  await sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(given.first, start_value), given.first is not null)
    from pg_sequences left join json_each_text(${JSON.stringify(RANGES)}) as range (name, first_text)
      on pg_get_serial_sequence(range.name, 'id') = format('%I.%I', schemaname, sequencename)
    cross join lateral (select range.first_text::bigint) as given (first)
    where schemaname = 'public'`.execute(db)
}

const emptying = new WeakMap<Db, Promise<RawBuilder<unknown>>>()

/** What migrations have put there. */
const KEPT = ['migration', 'setting', 'feed_epoch', 'login_salt', 'link_type', 'project_count', 'notice_reader']

/**
 * Whatever refers to another goes before it. Rows are few here: to delete them takes a fraction of the time that
 * `truncate` takes to make the files of all tables and indexes anew.
 */
async function emptyingOf(db: Db): Promise<RawBuilder<unknown>> {
  const deletions = (await tablesOfWorld(db)).map((name) => sql`delete from ${sql.table(name)};`)
  await sql`create or replace function empty_world() returns void language plpgsql as $$ begin
    ${sql.join(deletions, sql` `)}
    delete from graphile_worker._private_jobs;
    delete from link_type where not is_system or is_reserved;
    update feed_epoch set removed_xid = default, removed_id = default;
    update notice_reader set epoch = feed_epoch.epoch, xid = pg_snapshot_xmin(pg_current_snapshot()), id = 0 from feed_epoch;
    update setting set chosen = '{}', version = version + 1; end $$`.execute(db)
  return sql`select empty_world()` // Its plans are kept.
}

/** All that a test may fill, each before those that it refers to. */
export async function tablesOfWorld(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive referring as (
      select oid, 0 as depth from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${KEPT}::text[])
      union
      select conrelid, depth + 1 from referring join pg_constraint on confrelid = referring.oid and conrelid <> confrelid
      where contype = 'f'
    )
    select relname as name from referring join pg_class using (oid) group by relname order by max(depth) desc`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

const RANGES = {
  account: 1500,
  project: 2500,
  user_group: 3500,
  access_key: 4500,
  project_service: 5500,
  label: 6500,
  event: 7000,
  job: 8000,
  audit: 9000,
  sign_in_failure: 10_000,
  mail_request: 11_000,
  tracker: 12_000,
  tracker_part: 13_000,
  artifact: 15_000,
  changeset: 17_000,
  open_value: 18_000,
  file: 19_000,
  repository: 20_000,
  webhook: 20_500,
  webhook_delivery: 21_500,
  notification: 37_000,
  notice_mail: 38_000,
}
