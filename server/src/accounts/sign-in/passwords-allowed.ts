import type { Context } from '../../platform/operation/context.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import { ApiError } from '../../platform/messages/errors.ts'

/** `browser`: the sign-in page. `elsewhere`: Basic, tokens and svn. */
type PasswordUse = 'browser' | 'elsewhere'

/** Refuses a password before any comparison if the settings disable passwords for this use. */
export async function requirePasswordsAllowed(context: Context, use: PasswordUse): Promise<void> {
  await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
  if (!arePasswordsAllowed(context, use)) throw new ApiError('password_sign_in_disabled')
}

/** The same, with the settings that the request has already loaded. */
export function arePasswordsAllowed({ settings }: Context, use: PasswordUse): boolean {
  const { password_sign_in } = settings.current
  return password_sign_in === 'everywhere' || (password_sign_in === 'browser' && use === 'browser')
}
