import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
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

const HOUR_MS = 3_600_000
const LINK_PAGES: Record<LinkKind, string> = {
  password_reset: 'account/reset',
  email_verification: 'account/email',
  invitation: 'account/invitation',
}

/** Lifetimes of links. */
export const LINK_TTL_MS = {
  password_reset: HOUR_MS,
  first_password: 7 * 24 * HOUR_MS,
  email_verification: 24 * HOUR_MS,
  invitation: 14 * 24 * HOUR_MS,
}

type NewLink = Partial<Omit<MailedLink, 'expires_on'>>

/**
 * Creates a link for a mail, and ends earlier ones of its kind: only the newest is valid. The secret is in the URL
 * fragment, which browsers do not send.
 */
export async function makeLink(
  tx: Tx,
  context: Context,
  kind: LinkKind,
  ttlMs: number,
  link: NewLink,
): Promise<string> {
  const secret = randomBytes(32)
  await insertLink(tx, context, kind, ttlMs, link, secret)
  return linkUrl(context, kind, secret)
}

/** Creates a link without a known secret, and returns its id; `renewLink` sets the secret. */
export async function reserveLink(
  tx: Tx,
  context: Context,
  kind: LinkKind,
  ttlMs: number,
  link: NewLink,
): Promise<number> {
  return insertLink(tx, context, kind, ttlMs, link, randomBytes(32))
}

/** Gives a link a new secret; undefined if it was revoked or replaced, or the condition on `mailed_link` fails. */
export async function renewLink(
  tx: Tx,
  context: Context,
  kind: LinkKind,
  ttlMs: number,
  id: number,
  condition: RawBuilder<boolean>,
): Promise<string | undefined> {
  const secret = randomBytes(32)
  const { numAffectedRows } = await sql`
    update mailed_link set digest = ${sha256(secret)}, expires_on = ${new Date(context.clock.now().getTime() + ttlMs)}
    where mailed_link.id = ${id} and mailed_link.kind = ${kind} and ${condition}`.execute(tx)
  return numAffectedRows === 1n ? linkUrl(context, kind, secret) : undefined
}

async function insertLink(
  tx: Tx,
  { clock }: Context,
  kind: LinkKind,
  ttlMs: number,
  { account_id = null, email = null, project_id = null, invited_by = null }: NewLink,
  secret: Buffer,
): Promise<number> {
  const now = clock.now()
  await sql`delete from mailed_link where mailed_link.kind = ${kind} and mailed_link.account_id is not distinct from ${account_id}
    and (mailed_link.account_id is not null
      or (folded(mailed_link.email) = folded(${email}) and mailed_link.project_id is not distinct from ${project_id}))`.execute(
    tx,
  )
  const { id } = await tx
    .insertInto('mailed_link')
    .values({
      digest: sha256(secret),
      kind,
      account_id,
      email,
      project_id,
      invited_by,
      created_on: now,
      expires_on: new Date(now.getTime() + ttlMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function linkUrl({ config }: Context, kind: LinkKind, secret: Buffer): string {
  return new URL(`${LINK_PAGES[kind]}#${secret.toString('base64url')}`, config.WAYPOST_PUBLIC_URL).href
}

const linkColumns = sql`mailed_link.account_id, mailed_link.email, mailed_link.project_id, mailed_link.invited_by,
  mailed_link.expires_on`

/** SQL condition on `mailed_link`: the link that this secret opens. */
function isOpenedBy(kind: LinkKind, secret: Buffer, now: Date, condition: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`(mailed_link.digest = ${sha256(secret)} and mailed_link.kind = ${kind} and mailed_link.expires_on > ${now}
    and ${condition})`
}

/** The link that this secret opens. Unknown, used, revoked and expired give the same error. */
export async function findLink(
  db: Db | Tx,
  kind: LinkKind,
  secret: Buffer,
  now: Date,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<MailedLink> {
  const { rows } = await sql<MailedLink>`
    select ${linkColumns} from mailed_link where ${isOpenedBy(kind, secret, now, condition)}`.execute(db)
  const [link] = rows
  if (!link) throw new ApiError('not_found')
  return link
}

/** Opens and ends the link; of two concurrent requests, one fails. */
export async function useLink(
  tx: Tx,
  kind: LinkKind,
  secret: Buffer,
  now: Date,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<MailedLink> {
  const { rows } = await sql<MailedLink>`
    delete from mailed_link where ${isOpenedBy(kind, secret, now, condition)} returning ${linkColumns}`.execute(tx)
  const [link] = rows
  if (!link) throw new ApiError('not_found')
  return link
}

/**
 * Ends every link of an account after a change of its password or address: mailed ones, those in queued mails, and
 * invitations to its addresses.
 */
export async function endLinks(tx: Tx, account: AccountId, emails: readonly (string | null)[] = []): Promise<void> {
  await sql`update account set links_ended_on = now() where id = ${account}`.execute(tx)
  await sql`delete from mailed_link where mailed_link.account_id = ${account}
    or (mailed_link.kind = 'invitation' and folded(mailed_link.email) in (
      select folded(ended) from unnest(${emails.filter((email) => email !== null)}::text[]) as given (ended)))`.execute(
    tx,
  )
}

/** The secret in a URL. A malformed secret is treated as unknown. */
export const secretParam: Param<Buffer> = {
  schema: Type.String({ description: 'The secret of the mailed link.' }),
  parse: (text) => Buffer.from(/^[\w-]{43}$/.test(text) ? text : '', 'base64url'),
}
