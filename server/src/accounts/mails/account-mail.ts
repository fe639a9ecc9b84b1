import type { Tx } from '../../platform/database/db.ts'
import type { MailMessage } from '../../platform/jobs/mailer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findActiveRecipient, buildMail } from './mails.ts'

/** A mail of another module to an account, in its language; undefined if the account may no longer sign in. */
export async function buildAccountMail(
  context: Context,
  tx: Tx,
  account_id: number | undefined,
  name: string,
  places: Record<string, string>,
): Promise<MailMessage | undefined> {
  const owner = await findActiveRecipient(tx, account_id)
  return owner && buildMail(context, owner, name, places)
}
