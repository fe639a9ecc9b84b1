import { Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { clientKey } from '../../platform/http/rate-limit.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { Email, isFreeEmail } from '../addresses/email-rules.ts'
import { REGISTRATION_REQUESTS } from '../mails/request-limits.ts'
import { requireFreeLogin } from '../users/login-rules.ts'
import { preparePassword } from '../passwords/set-password.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { RealName } from '../users/schemas.ts'
import { PERSONAL_MEMBERS } from '../users/user.ts'

/** The response is the same whether or not login and address are free; only the mail tells. */
export const registerAccount = writeRoute({
  method: 'POST',
  path: '/registrations',
  operationId: 'registerAccount',
  summary: 'Ask for an account of your own; the mail says how it goes on.',
  description:
    'Requests an account: open at once after the mail, or after approval, as the platform says. Everyone, where the setting `registration` is not `closed`. 404 where registration is closed; the answer does not tell whether an address has an account.',
  access: 'everyone',
  staysOpen: true,
  action: 'registration.create',
  body: Type.Object(
    {
      username: Type.String({ maxLength: 255, trim: true }),
      real_name: RealName,
      email: Email,
      password: Type.String(),
    },
    { title: 'Registration' },
  ),
  status: 202,
  async prepare({ context, viewer, origin, body: { username: login, email, password } }) {
    if (context.settings.current.registration === 'closed') throw new ApiError('not_found')
    context.rateLimits.consume(REGISTRATION_REQUESTS, clientKey(viewer, origin.address))
    await requirePasswordsAllowed(context, 'browser')
    return preparePassword(context, password, { login, email }, 'password')
  },
  async handle({ context, body: { username, real_name, email } }, work, password_hash: string) {
    const reportedChange = {
      object: 'registrations',
      op: 'create',
      fields: [{ name: 'username', before: null, after: username }],
    } as const
    const login = await freeLogin(work.tx, username)
    const isFree = await isFreeEmail(work.tx, email)
    if (login === undefined || !isFree) {
      const outcome = isFree ? 'login_taken' : 'address_taken'
      await enqueueMail(work, { email, params: { outcome, username } })
      await work.change(reportedChange)
      return {}
    }
    // Pending until the address is verified; until then the account does not own it.
    const { id } = await work.tx
      .insertInto('account')
      .values({ login, real_name, pending_email: email, status: 'P', password_hash, created_on: context.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueMail(work, { account_id: id, params: { outcome: 'made', username } })
    await work.change({
      ...reportedChange,
      made: `users/${id}`,
      after: { username: login },
      personal: PERSONAL_MEMBERS,
    })
    return {}
  },
})

/** Undefined if the login is or was in use. An invalid login is refused like any invalid input. */
async function freeLogin(tx: Tx, username: string): Promise<string | undefined> {
  try {
    return await requireFreeLogin(tx, username)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'name_taken') return undefined
    throw error
  }
}

async function enqueueMail(
  work: WriteContext,
  order: { email: string; params: object } | { account_id: number; params: object },
) {
  await work.enqueue({ type: 'mail', payload: { template: 'registration', ...order } })
}
