import { sql } from 'kysely'
import type { IdentityGroups } from '../../accounts/identity/identity-groups.ts'
import type { NamedUser } from '../../accounts/users/find-users-by.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { changeMembers } from './change-members.ts'
import { findUserGroup, groupAccounts } from './find-user-group.ts'
import type { EditableGroup } from './replace-members.ts'
import { groupParam } from './user-group-id.ts'
import { requireEditable } from './user-references.ts'

/** A site administrator has mapped the groups, so that they are found with those rights. */
const MAPPING_VIEWER: Viewer = { is_site_admin: true, language: null, time_zone: null }

export const identityGroups: IdentityGroups = {
  async findUnknown(db, groups) {
    const unknown: string[] = []
    for (const group of groups) if (!(await findMappedGroup(db, group))) unknown.push(group)
    return unknown
  },

  async add(work, group, account, now) {
    const found = await findMappedGroup(work.tx, group)
    if (!found || (await isMember(work.tx, found, account))) return false
    return change(work, found, { add: [asNamedUser(account)], remove: [] }, now)
  },

  async changeMany(work, group, { add, remove }, now) {
    const found = await findMappedGroup(work.tx, group)
    if (!found) return []
    const members = await findMembers(work.tx, found, [...add, ...remove])
    const joining = add.filter((id) => !members.has(id))
    const leaving = remove.filter((id) => members.has(id)).map(asNamedUser)
    if (joining.length + leaving.length === 0) return []
    const changes = { add: joining.map(asNamedUser), remove: leaving }
    if (await change(work, found, changes, now)) return joining
    // One of those who leave may be the last administrator: the others leave.
    for (const one of leaving) await change(work, found, { add: [], remove: [one] }, now)
    return joining.length > 0 && (await change(work, found, { add: joining.map(asNamedUser), remove: [] }, now))
      ? joining
      : []
  },

  async remove(work, group, account, now) {
    const found = await findMappedGroup(work.tx, group)
    if (!found || !(await isMember(work.tx, found, account))) return
    await change(work, found, { add: [], remove: [asNamedUser(account)] }, now)
  },
}

/** Undefined: the group is gone, is bound to another one, or its project takes no changes. */
async function findMappedGroup(db: Db | Tx, group: string): Promise<EditableGroup | undefined> {
  try {
    return requireEditable(
      MAPPING_VIEWER,
      await findUserGroup(db, MAPPING_VIEWER, groupParam.parse(group, 'user_group')),
    )
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

async function isMember(tx: Tx, found: EditableGroup, account: AccountId): Promise<boolean> {
  const { rows } = await sql`select from (${groupAccounts(found)}) member where member.account_id = ${account}`.execute(
    tx,
  )
  return rows.length > 0
}

async function findMembers(tx: Tx, found: EditableGroup, accounts: readonly AccountId[]): Promise<Set<AccountId>> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select member.account_id from (${groupAccounts(found)}) member
    where member.account_id = any(${accounts}::bigint[])`.execute(tx)
  return new Set(rows.map(({ account_id }) => account_id))
}

/** False: a rule forbids it, such as that a project keeps an administrator. The sign-in goes on. */
async function change(
  work: WriteContext,
  found: EditableGroup,
  members: Parameters<typeof changeMembers>[2],
  now: Date,
): Promise<boolean> {
  await sql`savepoint identity_group`.execute(work.tx)
  try {
    const audited: WriteContext = {
      ...work,
      change: (one) => work.change({ ...one, action: 'user_group.members' }),
    }
    await changeMembers(audited, found, members, now)
    await sql`release savepoint identity_group`.execute(work.tx)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await sql`rollback to savepoint identity_group`.execute(work.tx)
    return false
  }
}

/** The caller has signed in, so that the account is active. */
function asNamedUser(id: AccountId): NamedUser {
  return { name: String(id), id, status: 'A' }
}
