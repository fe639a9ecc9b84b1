import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { fold } from '../login.ts'
import { maySee, type PeopleContext } from './visibility.ts'

/** The account with this login, if it is visible to the viewer. */
export async function findLogin(
  context: PeopleContext,
  db: Db | Tx,
  viewer: Viewer,
  login: string,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from account where account.login = ${fold(login)} and ${maySee(context, viewer)}`.execute(db)
  return rows[0]?.id
}
