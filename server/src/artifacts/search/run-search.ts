import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot, type Tx } from '../../platform/database/db.ts'
import { isBadPattern, ranOutOfTime } from '../../platform/database/faults.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Cause } from '../../platform/words/reasons.ts'

/** How long it may take, and what is said where it takes longer. */
interface Budget {
  readonly cause: Cause
  readonly milliseconds: number
  /**
   * All that is joined is read once, whatever the database expects: where it knows nothing of a tracker yet, it would
   * look for each of a million rows by itself.
   */
  readonly withoutLoops?: boolean
}

/** Runs the statement of a search, within its budget where it has one. What takes longer is refused. */
export async function runSearch<Row>(
  db: Db | Tx,
  statement: RawBuilder<Row>,
  budget: Budget | undefined,
): Promise<QueryResult<Row>> {
  try {
    return budget ? await inBudget(db, statement, budget) : await statement.execute(db)
  } catch (error) {
    throw refusalOf(error, budget)
  }
}

async function inBudget<Row>(db: Db | Tx, statement: RawBuilder<Row>, budget: Budget) {
  const { milliseconds, withoutLoops = false } = budget
  const limited = async (tx: Tx) => {
    await sql`select set_config('statement_timeout', ${String(milliseconds)}, true),
      set_config('enable_nestloop', ${withoutLoops ? 'off' : 'on'}, true)`.execute(tx)
    return statement.execute(tx)
  }
  return 'savepoint' in db ? limited(db) : inSnapshot(db, limited)
}

function refusalOf(error: unknown, budget: Budget | undefined): unknown {
  if (isBadPattern(error)) return new ApiError('query_malformed', { cause: 'regular_expression' })
  if (!ranOutOfTime(error)) return error
  return budget
    ? new ApiError('query_too_expensive', { cause: budget.cause })
    : new ApiError('unavailable', { cause: 'timeout' })
}
