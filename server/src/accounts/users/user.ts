import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { type Catalogue, getMessage } from '../../platform/messages/catalogue.ts'
import type { AccountStatus } from '../account.ts'
import type { UserFull, UserMinimal } from './schemas.ts'

/** The displayed name of erased accounts. */
export const ERASED_NAME = 'Erased user'

/** Members stored only in the account row, so that blanking it erases the person. */
export const PERSONAL_MEMBERS = ['username', 'real_name', 'email', 'pending_email', 'time_zone', 'language'] as const

/** The columns for the minimal form of a user. */
export interface UserRow {
  id: AccountId
  login: string
  real_name: string
  ldap_id: string
  has_avatar: boolean
  /** Null: there is no picture; `avatar_url` leads to a pattern. */
  avatar_key: string | null
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

/** Select lists on `account`, one per form. */
export const userColumns = sql`account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.avatar_key, account.erased_on is not null as is_erased`
export const fullUserColumns = sql`${userColumns}, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version`

/** The users with these ids in the columns of the full form, for a statement of another module. */
export function usersByIdSql(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${fullUserColumns} from account where account.id = any(${ids})`
}

/** The row versions of these accounts: they change with every write to their rows. */
export function userRowVersionsSql(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select account.xmin from account where account.id = any(${ids})`
}

/** The same, each with the id of its account. */
export function userRowVersionsByIdSql(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select account.id, account.xmin as version from account where account.id = any(${ids})`
}

type Platform = Pick<Context, 'config'>

export function representUserMinimal({ config }: Platform, row: UserRow): UserMinimal {
  const { id, login, real_name, ldap_id, has_avatar, avatar_key, is_erased } = row
  const picture = avatar_key === null || is_erased ? 'avatar.png' : `avatars/${avatar_key}`
  return {
    id,
    uri: `users/${id}`,
    user_url: `/users/${login}`,
    real_name,
    display_name: is_erased ? real_name : `${real_name} (${login})`,
    username: login,
    ldap_id,
    avatar_url: new URL(`/users/${login}/${picture}`, config.WAYPOST_PUBLIC_URL).href,
    is_anonymous: false,
    has_avatar,
  }
}

/** The user shown for anonymous authors. */
export function anonymousUser({ config }: Platform, language: Catalogue): UserMinimal {
  return {
    id: null,
    uri: null,
    user_url: null,
    real_name: null,
    display_name: getMessage(language, 'user.anonymous'),
    username: null,
    ldap_id: null,
    avatar_url: new URL('/users/anonymous/avatar.png', config.WAYPOST_PUBLIC_URL).href,
    is_anonymous: true,
    has_avatar: false,
  }
}

/** The form for signed-in viewers, reduced to the fields that they may read; anonymous viewers get the minimal form. */
export function representUser(platform: Platform, viewer: Viewer, row: FullUserRow): UserFull {
  const minimal = representUserMinimal(platform, row)
  if (viewer.account_id === undefined) return minimal
  const { email, status, time_zone, language, text_format, pending_email, is_site_admin } = row
  if (viewer.account_id === row.id || viewer.is_site_admin)
    return { ...minimal, email, status, time_zone, language, text_format, pending_email, is_site_admin }
  return viewer.is_restricted ? { ...minimal, email: null, status: null } : { ...minimal, email, status }
}

/** SQL expression: the login of the account with this id. */
export function loginByIdSql(id: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select account.login from account where account.id = ${id})`
}
