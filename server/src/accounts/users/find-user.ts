import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { parseId } from '../../platform/database/ids.ts'
import { cutPage, type Pagination, type KeysetPosition } from '../../platform/http/pages.ts'
import type { Param } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { hiddenError, requireAccount } from '../auth-errors.ts'
import { type FullUserRow, fullUserColumns } from './user.ts'
import { maySee } from './visibility.ts'

/** The `{id}` of a user: a number, or the caller. */
export const userParam: Param<AccountId | 'self'> = {
  schema: Type.Union([Type.Integer({ minimum: 1 }), Type.Enum(['self', 'me'])], {
    description: 'The user; `self` or `me` is who asks.',
  }),
  parse: (text, name) => (text === 'self' || text === 'me' ? 'self' : parseId<AccountId>(text, name)),
}

/** The user, if visible to the viewer. */
export async function findUser(context: Context, viewer: Viewer, who: AccountId | 'self'): Promise<FullUserRow> {
  const id = who === 'self' ? requireAccount(viewer) : who
  const { rows } = await sql<FullUserRow>`
    select ${fullUserColumns} from account where account.id = ${id} and ${maySee(context, viewer)}`.execute(context.db)
  const [row] = rows
  if (!row) throw hiddenError(viewer)
  return row
}

/** Returns the viewer's own account; private data is refused to everyone else. */
export async function requireSelf(context: Context, viewer: Viewer, who: AccountId | 'self'): Promise<AccountId> {
  if (who === 'self' || who === viewer.account_id) return requireAccount(viewer)
  await findUser(context, viewer, who)
  requireAccount(viewer)
  throw new ApiError('permission_denied', { cause: 'not_self', who_may: ['owner'] })
}

/** One page of the users that match `condition` on `account`, by login, and their number. */
export async function listUsers(
  db: Db | Tx,
  condition: RawBuilder<boolean>,
  { limit, offset, after }: Pagination,
): Promise<{ rows: FullUserRow[]; size: number; next: KeysetPosition | undefined }> {
  const behind = after ? sql`account.login > ${after[0]}` : sql`true`
  const { rows } = await sql<FullUserRow & { size: number; id: AccountId | null }>`
    select found.*, whole.size
    from (select count(*) as size from account where ${condition}) whole
    left join (
      select ${fullUserColumns} from account where ${condition} and ${behind}
      order by account.login limit ${limit + 1} offset ${after ? 0 : offset}
    ) found on true
    order by found.login`.execute(db)
  const found = rows.filter(({ id }) => id !== null)
  return { ...cutPage(found, limit, ({ login }) => [login]), size: rows[0]?.size ?? 0 }
}
