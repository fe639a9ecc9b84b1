import { sql } from 'kysely'
import type { NamedObject } from '../../../artifacts/object-kinds.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { accountsInGroups } from '../../../projects/groups/accounts-in-groups.ts'
import type { ProjectId } from '../../../projects/project.ts'
import type { Level } from '../level.ts'
import { watchedObjectAddress } from '../watching/watched-object.ts'
import type { ChosenLevel } from './notification-context.ts'

/** The watch levels of these objects by object address and account, in one statement. */
export async function findWatchers(
  db: Db | Tx,
  objects: readonly NamedObject[],
): Promise<ReadonlyMap<string, ReadonlyMap<AccountId, Level>>> {
  const { rows } = await sql<NamedObject & { account_id: AccountId; level: Level }>`
    select watch.kind, watch.object_id as id, watch.account_id, watch.level from watch
      join (select distinct kind, id from unnest(${objects.map(({ kind }) => kind)}::text[],
        ${objects.map(({ id }) => id)}::bigint[]) as given (kind, id)) given
        on watch.kind = given.kind and watch.object_id = given.id`.execute(db)
  const found = new Map<string, Map<AccountId, Level>>()
  for (const row of rows) {
    const of = found.get(watchedObjectAddress(row)) ?? new Map<AccountId, Level>()
    found.set(watchedObjectAddress(row), of.set(row.account_id, row.level))
  }
  return found
}

/** For each account, the level chosen for the nearest object. */
export function nearestLevels(
  watchers: Awaited<ReturnType<typeof findWatchers>>,
  around: readonly NamedObject[],
): ReadonlyMap<AccountId, ChosenLevel> {
  const nearest = new Map<AccountId, ChosenLevel>()
  for (const object of around)
    for (const [account, level] of watchers.get(watchedObjectAddress(object)) ?? [])
      if (!nearest.has(account)) nearest.set(account, { level, kind: object.kind })
  return nearest
}

/** Members of the project whose default level is `all` or `status`. */
export async function findDefaultSubscribers(db: Db | Tx, project: number): Promise<ReadonlySet<AccountId>> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from notification_setting
    where default_level in ('all', 'status')
      and account_id in (${accountsInGroups(toId<ProjectId>(project), [MEMBERS_GROUP])})`.execute(db)
  return new Set(rows.map(({ account_id }) => account_id))
}

const MEMBERS_GROUP = 3
