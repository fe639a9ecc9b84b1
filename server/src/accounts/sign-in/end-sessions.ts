import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

/** Ends all sessions and tokens of an account, except the session `asking`; access keys stay. */
export async function endSessionsAndTokens(tx: Tx, account: AccountId, asking?: string): Promise<void> {
  const ended = tx.deleteFrom('session').where('account_id', '=', account)
  await (asking === undefined ? ended : ended.where('id', '<>', asking)).execute()
  await tx.deleteFrom('token').where('account_id', '=', account).execute()
}
