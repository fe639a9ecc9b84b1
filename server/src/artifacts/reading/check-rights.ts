import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../platform/database/db.ts'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { recordComparison } from '../../platform/operation/rights-check.ts'
import type { ArtifactId } from '../artifact.ts'
import { lookUpByRights } from './look-by-rights.ts'
import { lookUpBySql } from './look-by-sql.ts'
import type { LookRow } from './look-rows.ts'

/** Compares both ways in one snapshot. The database is right. */
export async function lookUpBothWays(
  context: Pick<Context, 'trackerVisibility' | 'rightsCheck' | 'log'>,
  tx: Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<LookRow | undefined> {
  const remembered = await lookUpByRights(context, tx, viewer, id, recalled)
  const [decided] = await lookUpBySql(tx, viewer, [id])
  if (remembered === 'undecided') return decided
  const isEqual = isDeepStrictEqual(inOrder(remembered), inOrder(decided ?? 'hidden'))
  recordComparison(context, isEqual, { artifact: id, account: viewer.account_id })
  return decided
}

/** With people in an order that does not depend on the plan. */
function inOrder(row: LookRow | 'hidden'): LookRow | 'hidden' {
  return row === 'hidden' ? row : { ...row, persons: row.persons.toSorted((one, other) => one.id - other.id) }
}
