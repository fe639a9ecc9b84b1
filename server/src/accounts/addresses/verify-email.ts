import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { requireFreeEmail } from './email-rules.ts'
import { type MailedLink, secretParam, useLink } from '../mails/mailed-link.ts'
import { PERSONAL } from '../users/user.ts'

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
  access: 'everyone',
  staysOpen: true,
  action: 'email.verify',
  params: { token: secretParam },
  async handle({ context, params: { token } }, work) {
    const link = await useLink(work.tx, 'email_verification', token, context.clock.now())
    const { id, status, email: before } = await lockOwner(work.tx, link)
    const email = link.email ?? ''
    await requireFreeEmail(work.tx, email, id)

    // Whoever registered where that is open to everybody begins with this; elsewhere an administrator decides.
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
    await work.change({
      object: `users/${id}`,
      op: 'update',
      before: { email: before, ...(begins && { status }) },
      after: { email, ...(begins && { status: 'A' }) },
      personal: PERSONAL,
      actor: { ...ANONYMOUS, account_id: id },
    })
    return {}
  },
})

/** The account, if this is still the address that it waits for. */
async function lockOwner(tx: Tx, { account_id, email }: MailedLink): Promise<Owner> {
  const { rows } = await sql<Owner>`
    select account.id, account.status, account.email from account
    where account.id = ${account_id} and folded(account.pending_email) = folded(${email})
      and account.status in ('A', 'R', 'P') for update`.execute(tx)
  const [owner] = rows
  if (!owner) throw new ApiError('not_found')
  return owner
}
