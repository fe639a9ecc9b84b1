import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { SEARCHED_NAMES, searchedText } from './searched-names.ts'
import { type UserRow, userColumns } from './user.ts'
import { isActive, maySee } from './visibility.ts'

/**
 * Active accounts whose login or real name has words that begin so. Those that meet the condition come first, then people
 * of the viewer's projects.
 */
export async function findPeopleByName(
  context: Context,
  viewer: Viewer,
  beginnings: readonly string[],
  limit: number,
  isFirst: RawBuilder<boolean> = sql`false`,
): Promise<UserRow[]> {
  const words = beginnings.map((word) => word.replace(/^@/, '')).filter((word) => word !== '')
  if (words.length === 0) return []
  const { account_id } = viewer
  const isNear = account_id === undefined ? sql`false` : context.sharesProject(account_id, viewer)
  const { rows } = await sql<UserRow>`
    select ${userColumns}, ${isFirst} as is_first, ${isNear} as is_near from account
    where ${sql.join(words.map(hasWord), sql` and `)} and ${isActive} and ${maySee(context, viewer)}
    order by is_first desc, is_near desc, account.login limit ${limit}`.execute(context.db)
  return rows
}

/** The first condition uses the trigram index, the second one excludes the middles of words. */
function hasWord(word: string): RawBuilder<boolean> {
  const part = searchedText(word)
  return sql`(${SEARCHED_NAMES} like '%' || ${part} || '%' and ' ' || ${SEARCHED_NAMES} like '% ' || ${part} || '%')`
}
