import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { directoryPasswordError, isOfAnyDirectory } from '../directories/directory-password.ts'
import { findLink, secretParam, useLink } from '../mails/mailed-link.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { preparePassword, setPassword } from './set-password.ts'

type Owner = Awaited<ReturnType<typeof findOwner>>

export const resetPassword = writeRoute({
  method: 'PUT',
  path: '/password_resets/:token',
  operationId: 'resetPassword',
  summary: 'Set a new password by a mailed link. It does not sign in.',
  description:
    'Sets a new password and ends all sessions and tokens of the account. Everyone with the link. Used, expired and unknown links are 404; the password has to follow the rules.',
  access: 'no_credentials',
  action: 'password.reset',
  params: { token: secretParam },
  body: Type.Object({ new_password: Type.String() }, { title: 'NewPassword' }),
  async prepare({ context, params: { token }, body: { new_password } }) {
    await requirePasswordsAllowed(context, 'browser')
    const owner = await findOwner(context, token)
    const { login, email, password_hash: current_hash } = owner
    return { owner, hash: await preparePassword(context, new_password, { login, email, current_hash }, 'new_password') }
  },
  async handle({ context, params: { token } }, work, { owner, hash }: { owner: Owner; hash: string }) {
    const { id } = owner
    await useLink(work.tx, 'password_reset', token, context.clock.now())
    if (!(await setPassword(work, owner, { from: owner.password_hash, to: hash }))) throw new ApiError('not_found')
    await work.change({ object: `users/${id}`, op: 'update', actor: { ...ANONYMOUS_VIEWER, account_id: id } })
    return {}
  },
})

async function findOwner({ db, clock }: Context, token: Buffer) {
  const { account_id } = await findLink(db, 'password_reset', token, clock.now())
  const owner = await db
    .selectFrom('account')
    .select(['id', 'login', 'email', 'password_hash'])
    .where('id', '=', account_id)
    .where('status', 'in', ['A', 'R'])
    .executeTakeFirst()
  if (!owner) throw new ApiError('not_found')
  if (await isOfAnyDirectory(db, owner.id)) throw directoryPasswordError()
  return owner
}
