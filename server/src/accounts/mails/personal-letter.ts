import type { Tx } from '../../platform/database/db.ts'
import type { Letter } from '../../platform/jobs/mail.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findActive, letter } from './mails.ts'

/** A mail of another room to an account, in its language; undefined: who may no longer sign in gets none. */
export async function personalLetter(
  context: Context,
  tx: Tx,
  account_id: number | undefined,
  name: string,
  places: Record<string, string>,
): Promise<Letter | undefined> {
  const owner = await findActive(tx, account_id)
  return owner && letter(context, owner, name, places)
}
