import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Param } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

export type LinkKind = 'password_reset' | 'email_verification' | 'invitation'

export interface MailedLink {
  account_id: AccountId | null
  email: string | null
  project_id: number | null
  invited_by: AccountId | null
  expires_on: Date
}

const HOUR = 3_600_000
const PAGES: Record<LinkKind, string> = {
  password_reset: 'account/reset',
  email_verification: 'account/email',
  invitation: 'account/invitation',
}

/** How long a link lives. */
export const LIFE = {
  password_reset: HOUR,
  first_password: 7 * 24 * HOUR,
  email_verification: 24 * HOUR,
  invitation: 14 * 24 * HOUR,
}

/**
 * Makes a link for a mail, and ends the earlier ones of its kind: only the newest counts. The secret stands behind `#`,
 * which browsers keep to themselves.
 */
export async function makeLink(
  tx: Tx,
  { config, clock }: Context,
  kind: LinkKind,
  life: number,
  link: Partial<Omit<MailedLink, 'expires_on'>>,
): Promise<string> {
  const secret = randomBytes(32)
  const now = clock.now()
  const { account_id = null, email = null, project_id = null, invited_by = null } = link
  await sql`delete from mailed_link where mailed_link.kind = ${kind} and mailed_link.account_id is not distinct from ${account_id}
    and (mailed_link.account_id is not null
      or (folded(mailed_link.email) = folded(${email}) and mailed_link.project_id is not distinct from ${project_id}))`.execute(
    tx,
  )
  await tx
    .insertInto('mailed_link')
    .values({
      digest: sha256(secret),
      kind,
      account_id,
      email,
      project_id,
      invited_by,
      created_on: now,
      expires_on: new Date(now.getTime() + life),
    })
    .execute()
  return new URL(`${PAGES[kind]}#${secret.toString('base64url')}`, config.WAYPOST_PUBLIC_URL).href
}

/** The link that this secret opens. Unknown, used and over are one answer, to everybody. */
export async function findLink(db: Db | Tx, kind: LinkKind, secret: Buffer, now: Date): Promise<MailedLink> {
  const { rows } = await sql<MailedLink>`
    select mailed_link.account_id, mailed_link.email, mailed_link.project_id, mailed_link.invited_by, mailed_link.expires_on
    from mailed_link where mailed_link.digest = ${sha256(secret)} and mailed_link.kind = ${kind}
      and mailed_link.expires_on > ${now}`.execute(db)
  const [link] = rows
  if (!link) throw new ApiError('not_found')
  return link
}

/** Opens the door, once: of two at the same time, one is too late. */
export async function useLink(tx: Tx, kind: LinkKind, secret: Buffer, now: Date): Promise<MailedLink> {
  const link = await findLink(tx, kind, secret, now)
  const { numDeletedRows } = await tx.deleteFrom('mailed_link').where('digest', '=', sha256(secret)).executeTakeFirst()
  if (numDeletedRows !== 1n) throw new ApiError('not_found')
  return link
}

/** The secret in an address. What has not its form is as unknown as any other. */
export const secretParam: Param<Buffer> = {
  schema: Type.String({ description: 'The secret of the mailed link.' }),
  parse: (text) => Buffer.from(/^[\w-]{43}$/.test(text) ? text : '', 'base64url'),
}
