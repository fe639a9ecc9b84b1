import { type RawBuilder, sql } from 'kysely'
import { fold } from '../login.ts'

/** Whether somebody has this login; letter case does not matter. */
export function isLoginInUse(name: string): RawBuilder<boolean> {
  return sql`exists (select from account where account.login = ${fold(name)})`
}
