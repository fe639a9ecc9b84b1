import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { fold } from '../login.ts'
import { maySee } from './visibility.ts'

/** Whom a login names, if the viewer may see him. */
export async function findLogin(
  context: Pick<Context, 'sharesProject'>,
  db: Db | Tx,
  viewer: Viewer,
  login: string,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from account where account.login = ${fold(login)} and ${maySee(context, viewer)}`.execute(db)
  return rows[0]?.id
}
