import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

/** Whether a directory checks the password of the account. */
export async function isOfAnyDirectory(db: Db | Tx, account: AccountId): Promise<boolean> {
  const found = await db
    .selectFrom('directory_account')
    .select('account_id')
    .where('account_id', '=', account)
    .executeTakeFirst()
  return found !== undefined
}

export function directoryPasswordError(): ApiError {
  return new ApiError('permission_denied', { cause: 'directory_password' })
}
