import type { Context } from '../../platform/operation/context.ts'
import { rateLimited } from '../../platform/http/rate-limit.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { fold } from '../login.ts'
import { countMails, EMAIL_VERIFICATIONS } from '../mails/mail-limit.ts'
import type { FullUserRow } from '../users/user.ts'

/**
 * Starts the change of the own address: it is pending until its mailed link is opened, and the current address is
 * notified. The response does not reveal whether another account has the address; the mail job checks that.
 */
export async function requestEmailChange(
  work: WriteContext,
  { clock }: Context,
  user: Pick<FullUserRow, 'id' | 'login' | 'email'>,
  email: string,
): Promise<{ email?: string; pending_email: string | null }> {
  // Only the spelling differs, so the address stays in force; a pending address is dropped.
  if (user.email !== null && fold(user.email) === fold(email)) return { email, pending_email: null }
  const wait = await countMails(work.tx, user.id, EMAIL_VERIFICATIONS, clock.now())
  if (wait !== undefined) throw rateLimited(EMAIL_VERIFICATIONS, wait)
  await work.tx
    .deleteFrom('mailed_link')
    .where('account_id', '=', user.id)
    .where('kind', '=', 'email_verification')
    .execute()
  for (const template of ['email_verification', 'email_change_notice'])
    await work.enqueue({
      type: 'mail',
      payload: { template, account_id: user.id },
      object: `users/${user.id}`,
    })
  work.notify({ user: { email }, channel: 'mail', why: 'email_verification' })
  work.notify({ user: { id: user.id, username: user.login }, channel: 'mail', why: 'email_change' })
  return { pending_email: email }
}
