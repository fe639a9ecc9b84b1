import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'

interface LinkedIdentity {
  readonly account_id: AccountId
  readonly provider: string
  readonly subject: string
}

/** Links an account to a subject, for the operator. A link of either of them at the provider is replaced. */
export async function linkIdentity({ db, clock }: Context, origin: Origin, link: LinkedIdentity): Promise<void> {
  const { account_id, provider, subject } = link
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    await tx
      .deleteFrom('account_identity')
      .where('provider', '=', provider)
      .where((row) => row.or([row('account_id', '=', account_id), row('subject', '=', subject)]))
      .execute()
    await tx
      .insertInto('account_identity')
      .values({ ...link, created_on: now, last_used_on: now })
      .execute()
    await recordAudit(tx, origin, { action: 'identity.link', object: `users/${account_id}`, after: { provider } })
  })
}
