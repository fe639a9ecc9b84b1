import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot, type Tx } from '../../platform/database/db.ts'
import { isInvalidRegex, isStatementTimeout } from '../../platform/database/database-errors.ts'
import { runExpensive } from '../../platform/http/query-cost.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Cause } from '../../platform/messages/reasons.ts'

interface TimeLimit {
  readonly milliseconds: number
  /**
   * Disables nested loops: without statistics on a new tracker, the planner would look up a million rows one by one.
   */
  readonly withoutLoops?: boolean
}

/** With the cause reported on timeout. */
interface Budget extends TimeLimit {
  readonly cause: Cause
}

/** Searches that no index supports; others have a limit for other reasons. */
const SCANS = new Set<Cause>(['regular_expression', 'short_text', 'as_of'])

/** Runs the statement of a search within its time limit; refuses it on timeout. */
export async function runSearch<Row>(
  db: Db | Tx,
  statement: RawBuilder<Row>,
  budget: Budget | undefined,
): Promise<QueryResult<Row>> {
  try {
    if (!budget) return await statement.execute(db)
    return await inTurn(budget, () => inBudget(db, statement, budget))
  } catch (error) {
    throw refusalOf(error, budget)
  }
}

/** The rows of a statement, or none if it takes longer. */
export async function runBriefly<Row>(
  db: Db | Tx,
  statement: RawBuilder<Row>,
  milliseconds: number,
  budget: Budget | undefined,
): Promise<readonly Row[]> {
  try {
    return (await inTurn(budget, () => inBudget(db, statement, { milliseconds }))).rows
  } catch (error) {
    if (isStatementTimeout(error)) return []
    throw refusalOf(error, undefined)
  }
}

/** Searches that no index supports wait for their turn. */
function inTurn<T>(budget: Budget | undefined, run: () => Promise<T>): Promise<T> {
  return budget && SCANS.has(budget.cause) ? runExpensive(run) : run()
}

/** On one processor: a scan must not take all of them from other requests. */
async function inBudget<Row>(db: Db | Tx, statement: RawBuilder<Row>, limit: TimeLimit) {
  const { milliseconds, withoutLoops = false } = limit
  const limited = async (tx: Tx) => {
    await sql`select set_config('statement_timeout', ${String(milliseconds)}, true),
      set_config('enable_nestloop', ${withoutLoops ? 'off' : 'on'}, true),
      set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
    return statement.execute(tx)
  }
  return 'savepoint' in db ? limited(db) : inSnapshot(db, limited)
}

function refusalOf(error: unknown, budget: Budget | undefined): unknown {
  if (isInvalidRegex(error)) return new ApiError('query_malformed', { cause: 'regular_expression' })
  if (!isStatementTimeout(error)) return error
  return budget
    ? new ApiError('query_too_expensive', { cause: budget.cause })
    : new ApiError('unavailable', { cause: 'timeout' })
}
