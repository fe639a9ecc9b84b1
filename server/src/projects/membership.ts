import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { recordEvent, recordEvents } from '../platform/database/events.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Work } from '../platform/http/work.ts'
import type { ProjectId } from './project.ts'

interface MembershipChange {
  readonly added?: readonly AccountId[]
  readonly removed?: readonly AccountId[]
}

/** Tells the feed who became a member of a project, and who is none any more. */
export async function tellMembers(
  { tx, origin }: Work,
  project: ProjectId,
  { added = [], removed = [] }: MembershipChange,
): Promise<void> {
  const rows = sql`
    select changed.type, 'projects/' || ${project}::bigint, ${project}::bigint,
      jsonb_build_object('account_id', changed.account_id)
    from (
      select 'member.added' as type, account_id from unnest(${added}::bigint[]) as account_id
      union all
      select 'member.removed', account_id from unnest(${removed}::bigint[]) as account_id
    ) changed`
  await recordEvents(origin, rows).execute(tx)
  await tellRights({ tx, origin }, project, [...added, ...removed])
}

/** Tells people that they may see or do more or less here than before: these, or whoever sees the project. */
export async function tellRights(
  { tx, origin }: Pick<Work, 'tx' | 'origin'>,
  project: ProjectId,
  whom: readonly AccountId[] | 'everybody',
): Promise<void> {
  if (whom.length === 0) return
  const payload = whom === 'everybody' ? {} : { account_ids: whom }
  await recordEvent(tx, origin, { type: 'rights.changed', project_id: project, payload })
}

/**
 * Whoever keeps rights of this project in memory will see that they are old; likewise where a group takes its members
 * from one of this project's. Memberships are changed one at a time.
 */
export async function moveRights(tx: Tx, project: ProjectId): Promise<void> {
  await sql`
    update project set rights_epoch = rights_epoch + 1 where id = ${project} or id in (
      select bound.project_id from user_group source join user_group bound on bound.bound_to = source.id
      where source.project_id = ${project})`.execute(tx)
}
