import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import { type Catalogue, text } from '../../platform/words/catalogue.ts'
import type { AccountStatus } from '../account.ts'
import type { UserFull, UserMinimal } from './schemas.ts'

/** What is left of the name of a person who was erased. */
export const ERASED_NAME = 'Erased user'

/** Members that only the row of the account may hold, so that erasing it erases the person. */
export const PERSONAL = ['username', 'real_name', 'email', 'pending_email', 'time_zone', 'language'] as const

/** What the minimal form of a user needs of a row of `account`. */
export interface UserRow {
  id: AccountId
  login: string
  real_name: string
  ldap_id: string
  has_avatar: boolean
  is_erased: boolean
}

export interface FullUserRow extends UserRow {
  email: string | null
  status: AccountStatus
  time_zone: string | null
  language: string | null
  text_format: TextFormat
  pending_email: string | null
  is_site_admin: boolean
  version: number
}

/** For the select list of a statement that looks at `account`; each makes the row of its form. */
export const userColumns = sql`account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.erased_on is not null as is_erased`
export const fullUserColumns = sql`${userColumns}, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version`

/** The people with these ids, each by the columns of the full form, for a statement of another room. */
export function usersWith(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${fullUserColumns} from account where account.id = any(${ids})`
}

type Platform = Pick<Context, 'config'>

export function representUserMinimal({ config }: Platform, row: UserRow): UserMinimal {
  const { id, login, real_name, ldap_id, has_avatar, is_erased } = row
  return {
    id,
    uri: `users/${id}`,
    user_url: `/users/${login}`,
    real_name,
    display_name: is_erased ? real_name : `${real_name} (${login})`,
    username: login,
    ldap_id,
    avatar_url: new URL(`/users/${login}/avatar.png`, config.WAYPOST_PUBLIC_URL).href,
    is_anonymous: false,
    has_avatar,
  }
}

/** Somebody who was not signed in, where others have a name. */
export function anonymousUser({ config }: Platform, language: Catalogue): UserMinimal {
  return {
    id: null,
    uri: null,
    user_url: null,
    real_name: null,
    display_name: text(language, 'user.anonymous'),
    username: null,
    ldap_id: null,
    avatar_url: new URL('/users/anonymous/avatar.png', config.WAYPOST_PUBLIC_URL).href,
    is_anonymous: true,
    has_avatar: false,
  }
}

/** The form that signed-in callers get, cut to what this one may read; anonymous callers get the minimal form. */
export function representUser(platform: Platform, viewer: Viewer, row: FullUserRow): UserFull {
  const minimal = representUserMinimal(platform, row)
  if (viewer.account_id === undefined) return minimal
  const { email, status, time_zone, language, text_format, pending_email, is_site_admin } = row
  if (viewer.account_id === row.id || viewer.is_site_admin)
    return { ...minimal, email, status, time_zone, language, text_format, pending_email, is_site_admin }
  return viewer.is_restricted ? { ...minimal, email: null, status: null } : { ...minimal, email, status }
}

/** The login of the account with this id, as a part of a statement. */
export function loginOf(id: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select account.login from account where account.id = ${id})`
}
