import { sql } from 'kysely'
import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { readRoute } from '../../platform/http/route.ts'
import { accessKeyColumns, type AccessKeyRow, isOwnLiveKey, representAccessKey } from './access-keys.ts'
import { requireSelf, userParam } from '../users/find-user.ts'
import { AccessKeySchema } from '../users/schemas.ts'

export const listAccessKeys = readRoute({
  method: 'GET',
  path: '/users/:id/access_keys',
  operationId: 'listAccessKeys',
  summary: 'List your access keys.',
  description:
    'Lists description, scopes, projects, last use and end of each key; never its secret. The account itself only. Keys of other accounts cannot be listed.',
  access: 'everyone',
  params: { id: userParam },
  answer: Type.Array(AccessKeySchema),
  pages: { default: 50, min: 1, max: 50 },
  async handle({ context, viewer, params, page: { limit, offset, after } }) {
    const account = await requireSelf(context, viewer, params.id)
    const isListed = isOwnLiveKey(account, context.clock.now())
    const { rows } = await sql<Omit<AccessKeyRow, 'id'> & { id: AccessKeyRow['id'] | null; size: number }>`
      select found.*, whole.size
      from (select count(*) as size from access_key where ${isListed}) whole
      left join (
        select ${accessKeyColumns} from access_key where ${isListed} and access_key.id > ${after?.[0] ?? 0}
        order by access_key.id limit ${limit + 1} offset ${after ? 0 : offset}
      ) found on true
      order by found.id`.execute(context.db)
    const keys = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]))
    const cut = cutPage(keys, limit, ({ id }) => [id])
    return { body: cut.rows.map(representAccessKey), size: rows[0]?.size ?? 0, next: cut.next }
  },
})
