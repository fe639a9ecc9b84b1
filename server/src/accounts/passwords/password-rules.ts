import { ApiError } from '../../platform/words/errors.ts'
import type { Settings } from '../../platform/operation/settings.ts'
import { isCommonPassword } from './common-passwords.ts'
import { fold } from '../login.ts'
import { isPassword } from './password.ts'

/** Bytes of UTF-8. A hash takes any length, but nobody shall make us hash a book. */
const LONGEST_PASSWORD = 1024

/** Whose password it is to be: what they are called, and what it was. */
export interface PasswordOwner {
  login: string
  email: string | null
  /** The hash of the password in use; null: the account has none. */
  current_hash?: string | null
}

/** Refuses a new password that would be guessed. `path` is where the password stands in the input. */
export async function requireGoodPassword(
  password: string,
  { login, email, current_hash = null }: PasswordOwner,
  { password_min_length: minimum }: Pick<Settings, 'password_min_length'>,
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

/** Also for a password that is only to be compared. */
export function requireHashable(password: string, path = 'password'): void {
  if (Buffer.byteLength(password) <= LONGEST_PASSWORD) return
  const allowed = { maximum: LONGEST_PASSWORD }
  throw new ApiError('parameter_out_of_range', { path, rule: 'max_length', allowed })
}
