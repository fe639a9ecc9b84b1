import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../platform/database/db.ts'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ArtifactId } from '../artifact.ts'
import { lookUpByRights } from './look-by-rights.ts'
import { lookUpBySql } from './look-by-sql.ts'
import type { LookRow } from './look-rows.ts'

/** Compares both ways in one snapshot. The database is right. */
export async function lookUpBothWays(
  { trackerVisibility, rightsCheck, log }: Pick<Context, 'trackerVisibility' | 'rightsCheck' | 'log'>,
  tx: Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<LookRow | undefined> {
  const remembered = await lookUpByRights({ trackerVisibility }, tx, viewer, id, recalled)
  const [decided] = await lookUpBySql(tx, viewer, [id])
  if (remembered === 'undecided') return decided
  rightsCheck.compared++
  if (!isDeepStrictEqual(inOrder(remembered), inOrder(decided ?? 'hidden'))) {
    rightsCheck.differences++
    log.error({ artifact: id, account: viewer.account_id }, 'the rights in memory differ from those in the database')
  }
  return decided
}

/** With people in an order that does not depend on the plan. */
function inOrder(row: LookRow | 'hidden'): LookRow | 'hidden' {
  return row === 'hidden' ? row : { ...row, persons: row.persons.toSorted((one, other) => one.id - other.id) }
}
