import { Check } from 'typebox/value'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { isFreeEmail } from '../addresses/email-rules.ts'
import { requireFreeLogin } from '../users/login-rules.ts'
import { RealName } from '../users/schemas.ts'
import { PERSONAL_MEMBERS } from '../users/user.ts'
import type { IdentityClaims } from './identity-claims.ts'
import { SignInRefused } from './identity-refusal.ts'
import type { ProviderSettings } from './provider-settings.ts'

const MAX_LOGIN_LENGTH = 24
const MAX_LOGIN_ATTEMPTS = 50
const MAX_NAME_LENGTH = 100

/** An account without a password. With `approval` it is pending, and an administrator opens it. */
export async function createIdentityAccount(
  work: WriteContext,
  context: Context,
  settings: Pick<ProviderSettings, 'new_accounts'>,
  { email, name, username }: Pick<IdentityClaims, 'name' | 'username'> & { email: string },
): Promise<AccountId> {
  const status = statusOfNewAccount(context, settings)
  if (!(await isFreeEmail(work.tx, email))) throw new SignInRefused('account_exists')
  const login = await chooseLogin(work.tx, username ?? email)
  const cut = name?.trim().slice(0, MAX_NAME_LENGTH) ?? ''
  const real_name = Check(RealName, cut) ? cut : login
  const { id } = await work.tx
    .insertInto('account')
    .values({ login, real_name, email, status, password_hash: null, created_on: context.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await work.change({
    object: 'users',
    made: `users/${id}`,
    op: 'create',
    action: 'user.create',
    after: { username: login, real_name, email, status, is_site_admin: false, has_password: false },
    personal: PERSONAL_MEMBERS,
  })
  return id
}

function statusOfNewAccount(
  { settings: site }: Context,
  { new_accounts }: Pick<ProviderSettings, 'new_accounts'>,
): 'A' | 'P' {
  const { registration } = site.current
  if (new_accounts === 'never') throw new SignInRefused('account_unknown')
  if (new_accounts === 'always') return 'A'
  if (registration === 'closed') throw new SignInRefused('account_unknown')
  return registration === 'open' ? 'A' : 'P'
}

/** A name at a provider in the form of a login. */
export function plainLogin(given: string): string {
  return (given.split('@')[0] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_.]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_LOGIN_LENGTH)
    .replace(/-$/, '')
}

/** With a number if it is or was in use. */
async function chooseLogin(tx: Tx, given: string): Promise<string> {
  const plain = plainLogin(given)
  for (const base of [plain, 'member'])
    for (let number = 1; number <= MAX_LOGIN_ATTEMPTS; number++) {
      try {
        return await requireFreeLogin(tx, number === 1 ? base : `${base}${number}`)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.reason === 'name_invalid') break
      }
    }
  throw new SignInRefused('account_unknown', 'No login is free for the new account.')
}
