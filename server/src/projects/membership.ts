import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { recordEvent, insertEventsSql } from '../platform/database/events.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { WriteContext } from '../platform/http/write-context.ts'
import type { ProjectId } from './project.ts'

interface MembershipChange {
  readonly added?: readonly AccountId[]
  readonly removed?: readonly AccountId[]
}

/** Publishes which accounts joined or left a project. */
export async function recordMembershipEvents(
  { tx, origin }: WriteContext,
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
  await insertEventsSql(origin, rows).execute(tx)
  await recordRightsEvent({ tx, origin }, project, [...added, ...removed])
}

/** Publishes that permissions in the project changed, for these accounts or for every viewer of the project. */
export async function recordRightsEvent(
  { tx, origin }: Pick<WriteContext, 'tx' | 'origin'>,
  project: ProjectId,
  whom: readonly AccountId[] | 'everybody',
): Promise<void> {
  if (whom.length === 0) return
  const payload = whom === 'everybody' ? {} : { account_ids: whom }
  await recordEvent(tx, origin, { type: 'rights.changed', project_id: project, payload })
}

/**
 * Invalidates cached permissions of this project, and of projects whose groups are bound to one of its groups.
 * Serializes membership changes.
 */
export async function bumpRightsEpoch(tx: Tx, project: ProjectId): Promise<void> {
  await sql`
    update project set rights_epoch = rights_epoch + 1 where id = ${project} or id in (
      select bound.project_id from user_group source join user_group bound on bound.bound_to = source.id
      where source.project_id = ${project})`.execute(tx)
}
