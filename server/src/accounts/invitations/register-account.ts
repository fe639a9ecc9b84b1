import { Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { Work } from '../../platform/http/work.ts'
import { Email, isFreeEmail } from '../addresses/email-rules.ts'
import { requireFreeLogin } from '../users/login-rules.ts'
import { preparePassword } from '../passwords/set-password.ts'
import { RealName } from '../users/schemas.ts'
import { PERSONAL } from '../users/user.ts'

/** The answer is the same whether or not login and address are free: that is told in the mail, to the address alone. */
export const registerAccount = writeRoute({
  method: 'POST',
  path: '/registrations',
  operationId: 'registerAccount',
  summary: 'Ask for an account of your own; the mail says how it goes on.',
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
  async prepare({ context, body: { username: login, email, password } }) {
    if (context.settings.current.registration === 'closed') throw new ApiError('not_found')
    return preparePassword(context, password, { login, email }, 'password')
  },
  async handle({ context, body: { username, real_name, email } }, work, password_hash: string) {
    const told = {
      object: 'registrations',
      op: 'create',
      fields: [{ name: 'username', before: null, after: username }],
    } as const
    const login = await freeLogin(work.tx, username)
    const isFree = await isFreeEmail(work.tx, email)
    if (login === undefined || !isFree) {
      const outcome = isFree ? 'login_taken' : 'address_taken'
      await mail(work, { email, params: { outcome, username } })
      await work.change(told)
      return {}
    }
    // Pending until the address is verified; till then it does not count as theirs.
    const { id } = await work.tx
      .insertInto('account')
      .values({ login, real_name, pending_email: email, status: 'P', password_hash, created_on: context.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await mail(work, { account_id: id, params: { outcome: 'made', username } })
    await work.change({ ...told, made: `users/${id}`, after: { username: login }, personal: PERSONAL })
    return {}
  },
})

/** Undefined: somebody has it, or had it. A login against the rules is refused like any wrong input. */
async function freeLogin(tx: Tx, username: string): Promise<string | undefined> {
  try {
    return await requireFreeLogin(tx, username)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'name_taken') return undefined
    throw error
  }
}

async function mail(work: Work, order: { email: string; params: object } | { account_id: number; params: object }) {
  await work.enqueue({ type: 'mail', payload: { template: 'registration', ...order } })
}
