import { ApiError } from '../../platform/messages/errors.ts'
import type { SettingValues } from '../../platform/operation/settings.ts'
import { isCommonPassword } from './common-passwords.ts'
import { fold } from '../login.ts'
import { isPassword } from './password.ts'

/** UTF-8 bytes; limits the cost of hashing. */
const MAX_PASSWORD_BYTES = 1024

/** The account for which a password is checked: its names, and its current hash. */
export interface PasswordOwner {
  login: string
  email: string | null
  /** The hash of the current password; null if the account has none. */
  current_hash?: string | null
}

/** Refuses a new password that is easy to guess. `path` is its location in the input. */
export async function requireGoodPassword(
  password: string,
  { login, email, current_hash = null }: PasswordOwner,
  { password_min_length: minimum }: Pick<SettingValues, 'password_min_length'>,
  path = 'password',
): Promise<void> {
  requireHashable(password, path)
  if (Array.from(password).length < minimum)
    throw new ApiError('rule_violated', { path, cause: 'password_too_short', rule: 'min_length', allowed: { minimum } })
  if ([login, email].some((name) => name !== null && fold(name) === fold(password)))
    throw new ApiError('rule_violated', { path, cause: 'password_is_name' })
  if (isCommonPassword(password)) throw new ApiError('rule_violated', { path, cause: 'password_common' })
  if (current_hash !== null && (await isPassword(password, current_hash)))
    throw new ApiError('rule_violated', { path, cause: 'password_unchanged' })
}

/** Also for a password that is only compared. */
export function requireHashable(password: string, path = 'password'): void {
  if (Buffer.byteLength(password) <= MAX_PASSWORD_BYTES) return
  const allowed = { maximum: MAX_PASSWORD_BYTES }
  throw new ApiError('parameter_out_of_range', { path, rule: 'max_length', allowed })
}
