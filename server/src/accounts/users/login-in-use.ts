import { type RawBuilder, sql } from 'kysely'
import { fold } from '../login.ts'

/** Whether an account has this login, ignoring case. */
export function isLoginInUse(name: string): RawBuilder<boolean> {
  return sql`exists (select from account where account.login = ${fold(name)})`
}
