import { sql } from 'kysely'
import type { NamedUser } from '../../accounts/users/find-users-by.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { bumpRightsEpoch, recordMembershipEvents, recordRightsEvent } from '../membership.ts'
import type { ProjectId, UserGroupId } from '../project.ts'
import type { GroupOfProject } from './find-user-group.ts'

export type EditableGroup =
  | Extract<GroupOfProject, { kind: 'static' }>
  | (Omit<Extract<GroupOfProject, { kind: 'dynamic' }>, 'group'> & { readonly group: 3 | 4 })

export interface MembershipDifference {
  readonly added: readonly AccountId[]
  readonly removed: readonly AccountId[]
  /** Added accounts that became members of the project thereby. */
  readonly joined?: readonly AccountId[]
}

/** Makes exactly these people the members of a group. */
export async function replaceMembers(
  work: WriteContext,
  found: EditableGroup,
  users: readonly NamedUser[],
  now: Date,
): Promise<void> {
  await lockMembers(work.tx, found.project.id)
  await recordDifference(work, found, await replaceGroup(work.tx, found, users, now))
}

/** Serializes changes of members in the project, so that each one sees the result of the previous one. */
export async function lockMembers(tx: Tx, project: ProjectId): Promise<void> {
  await tx.selectFrom('project').select('id').where('id', '=', project).forNoKeyUpdate().execute()
}

/** Publishes and logs a change of members, and invalidates cached permissions. */
export async function recordDifference(
  work: WriteContext,
  found: EditableGroup,
  { added, removed, joined = [] }: MembershipDifference,
): Promise<void> {
  const { id: project_id } = found.project
  if (added.length === 0 && removed.length === 0) return
  await bumpRightsEpoch(work.tx, project_id)
  if (found.kind === 'dynamic' && found.group === 3) await recordMembershipEvents(work, project_id, { added, removed })
  else {
    await recordMembershipEvents(work, project_id, { added: joined })
    await recordRightsEvent(work, project_id, without([...added, ...removed], new Set(joined)))
  }
  const object = found.kind === 'static' ? `user_groups/${found.group.id}` : `user_groups/${project_id}_${found.group}`
  await work.change({ object, op: 'update', project_id, before: { removed }, after: { added } })
}

function replaceGroup(
  tx: Tx,
  found: EditableGroup,
  users: readonly NamedUser[],
  now: Date,
): Promise<MembershipDifference> {
  const { id } = found.project
  if (found.kind === 'static') return replaceStatic(tx, id, found.group.id, users)
  return found.group === 3 ? replaceProjectMembers(tx, id, users, now) : replaceAdmins(tx, id, users, now)
}

async function replaceStatic(
  tx: Tx,
  project_id: ProjectId,
  group: UserGroupId,
  users: readonly NamedUser[],
): Promise<MembershipDifference> {
  const current = await readGroup(tx, group)
  const wanted = new Set(users.map(({ id }) => id))
  const difference = { added: without(wanted, current), removed: without(current, wanted) }
  await writeGroup(tx, project_id, group, difference)
  return difference
}

export async function readGroup(tx: Tx, group: UserGroupId): Promise<Set<AccountId>> {
  const rows = await tx
    .selectFrom('user_group_member')
    .select('account_id')
    .where('user_group_id', '=', group)
    .execute()
  return new Set(rows.map(({ account_id }) => account_id))
}

export async function writeGroup(
  tx: Tx,
  project_id: ProjectId,
  group: UserGroupId,
  { added, removed }: MembershipDifference,
): Promise<void> {
  await sql`delete from user_group_member
    where user_group_id = ${group} and account_id = any(${removed}::bigint[])`.execute(tx)
  await sql`insert into user_group_member (project_id, user_group_id, account_id)
    select ${project_id}, ${group}, account_id from unnest(${added}::bigint[]) as account_id`.execute(tx)
}

/** Administrators stay even if they are not listed; accounts that cannot sign in are not added. */
async function replaceProjectMembers(
  tx: Tx,
  project: ProjectId,
  users: readonly NamedUser[],
  now: Date,
): Promise<MembershipDifference> {
  const { members, admins } = await readMembers(tx, project)
  const wanted = new Set(users.map(({ id }) => id))
  const added = without(activeAccounts(users), members)
  const removed = without(members, wanted, admins)
  await writeMembers(tx, project, { added, removed }, now)
  return { added, removed }
}

export async function writeMembers(
  tx: Tx,
  project: ProjectId,
  { added, removed }: MembershipDifference,
  now: Date,
): Promise<void> {
  await sql`delete from project_member
    where project_id = ${project} and account_id = any(${removed}::bigint[])`.execute(tx)
  await insertMembers(tx, project, added, now)
}

/** New administrators become members too; former administrators stay members. */
async function replaceAdmins(
  tx: Tx,
  project: ProjectId,
  users: readonly NamedUser[],
  now: Date,
): Promise<MembershipDifference> {
  if (activeAccounts(users).size === 0) throw new ApiError('rule_violated', { cause: 'last_project_admin' })
  const { members, admins } = await readMembers(tx, project)
  const wanted = new Set(users.map(({ id }) => id))
  const added = without(activeAccounts(users), admins)
  const removed = without(admins, wanted)
  const joined = without(added, members)
  await writeAdmins(tx, project, { added, removed, joined }, now)
  return { added, removed, joined }
}

export async function writeAdmins(
  tx: Tx,
  project: ProjectId,
  { added, removed, joined = [] }: MembershipDifference,
  now: Date,
): Promise<void> {
  await insertMembers(tx, project, joined, now)
  await sql`update project_member set is_admin = not is_admin
    where project_id = ${project} and account_id = any(${[...added, ...removed]}::bigint[])`.execute(tx)
}

export async function readMembers(tx: Tx, project: ProjectId) {
  const rows = await tx
    .selectFrom('project_member')
    .select(['account_id', 'is_admin'])
    .where('project_id', '=', project)
    .execute()
  const admins = rows.filter(({ is_admin }) => is_admin)
  return {
    members: new Set(rows.map(({ account_id }) => account_id)),
    admins: new Set(admins.map(({ account_id }) => account_id)),
  }
}

async function insertMembers(tx: Tx, project: ProjectId, accounts: readonly AccountId[], now: Date): Promise<void> {
  await sql`insert into project_member (project_id, account_id, added_on)
    select ${project}, account_id, ${now} from unnest(${accounts}::bigint[]) as account_id`.execute(tx)
}

/** Accounts that can sign in. */
export function activeAccounts(users: readonly NamedUser[]): Set<AccountId> {
  return new Set(users.filter(({ status }) => status === 'A' || status === 'R').map(({ id }) => id))
}

export function without(accounts: Iterable<AccountId>, ...others: readonly ReadonlySet<AccountId>[]): AccountId[] {
  return [...accounts].filter((account) => !others.some((other) => other.has(account)))
}
