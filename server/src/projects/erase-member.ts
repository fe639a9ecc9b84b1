import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { WriteContext } from '../platform/http/write-context.ts'
import { recordMembershipEvents } from './membership.ts'
import type { ProjectId } from './project.ts'

interface LockedMembership {
  project_id: ProjectId
  is_member: boolean
}

/** Removes an erased account from every project and group; a project must not lose its last administrator. */
export async function eraseMember(work: WriteContext, account: AccountId): Promise<void> {
  const memberships = await lockMemberships(work.tx, account)
  await requireOtherAdmins(work.tx, account)
  await work.tx.deleteFrom('user_group_member').where('account_id', '=', account).execute()
  await work.tx.deleteFrom('project_member').where('account_id', '=', account).execute()
  for (const { project_id, is_member } of memberships) {
    await work.change({
      object: `projects/${project_id}`,
      op: 'update',
      project_id,
      action: 'project.member_remove',
      before: { member: account },
    })
    if (is_member) await recordMembershipEvents(work, project_id, { removed: [account] })
  }
}

/** Locks the projects until the transaction ends, and invalidates cached permissions. */
async function lockMemberships(tx: Tx, account: AccountId): Promise<LockedMembership[]> {
  const { rows } = await sql<LockedMembership>`
    with touched as (
      select project.id from project
      where project.id in (
        select project_member.project_id from project_member where project_member.account_id = ${account}
        union
        select user_group_member.project_id from user_group_member where user_group_member.account_id = ${account}
      )
      order by project.id for update
    )
    update project set rights_epoch = project.rights_epoch + 1 from touched where project.id = touched.id
    returning project.id as project_id, exists (select from project_member
      where project_member.project_id = project.id and project_member.account_id = ${account}) as is_member`.execute(tx)
  return rows.toSorted((one, other) => one.project_id - other.project_id)
}

/** Runs after the projects are locked, so that no concurrent change can remove another administrator. */
async function requireOtherAdmins(tx: Tx, account: AccountId): Promise<void> {
  const { rows } = await sql<{ id: ProjectId; label: string }>`
    select project.id, project.label from project join project_member own on own.project_id = project.id
    where own.account_id = ${account} and own.is_admin and project.status <> 'deleted'
      and not exists (select from project_member other
        where other.project_id = project.id and other.is_admin and other.account_id <> ${account})
    order by project.id`.execute(tx)
  const used_by = rows.map(({ id, label }) => ({ type: 'project', id, label }))
  if (used_by.length > 0) throw new ApiError('rule_violated', { cause: 'last_project_admin', used_by })
}
