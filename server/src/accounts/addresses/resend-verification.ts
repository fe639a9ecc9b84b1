import { ApiError } from '../../platform/messages/errors.ts'
import { rateLimited } from '../../platform/http/rate-limit.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { countMails, EMAIL_VERIFICATIONS } from '../mails/mail-limit.ts'
import { requireAccount } from '../auth-errors.ts'

export const resendVerification = writeRoute({
  method: 'POST',
  path: '/email_verifications',
  operationId: 'resendVerification',
  summary: 'Mail the link that confirms your new address again.',
  description:
    'Mails the link for a new address again. Every signed-in account, for itself. 404 `not_set` if no new address waits for confirmation.',
  access: 'signed_in',
  action: 'email.verification_request',
  status: 202,
  async handle({ context, viewer }, work) {
    const account_id = requireAccount(viewer)
    const { pending_email } = await work.tx
      .selectFrom('account')
      .select('pending_email')
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    if (pending_email === null) throw new ApiError('not_set')
    const wait = await countMails(work.tx, account_id, EMAIL_VERIFICATIONS, context.clock.now())
    if (wait !== undefined) throw rateLimited(EMAIL_VERIFICATIONS, wait)
    const object = `users/${account_id}`
    await work.enqueue({ type: 'mail', payload: { template: 'email_verification', account_id }, object })
    work.notify({ user: { email: pending_email }, channel: 'mail', why: 'email_verification' })
    await work.change({ object, op: 'update' })
    return {}
  },
})
