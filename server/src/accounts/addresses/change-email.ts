import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Work } from '../../platform/http/work.ts'
import { fold } from '../login.ts'
import { countMails, EMAIL_VERIFICATIONS } from '../mails/mail-limit.ts'
import type { FullUserRow } from '../users/user.ts'

/**
 * Somebody gives himself another address: it waits until the link that is mailed to it was opened, and the address in
 * force is told. Nothing here says whether another account has it; whoever writes the mail finds out, and words it.
 */
export async function requestEmail(
  work: Work,
  { clock }: Context,
  user: Pick<FullUserRow, 'id' | 'login' | 'email'>,
  email: string,
): Promise<{ email?: string; pending_email: string | null }> {
  // Only spelled otherwise, it is the address that he has; what waited is given up.
  if (user.email !== null && fold(user.email) === fold(email)) return { email, pending_email: null }
  const wait = await countMails(work.tx, user.id, EMAIL_VERIFICATIONS, clock.now())
  if (wait !== undefined) throw new ApiError('rate_limited').with({ 'retry-after': String(wait) })
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
