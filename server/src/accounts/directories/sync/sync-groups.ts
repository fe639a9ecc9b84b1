import { sql } from 'kysely'
import { inTransaction } from '../../../platform/database/db.ts'
import { createWriteContext } from '../../../platform/http/write-context.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { DirectoryGroup } from './read-groups.ts'
import { findMappedDirectoryGroup, resolveMembers } from './resolve-members.ts'
import type { SyncRun } from './sync-run.ts'

const MEMBER_BATCH_SIZE = 1000

/**
 * Makes people members of the groups that theirs are mapped to, and ends memberships that this directory gave before.
 * People whose entries were not read keep what they have.
 */
export async function syncGroups(run: SyncRun, groups: ReadonlyMap<string, DirectoryGroup>): Promise<void> {
  const { directory, members, notes } = run
  if (!members) return
  const { group_mappings, max_group_depth } = directory.settings
  const wanted = new Map<string, Set<AccountId>>()
  const unknown = new Set<string>()
  for (const { value, user_group } of group_mappings) {
    const group = findMappedDirectoryGroup(groups, value)
    if (!group) {
      notes.push(`The mapped group ${value} does not exist, or several have its name: its memberships stay.`)
      unknown.add(user_group)
      continue
    }
    const accounts = wanted.get(user_group) ?? new Set<AccountId>()
    for (const member of resolveMembers(groups, group, max_group_depth)) {
      const account = members.get(member)
      if (account !== undefined) accounts.add(account)
    }
    wanted.set(user_group, accounts)
  }
  const given = await readGivenMemberships(run)
  const present = new Set(members.values())
  // In one order everywhere, because each locks its project.
  for (const user_group of [...new Set([...wanted.keys(), ...given.keys()])].toSorted()) {
    const now = wanted.get(user_group) ?? new Set<AccountId>()
    const before = given.get(user_group) ?? new Set<AccountId>()
    const joining = [...now].filter((id) => !before.has(id))
    // A mapping that could not be resolved ends nothing.
    const leaving = unknown.has(user_group) ? [] : [...before].filter((id) => !now.has(id) && present.has(id))
    for (const add of batches(joining)) await changeMemberships(run, user_group, { add, remove: [] })
    for (const remove of batches(leaving)) await changeMemberships(run, user_group, { add: [], remove })
  }
}

async function readGivenMemberships({ context, directory }: SyncRun): Promise<Map<string, Set<AccountId>>> {
  const rows = await context.db
    .selectFrom('directory_group')
    .select(['user_group', 'account_id'])
    .where('directory', '=', directory.name)
    .execute()
  const given = new Map<string, Set<AccountId>>()
  for (const { user_group, account_id } of rows) {
    const accounts = given.get(user_group) ?? new Set<AccountId>()
    given.set(user_group, accounts.add(account_id))
  }
  return given
}

async function changeMemberships(
  { context, directory, origin, counts }: SyncRun,
  user_group: string,
  { add, remove }: { readonly add: readonly AccountId[]; readonly remove: readonly AccountId[] },
): Promise<void> {
  const added = await inTransaction(context.db, async (tx) => {
    const work = createWriteContext(tx, origin, undefined)
    const joined = await context.identityGroups.changeMany(work, user_group, { add, remove }, context.clock.now())
    await sql`insert into directory_group (directory, account_id, user_group)
      select ${directory.name}, account_id, ${user_group} from unnest(${joined}::bigint[]) as account_id
      on conflict do nothing`.execute(tx)
    await sql`delete from directory_group where directory = ${directory.name} and user_group = ${user_group}
      and account_id = any(${remove}::bigint[])`.execute(tx)
    return joined
  })
  counts.joined += added.length
  counts.left += remove.length
}

function batches(accounts: readonly AccountId[]): AccountId[][] {
  const parts: AccountId[][] = []
  for (let start = 0; start < accounts.length; start += MEMBER_BATCH_SIZE)
    parts.push(accounts.slice(start, start + MEMBER_BATCH_SIZE))
  return parts
}
