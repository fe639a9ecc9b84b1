import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { type FullUserRow, fullUserColumns } from './user.ts'

/** A subset of the accounts. */
interface UserSubset {
  /** SQL condition on `account`. */
  readonly condition: RawBuilder<boolean>
}

/**
 * The wanted users that match the condition, by id, login or address. A login takes precedence over an address; an
 * address of several users returns all.
 */
export async function findUsersAmong(
  db: Db | Tx,
  { condition }: UserSubset,
  wanted: readonly (number | string)[],
): Promise<{ wanted: number | string; id: AccountId }[]> {
  const ids = wanted.filter((each) => typeof each === 'number')
  const names = wanted.filter((each) => typeof each === 'string')
  const { rows } = await sql<{ number: number | null; name: string | null; id: AccountId; is_login: boolean }>`
    select asked.number, null as name, account.id, false as is_login
    from unnest(${ids}::bigint[]) as asked (number) join account on account.id = asked.number
    where ${condition}
    union
    select null, asked.name, account.id, true
    from unnest(${names}::text[]) as asked (name) join account on account.login = folded(asked.name)
    where ${condition}
    union
    select null, asked.name, account.id, false
    from unnest(${names}::text[]) as asked (name) join account on folded(account.email) = folded(asked.name)
    where ${condition}`.execute(db)
  const logins = new Set(rows.filter(({ is_login }) => is_login).map(({ name }) => name))
  return rows
    .filter(({ name, is_login }) => is_login || name === null || !logins.has(name))
    .flatMap(({ number, name, id }) => {
      const asked = number ?? name
      return asked === null ? [] : [{ wanted: asked, id }]
    })
}

/** For each of several lists, the matching users by login, at most `limit` each, in one statement. */
export async function listUsersAmong(
  db: Db | Tx,
  lists: readonly (UserSubset & { key: string })[],
  limit: number,
): Promise<Map<string, FullUserRow[]>> {
  if (lists.length === 0) return new Map()
  const parts = lists.map(
    ({ key, condition }) => sql`(select ${key}::text as key, ${fullUserColumns} from account where ${condition}
      order by account.login limit ${limit})`,
  )
  const { rows } = await sql<FullUserRow & { key: string }>`
    select * from (${sql.join(parts, sql` union all `)}) listed order by listed.key, listed.login`.execute(db)
  return Map.groupBy(rows, ({ key }) => key)
}
