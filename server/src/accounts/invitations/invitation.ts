import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Id } from '../../platform/database/ids.ts'
import { cutPage, type Pagination, type KeysetPosition } from '../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { permissionError } from '../auth-errors.ts'
import { UserMinimal } from '../users/schemas.ts'
import { representUserMinimal, type UserRow, userColumns } from '../users/user.ts'
import { InvitedProject } from './invited-projects.ts'

export type InvitationId = Id<'invitation'>

export const PendingInvitation = Type.Object(
  {
    id: Type.Integer({ description: 'Names the invitation to those who manage it. It does not open it.' }),
    uri: Type.String(),
    email: Type.String(),
    project: nullable(InvitedProject),
    invited_by: UserMinimal,
    created_on: Type.String(),
    expires_on: Type.String(),
  },
  { title: 'PendingInvitation' },
)
type PendingInvitation = Static<typeof PendingInvitation>

/** Refuses viewers who may not invite to the platform, or to a project that they administer. */
export function requireMayInvite({ settings }: Context, viewer: Viewer, project: InvitedProject | null): void {
  const { who_may_invite } = settings.current
  if (viewer.is_restricted) throw new ApiError('permission_denied', { cause: 'restricted_account' })
  if (viewer.is_site_admin || who_may_invite === 'everyone') return
  if (who_may_invite === 'site_admins' || project === null) throw permissionError(viewer, 'site_admin')
}

/** Whether the inviter of the row of `mailed_link` may still invite there, by current rights and settings. */
export function isStillAllowed({ settings, invitedProjects }: Context): RawBuilder<boolean> {
  const administers = invitedProjects.isAdministeredBy(sql`mailed_link.project_id`, sql`inviter.id`)
  const byRole = {
    everyone: sql`(mailed_link.project_id is null or ${administers})`,
    project_admins: administers,
    site_admins: sql`false`,
  }[settings.current.who_may_invite]
  return sql`(exists (select from account inviter where inviter.id = mailed_link.invited_by
      and inviter.status = 'A' and (inviter.is_site_admin or ${byRole}))
    and (mailed_link.project_id is null or ${invitedProjects.isOpen(sql`mailed_link.project_id`)}))`
}

interface InvitationRow extends UserRow {
  invitation_id: InvitationId
  invited_email: string
  project_id: number | null
  created_on: Date
  expires_on: Date
}

/** One page of open invitations, newest first. */
export async function listOpenInvitations(
  context: Context,
  { invited_by, project_id }: { invited_by?: AccountId; project_id?: number },
  { limit, offset, after }: Pagination,
): Promise<{ body: PendingInvitation[]; size: number; next: KeysetPosition | undefined }> {
  const isListed = sql<boolean>`mailed_link.kind = 'invitation' and mailed_link.expires_on > ${context.clock.now()}
    and ${invited_by === undefined ? sql`true` : sql`mailed_link.invited_by = ${invited_by}`}
    and ${project_id === undefined ? sql`true` : sql`mailed_link.project_id = ${project_id}`}
    and ${isStillAllowed(context)}`
  const behind = after ? sql`mailed_link.id < ${after[0]}` : sql`true`
  const { rows } = await sql<InvitationRow>`
    select mailed_link.id as invitation_id, mailed_link.email as invited_email, mailed_link.project_id,
      mailed_link.created_on, mailed_link.expires_on, ${userColumns}
    from mailed_link join account on account.id = mailed_link.invited_by
    where ${isListed} and ${behind}
    order by mailed_link.id desc limit ${limit + 1} offset ${after ? 0 : offset}`.execute(context.db)
  const whole = await sql<{ size: number }>`select count(*) as size from mailed_link where ${isListed}`.execute(
    context.db,
  )
  const cut = cutPage(rows, limit, ({ invitation_id }) => [invitation_id])
  return { body: await represent(context, cut.rows), size: whole.rows[0]?.size ?? 0, next: cut.next }
}

async function represent(context: Context, rows: readonly InvitationRow[]): Promise<PendingInvitation[]> {
  const ids = new Set(rows.flatMap(({ project_id }) => project_id ?? []))
  const projects = new Map<number, InvitedProject | null>()
  for (const id of ids) projects.set(id, await context.invitedProjects.describe(context.db, id))
  return rows.map(({ invitation_id: id, invited_email, project_id, created_on, expires_on, ...inviter }) => ({
    id,
    uri: `invitations/${id}`,
    email: invited_email,
    project: project_id === null ? null : (projects.get(project_id) ?? null),
    invited_by: representUserMinimal(context, inviter),
    created_on: apiDate(created_on),
    expires_on: apiDate(expires_on),
  }))
}

/** Deletes an invitation made by the viewer or in a project that they administer; returns its target. */
export async function deleteInvitation(
  { invitedProjects }: Context,
  tx: Db | Tx,
  viewer: Viewer,
  id: InvitationId,
): Promise<{ project_id: number | null } | undefined> {
  const account = sql`${viewer.account_id ?? null}::bigint`
  const mayRevoke = viewer.is_site_admin
    ? sql`true`
    : sql`(mailed_link.invited_by = ${account} or ${invitedProjects.isAdministeredBy(sql`mailed_link.project_id`, account)})`
  const { rows } = await sql<{ project_id: number | null }>`
    delete from mailed_link where mailed_link.id = ${id} and mailed_link.kind = 'invitation' and ${mayRevoke}
    returning mailed_link.project_id`.execute(tx)
  return rows[0]
}
