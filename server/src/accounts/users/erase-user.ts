import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { endLinks } from '../mails/mailed-link.ts'
import { endSessionsAndTokens } from '../sign-in/end-sessions.ts'
import { userParam } from './find-user.ts'
import { requireAnotherAdmin } from './last-admin.ts'
import { fold } from '../login.ts'
import { tombstoneLogin } from './login-rules.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { type LockedUser, lockUser } from './update-user.ts'
import { ERASED_NAME, PERSONAL_MEMBERS } from './user.ts'

/** Callback of a module when an account is erased: throws to refuse, or removes its data about the account. */
export type Eraser = (work: WriteContext, account: AccountId) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Called in order, before the account itself is blanked. Modules add theirs in `ports.ts`. */
    readonly onErase: readonly Eraser[]
  }
}

export const eraseUser = writeRoute({
  method: 'DELETE',
  path: '/users/:id',
  operationId: 'eraseUser',
  summary: 'Erase a person, and keep their work.',
  description:
    'Removes the personal data of an account for good; versions and comments stay, under a name without a person. Site administrators only. The login has to be repeated in `confirm`; your own account cannot be erased.',
  access: 'signed_in',
  action: 'user.erase',
  notifies: true,
  sensitive: true,
  params: { id: userParam },
  body: Type.Object({ confirm: Type.String({ trim: true, description: 'The login of who is to be erased.' }) }),
  async handle({ context, viewer, params, body }, work) {
    const administrator = requireSiteAdmin(viewer)
    const user = await lockUser(work.tx, context, viewer, params.id)
    if (fold(body.confirm) !== user.login) throw new ApiError('parameter_invalid', { path: 'confirm', rule: 'one_of' })
    if (user.id === administrator) throw new ApiError('rule_violated', { cause: 'self' })
    await requireAnotherAdmin(work.tx, user.id)

    for (const erase of context.onErase) await erase(work, user.id)
    await removeCredentials(work, user.id)
    await endLinks(work.tx, user.id, [user.email, user.pending_email])
    await removeTraces(work.tx, user.id)
    await blankAccount(work, context, user)
    return {}
  },
})

async function removeCredentials(work: WriteContext, account: AccountId): Promise<void> {
  await endSessionsAndTokens(work.tx, account)
  const keys = await work.tx.deleteFrom('access_key').where('account_id', '=', account).returning('id').execute()
  for (const { id } of keys)
    await work.change({ object: `access_keys/${id}`, op: 'delete', action: 'access_key.delete' })
}

async function removeTraces(tx: Tx, account: AccountId): Promise<void> {
  for (const table of [
    ...(['avatar', 'preference', 'mail_request', 'export_file', 'known_origin'] as const),
    ...(['account_identity', 'identity_group', 'directory_account', 'directory_group'] as const),
  ])
    await tx.deleteFrom(table).where('account_id', '=', account).execute()
  await tx.deleteFrom('mailed_link').where('invited_by', '=', account).execute()
  await tx.updateTable('login_tombstone').set({ account_id: null }).where('account_id', '=', account).execute()
}

/** History refers to accounts by id, so blanking this row removes the name everywhere. */
async function blankAccount({ tx, ...work }: WriteContext, context: Context, user: LockedUser): Promise<void> {
  const blank = {
    login: `erased-${user.id}`,
    real_name: ERASED_NAME,
    status: 'D',
    email: null,
    pending_email: null,
    time_zone: null,
    language: null,
  } as const
  await tombstoneLogin(tx, user.login, null)
  await tx
    .updateTable('account')
    .set((each) => ({
      ...blank,
      is_site_admin: false,
      password_hash: null,
      password_expires_on: null,
      ldap_id: '',
      has_avatar: false,
      avatar_key: null,
      erased_on: context.clock.now(),
      version: each('version', '+', 1),
      rights_epoch: each('rights_epoch', '+', 1),
    }))
    .where('id', '=', user.id)
    .execute()
  const { login: username, ...others } = blank
  const { real_name, status, email, pending_email, time_zone, language } = user
  await work.change({
    object: `users/${user.id}`,
    op: 'delete',
    before: { username: user.login, real_name, status, email, pending_email, time_zone, language },
    after: { username, ...others },
    personal: PERSONAL_MEMBERS,
  })
}
