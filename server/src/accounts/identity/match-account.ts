import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { viewerColumns } from '../sign-in/viewer-columns.ts'
import type { ViewerRow } from '../account.ts'
import { createIdentityAccount } from './create-identity-account.ts'
import type { IdentityClaims } from './identity-claims.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { SignInRefused } from './identity-refusal.ts'

/**
 * The account of a person at a provider: by their subject; else, if the provider is matched by address, by a verified
 * address that no other subject has; else a new one, if that is allowed. The row of the account is locked.
 */
export async function matchAccount(
  work: WriteContext,
  context: Context,
  provider: IdentityProvider,
  claims: IdentityClaims,
): Promise<ViewerRow> {
  const { tx } = work
  const { name, settings } = provider
  const { subject, email, isVerified } = claims
  requireAllowedAddress(settings.email_domains, claims)
  const linked = await useLinkedAccount(work, context, name, subject)
  if (linked !== undefined) return lockAccount(work, linked)

  if (email === undefined || !isVerified) throw new SignInRefused('address_unverified')
  const { rows } = await sql<{ id: AccountId; is_linked: boolean }>`
    select account.id, exists (select from account_identity
        where account_identity.provider = ${name} and account_identity.account_id = account.id) as is_linked
    from account where folded(account.email) = folded(${email}) order by account.id limit 2`.execute(tx)
  const [found, another] = rows
  if (found) {
    // Imported accounts may share an address; it identifies none of them.
    if (settings.match_by !== 'email' || another) throw new SignInRefused('account_exists')
    // The provider gave the address to another person, or the same person has a new subject: an administrator decides.
    if (found.is_linked) throw new SignInRefused('account_linked')
    await linkAccount(work, context, name, claims, found.id)
    return lockAccount(work, found.id)
  }
  const made = await createIdentityAccount(work, context, settings, { ...claims, email })
  await linkAccount(work, context, name, claims, made)
  return lockAccount(work, made)
}

function requireAllowedAddress(domains: readonly string[], { email, isVerified }: IdentityClaims): void {
  if (domains.length === 0) return
  if (email === undefined || !isVerified) throw new SignInRefused('address_unverified')
  if (!domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()))
    throw new SignInRefused('address_not_allowed')
}

async function useLinkedAccount(
  { tx }: WriteContext,
  { clock }: Context,
  provider: string,
  subject: string,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId }>`
    update account_identity set last_used_on = ${clock.now()} where provider = ${provider} and subject = ${subject}
    returning account_id`.execute(tx)
  return rows[0]?.account_id
}

async function linkAccount(
  work: WriteContext,
  { clock }: Context,
  provider: string,
  { subject }: IdentityClaims,
  account_id: AccountId,
): Promise<void> {
  const now = clock.now()
  await work.tx
    .insertInto('account_identity')
    .values({ provider, subject, account_id, created_on: now, last_used_on: now })
    .execute()
  await work.change({ object: `users/${account_id}`, op: 'update', action: 'identity.link', after: { provider } })
}

async function lockAccount({ tx }: WriteContext, id: AccountId): Promise<ViewerRow> {
  const { rows } = await sql<ViewerRow>`select ${viewerColumns} from account where account.id = ${id}
    for no key update`.execute(tx)
  const [row] = rows
  if (!row) throw new SignInRefused('account_unknown')
  return row
}
