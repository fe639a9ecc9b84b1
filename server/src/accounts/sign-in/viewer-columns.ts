import { sql } from 'kysely'

/** For the select list of every way to sign in: what makes a viewer of a row of `account`. */
export const viewerColumns = sql`account.id as account_id, account.login, account.status, account.is_site_admin,
  account.time_zone, account.language, account.text_format, account.password_expires_on`
