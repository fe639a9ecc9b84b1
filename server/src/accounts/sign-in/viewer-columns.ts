import { sql } from 'kysely'

/** Select list of every sign-in statement: the columns that make up a viewer. */
export const viewerColumns = sql`account.id as account_id, account.login, account.status, account.is_site_admin,
  account.time_zone, account.language, account.text_format, account.password_expires_on`
