import { sql } from 'kysely'
import { apiDate } from '../../platform/wire/dates.ts'
import { type AccessKeyRow, accessKeyColumns, isOwnLiveKey, representAccessKey } from '../access-keys/access-keys.ts'
import { isLiveSession, representSession, type SessionRow, sessionColumns } from '../sessions/session.ts'
import { type FullUserRow, fullUserColumns, representUser } from '../users/user.ts'
import type { ExportSource } from './export-source.ts'

/** The personal data of the accounts module. Secrets and their hashes are excluded. */
export const ACCOUNT_EXPORTS: readonly ExportSource[] = [
  {
    name: 'account',
    async read(tx, context, person) {
      const { rows } = await sql<FullUserRow & { created_on: Date }>`
        select ${fullUserColumns}, account.created_on from account where account.id = ${person.account_id}`.execute(tx)
      return rows.map((row) => ({ ...representUser(context, person, row), created_on: apiDate(row.created_on) }))
    },
  },
  {
    name: 'access_keys',
    async read(tx, { clock }, { account_id }) {
      const { rows } = await sql<AccessKeyRow>`
        select ${accessKeyColumns} from access_key where ${isOwnLiveKey(account_id, clock.now())}
        order by access_key.id`.execute(tx)
      return rows.map(representAccessKey)
    },
  },
  {
    name: 'sessions',
    async read(tx, context, person) {
      const { rows } = await sql<SessionRow>`
        select ${sessionColumns} from session where session.account_id = ${person.account_id} and ${isLiveSession(context)}
        order by session.last_used_on desc, session.id`.execute(tx)
      return rows.map((row) => representSession(context, person, row))
    },
  },
  {
    name: 'avatar',
    async read(tx, _context, { account_id }) {
      const rows = await tx.selectFrom('avatar').select('content').where('account_id', '=', account_id).execute()
      return rows.map(({ content }) => ({ type: 'image/webp', content: content.toString('base64') }))
    },
  },
  {
    name: 'preferences',
    async read(tx, _context, { account_id }) {
      return tx
        .selectFrom('preference')
        .select(['key', 'value'])
        .where('account_id', '=', account_id)
        .orderBy('key')
        .execute()
    },
  },
]
