import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { requireFreeEmail } from './email-rules.ts'
import { endLinks, type MailedLink, secretParam, useLink } from '../mails/mailed-link.ts'
import { PERSONAL_MEMBERS } from '../users/user.ts'

interface Owner {
  id: AccountId
  status: AccountStatus
  email: string | null
}

export const verifyEmail = writeRoute({
  method: 'PUT',
  path: '/email_verifications/:token',
  operationId: 'verifyEmail',
  summary: 'Confirm an address by a mailed link.',
  description:
    'Makes the new address the address of the account. Everyone with the link. Used, expired and unknown links are 404.',
  access: 'everyone',
  staysOpen: true,
  action: 'email.verify',
  params: { token: secretParam },
  async handle({ context, params: { token } }, work) {
    const link = await useLink(work.tx, 'email_verification', token, context.clock.now())
    const { id, status, email: before } = await lockOwner(work.tx, link)
    const email = link.email ?? ''
    await requireFreeEmail(work.tx, email, id)

    // With open registration, verifying the address activates the account; otherwise an administrator does.
    const begins = status === 'P' && context.settings.current.registration === 'open'
    await work.tx
      .updateTable('account')
      .set((row) => ({
        email,
        pending_email: null,
        version: row('version', '+', 1),
        rights_epoch: row('rights_epoch', '+', 1),
        ...(begins && { status: 'A' }),
      }))
      .where('id', '=', id)
      .execute()
    await endLinks(work.tx, id, [before, email])
    await work.change({
      object: `users/${id}`,
      op: 'update',
      before: { email: before, ...(begins && { status }) },
      after: { email, ...(begins && { status: 'A' }) },
      personal: PERSONAL_MEMBERS,
      actor: { ...ANONYMOUS_VIEWER, account_id: id },
    })
    return {}
  },
})

/** The account, if this address is still pending for it. */
async function lockOwner(tx: Tx, { account_id, email }: MailedLink): Promise<Owner> {
  const { rows } = await sql<Owner>`
    select account.id, account.status, account.email from account
    where account.id = ${account_id} and folded(account.pending_email) = folded(${email})
      and account.status in ('A', 'R', 'P') for update`.execute(tx)
  const [owner] = rows
  if (!owner) throw new ApiError('not_found')
  return owner
}
