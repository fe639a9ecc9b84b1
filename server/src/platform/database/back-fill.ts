import { type RawBuilder, sql } from 'kysely'
import type { Poller } from '../jobs/poller.ts'
import { type Db, inTransaction, type Tx } from './db.ts'

declare module './db.ts' {
  interface Tables {
    back_fill: {
      name: string
      scope: number
      phase: 'requested' | 'waiting' | 'filling' | 'verifying' | 'verified'
      horizon: string | null
      place: number
      rows_filled: number
      differences: number
      verified_on: Date | null
    }
  }
}

/** The start of a batch: the rows of `scope` after `place`. */
export interface BackFillBatch {
  readonly scope: number
  readonly place: number
}

interface Done {
  /** The place of the last row; undefined if there were no more rows. */
  readonly place: number | undefined
  /** Rows that were filled, or that differ. */
  readonly rows: number
}

/** Derived data that triggers keep true from its migration on, and that is filled for the rows from before. */
export interface BackFill {
  readonly name: string
  /** Fills a batch. It locks the source rows, so that no concurrent write is overwritten with older values. */
  fill(tx: Tx, batch: BackFillBatch): Promise<Done>
  /** Compares a batch with its source, in one statement, and counts the differences. */
  compare(tx: Tx, batch: BackFillBatch): Promise<Done>
  /** Called in the transaction that allows reading the data. */
  onVerified(tx: Tx, scope: number): Promise<void>
}

interface Row extends BackFillBatch {
  readonly name: string
  readonly phase: 'requested' | 'waiting' | 'filling' | 'verifying'
  readonly is_settled: boolean
}

/** A condition for statements that choose between derived data and its source: the switch of one back-fill. */
export function isBackFilled(name: string, scope: RawBuilder<unknown> = sql`0`): RawBuilder<boolean> {
  return sql`not exists (select from back_fill where back_fill.name = ${name} and back_fill.scope = ${scope}
    and back_fill.phase <> 'verified')`
}

/**
 * Runs one batch of one back-fill in a transaction with its place: a kill loses this batch only, and another process
 * continues. Returns false if there is nothing to do now.
 */
export function runBackFill(db: Db, fills: readonly BackFill[]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Rows of other names belong to another version of the server.
    const { rows } = await sql<Row>`
      select name, scope, phase, place, phase <> 'waiting' or horizon <= pg_snapshot_xmin(pg_current_snapshot()) as is_settled
      from back_fill where phase <> 'verified' and name = any(${fills.map(({ name }) => name)})
      order by is_settled desc, name, scope limit 1 for update skip locked`.execute(tx)
    const [row] = rows
    const fill = fills.find(({ name }) => name === row?.name)
    if (!row?.is_settled || !fill) return false
    await advance(tx, fill, row)
    return true
  })
}

async function advance(tx: Tx, fill: BackFill, row: Row): Promise<void> {
  const set = (columns: RawBuilder<unknown>) =>
    sql`update back_fill set ${columns} where name = ${row.name} and scope = ${row.scope}`.execute(tx)
  if (row.phase === 'requested') {
    // A transaction that began before the request was committed may still write rows in the old form.
    await set(sql`phase = 'waiting', horizon = pg_snapshot_xmax(pg_current_snapshot())`)
  } else if (row.phase === 'waiting') {
    await set(sql`phase = 'filling', place = 0`)
  } else if (row.phase === 'filling') {
    const { place, rows } = await fill.fill(tx, row)
    await set(
      place === undefined
        ? sql`phase = 'verifying', place = 0`
        : sql`place = ${place}, rows_filled = rows_filled + ${rows}`,
    )
  } else {
    const { place, rows: differences } = await fill.compare(tx, row)
    if (differences > 0) await set(sql`phase = 'filling', differences = differences + ${differences}`)
    else if (place !== undefined) await set(sql`place = ${place}`)
    else {
      await set(sql`phase = 'verified', verified_on = now()`)
      await fill.onVerified(tx, row.scope)
    }
  }
}

export function backFillPoller(fills: readonly BackFill[]): Poller {
  return { name: 'back_fill', turn: ({ db }) => runBackFill(db, fills) }
}

/** Runs all back-fills to their end, beside writers and workers. `wait` is called while transactions have to end first. */
export async function completeBackFills(db: Db, fills: readonly BackFill[], wait: () => Promise<void>): Promise<void> {
  const isOpen = sql<{ is_open: boolean }>`select exists (select from back_fill where phase <> 'verified'
    and name = any(${fills.map(({ name }) => name)})) as is_open`
  for (;;) {
    if (await runBackFill(db, fills)) continue
    const { rows } = await isOpen.execute(db)
    if (!rows[0]?.is_open) return
    await wait()
  }
}
