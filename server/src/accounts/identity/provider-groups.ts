import type { WriteContext } from '../../platform/http/write-context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { IdentityProvider } from './identity-provider.ts'

/**
 * Makes the account a member of the groups that its claim is mapped to, and ends memberships that this provider gave and
 * its claim no longer has. Memberships that people gave are never touched.
 */
export async function followProviderGroups(
  work: WriteContext,
  { identityGroups, clock }: Context,
  { name: provider, settings }: IdentityProvider,
  account_id: AccountId,
  groups: readonly string[] | undefined,
): Promise<void> {
  if (groups === undefined) return
  const held = new Set(groups)
  const mapped = settings.group_mappings.filter(({ value }) => held.has(value)).map(({ user_group }) => user_group)
  const wanted = new Set(mapped)
  const rows = await work.tx
    .selectFrom('identity_group')
    .select('user_group')
    .where('provider', '=', provider)
    .where('account_id', '=', account_id)
    .execute()
  const given = new Set(rows.map(({ user_group }) => user_group))
  const now = clock.now()
  // In one order everywhere, because each locks its project.
  for (const user_group of [...wanted].toSorted()) {
    if (given.has(user_group) || !(await identityGroups.add(work, user_group, account_id, now))) continue
    await work.tx.insertInto('identity_group').values({ provider, account_id, user_group }).execute()
  }
  for (const user_group of [...given].toSorted()) {
    if (wanted.has(user_group)) continue
    await identityGroups.remove(work, user_group, account_id, now)
    await work.tx
      .deleteFrom('identity_group')
      .where('provider', '=', provider)
      .where('account_id', '=', account_id)
      .where('user_group', '=', user_group)
      .execute()
  }
}
