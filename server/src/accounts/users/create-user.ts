import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { SettingValues } from '../../platform/operation/settings.ts'
import { requireKnownChoices } from './choices.ts'
import { Email, requireFreeEmail } from '../addresses/email-rules.ts'
import { requireFreeLogin } from './login-rules.ts'
import { hashPassword } from '../passwords/password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { profileChoices, RealName, UserFull } from './schemas.ts'
import { type FullUserRow, PERSONAL_MEMBERS, representUser } from './user.ts'

const NewUser = Type.Object(
  {
    username: Type.String({ maxLength: 255, trim: true }),
    real_name: RealName,
    email: Email,
    status: Type.Optional(Type.Enum(['A', 'R'], { default: 'A' })),
    password: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Null: the owner sets it by the mailed link.' }),
    ),
    ...profileChoices,
    is_site_admin: Type.Optional(Type.Boolean({ default: false })),
    invite: Type.Optional(Type.Boolean({ default: true, description: 'Mail a link to set the password.' })),
  },
  { title: 'NewUser' },
)
type NewUser = Static<typeof NewUser>

export const createUser = writeRoute({
  method: 'POST',
  path: '/users',
  operationId: 'createUser',
  summary: 'Make an account.',
  description:
    'Creates an account, with a password or with a mailed link to set one (`invite`). Site administrators only. A login or mail address that is taken is refused, and so is a password that breaks the rules of the platform.',
  access: 'signed_in',
  action: 'user.create',
  sensitive: true,
  body: NewUser,
  answer: UserFull,
  versioned: true,
  status: 201,
  async prepare({ context, viewer, body }) {
    const { password = null, invite = true, username: login, email } = body
    requireKnownChoices(body)
    if (password === null && !invite) throw new ApiError('parameter_conflict', { path: 'invite' })
    requireSiteAdmin(viewer)
    requireUsableStatus(body.status, context.settings.current)
    if (password === null) return null
    await requireGoodPassword(password, { login, email }, context.settings.current)
    return hashPassword(password)
  },
  async handle({ context, viewer, body }, work, password_hash: string | null) {
    const user = await insertAccount(work.tx, context, { ...body, password_hash })
    const { id, login: username, real_name, email, status } = user
    const { is_site_admin = false, invite = true } = body
    const after = { username, real_name, email, status, is_site_admin, has_password: password_hash !== null }
    await work.change({ object: 'users', made: `users/${id}`, op: 'create', after, personal: PERSONAL_MEMBERS })
    if (invite) {
      await work.enqueue({
        type: 'mail',
        payload: { template: 'invite_account', account_id: id },
        object: `users/${id}`,
      })
      work.notify({ user: { email: body.email }, channel: 'mail', why: 'account_created' })
    }
    return {
      body: representUser(context, viewer, user),
      location: `users/${id}`,
      version: { kind: 'user', id, version: user.version },
    }
  },
})

/** Restricted accounts are allowed only if the platform has them enabled. */
export function requireUsableStatus(status: string | undefined, { restricted_users }: SettingValues): void {
  if (status === 'R' && !restricted_users)
    throw new ApiError('parameter_not_allowed', { path: 'status', rule: 'one_of', allowed: ['A'] })
}

type Wanted = Pick<
  NewUser,
  'username' | 'real_name' | 'email' | 'status' | 'is_site_admin' | keyof typeof profileChoices
> & {
  password_hash: string | null
}

/** Creates the account if login and address are free. */
export async function insertAccount(tx: Tx, context: Context, wanted: Wanted): Promise<FullUserRow> {
  const { username, real_name, email, status, is_site_admin, password_hash, time_zone, language, text_format } = wanted
  const login = await requireFreeLogin(tx, username)
  await requireFreeEmail(tx, email)
  const row = await tx
    .insertInto('account')
    .values({
      login,
      real_name,
      email,
      password_hash,
      time_zone: time_zone ?? null,
      language: language ?? null,
      created_on: context.clock.now(),
      ...(status && { status }),
      ...(is_site_admin && { is_site_admin }),
      ...(text_format && { text_format }),
    })
    .returning([
      ...(['id', 'login', 'real_name', 'ldap_id', 'has_avatar', 'avatar_key', 'email', 'status'] as const),
      ...(['time_zone', 'language', 'text_format', 'pending_email', 'is_site_admin', 'version'] as const),
    ])
    .executeTakeFirstOrThrow()
  return { ...row, is_erased: false }
}
