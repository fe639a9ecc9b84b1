import { sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { createIdentityAccount } from '../identity/create-identity-account.ts'
import { SignInRefused } from '../identity/identity-refusal.ts'
import type { Directory } from './directory.ts'
import type { DirectoryPerson } from './directory-person.ts'
import { linkDirectoryAccount } from './link-directory-account.ts'

/** The account of a person who has proved their password at the directory: linked, found by address, or new. */
export async function matchDirectoryAccount(
  work: WriteContext,
  context: Context,
  { name, settings }: Directory,
  { entryId, login, name: real_name, email }: DirectoryPerson,
): Promise<AccountId> {
  const { tx } = work
  await sql`select pg_advisory_xact_lock(hashtextextended(${`directory ${name} ${entryId}`}, 0))`.execute(tx)
  const linked = await tx
    .selectFrom('directory_account')
    .select('account_id')
    .where('directory', '=', name)
    .where('entry_id', '=', entryId)
    .executeTakeFirst()
  if (linked) return linked.account_id
  if (email === undefined) throw new SignInRefused('address_unverified', 'The entry has no usable address.')
  const found = await findAccountByAddress(work, email)
  if (found === 'none') {
    if (settings.new_accounts === 'never') throw new SignInRefused('account_unknown')
    const made = await createIdentityAccount(
      work,
      context,
      { new_accounts: 'always' },
      { email, name: real_name, username: login },
    )
    await linkDirectoryAccount(
      work,
      { directory: name, entry_id: entryId, account_id: made, login },
      context.clock.now(),
    )
    return made
  }
  if (settings.match_by !== 'email' || found === 'taken') throw new SignInRefused('account_exists')
  const link = { directory: name, entry_id: entryId, account_id: found, login }
  await linkDirectoryAccount(work, link, context.clock.now())
  return found
}

/**
 * `taken`: several accounts have the address, or one that no address may give away: it is linked, erased, or of a site
 * administrator, who could be replaced by whoever writes addresses in the directory.
 */
async function findAccountByAddress({ tx }: WriteContext, email: string): Promise<AccountId | 'none' | 'taken'> {
  const { rows } = await sql<{ id: AccountId; is_free: boolean }>`
    select account.id, not account.is_site_admin and account.erased_on is null and not exists (
      select from directory_account where directory_account.account_id = account.id) as is_free
    from account where folded(account.email) = folded(${email}) order by account.id limit 2 for update`.execute(tx)
  const [first, another] = rows
  if (!first) return 'none'
  return first.is_free && !another ? first.id : 'taken'
}
