import { sql } from 'kysely'
import { activeAmong } from '../../accounts/users/active-among.ts'
import type { NamedUser } from '../../accounts/users/find-users-by.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ProjectId } from '../project.ts'
import {
  activeAccounts,
  type EditableGroup,
  lockMembers,
  type MembershipDifference,
  readGroup,
  readMembers,
  recordDifference,
  without,
  writeAdmins,
  writeGroup,
  writeMembers,
} from './replace-members.ts'

interface MemberChanges {
  readonly add: readonly NamedUser[]
  readonly remove: readonly NamedUser[]
}

/** Adds and removes members of a group; the others stay. Accounts that cannot sign in do not join a project. */
export async function changeMembers(
  work: WriteContext,
  found: EditableGroup,
  { add, remove }: MemberChanges,
  now: Date,
): Promise<void> {
  const leaving = new Set(remove.map(({ id }) => id))
  if (add.some(({ id }) => leaving.has(id))) throw new ApiError('parameter_conflict', { path: 'remove' })
  await lockMembers(work.tx, found.project.id)
  await recordDifference(work, found, await changeGroup(work.tx, found, add, leaving, now))
}

async function changeGroup(
  tx: Tx,
  found: EditableGroup,
  add: readonly NamedUser[],
  leaving: ReadonlySet<AccountId>,
  now: Date,
): Promise<MembershipDifference> {
  const { id: project } = found.project
  if (found.kind === 'static') {
    const current = await readGroup(tx, found.group.id)
    const joining = new Set(add.map(({ id }) => id))
    const difference = { added: without(joining, current), removed: [...current].filter((id) => leaving.has(id)) }
    await writeGroup(tx, project, found.group.id, difference)
    return difference
  }
  const { members, admins } = await readMembers(tx, project)
  const current = found.group === 3 ? members : admins
  const added = without(activeAccounts(add), current)
  const removed = [...current].filter((id) => leaving.has(id))
  const joined = without(added, members)
  if (found.group === 3) await writeMembers(tx, project, { added, removed }, now)
  else await writeAdmins(tx, project, { added, removed, joined }, now)
  if (removed.some((id) => admins.has(id))) await requireAdministrator(tx, project)
  return found.group === 3 ? { added, removed } : { added, removed, joined }
}

/** Runs after the change, under the lock of the project. */
async function requireAdministrator(tx: Tx, project: ProjectId): Promise<void> {
  const admins = sql`select project_member.account_id from project_member
    where project_member.project_id = ${project} and project_member.is_admin`
  const { rows } = await sql`select from ${activeAmong(admins)} active limit 1`.execute(tx)
  if (rows.length === 0) throw new ApiError('rule_violated', { cause: 'last_project_admin' })
}
