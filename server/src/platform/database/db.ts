import { isPlanted } from '#failpoint'
import {
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { ApiError } from '../words/errors.ts'
import { connectionWasLost, isWorthAnotherTry, outcomeIsUnknown } from './faults.ts'
import { makeHonest } from './honest-connection.ts'
import { PrimaryClient, refuseStandby } from './primary-client.ts'
import { createStatementNames, prepareStatements } from './prepare-statements.ts'

/** Each room declares its own tables here (`declare module`); SQL on them stands in that room only. */
export interface Tables {}
export type Db = Kysely<Tables>
/** A transaction that is open: what takes a `Tx` writes nothing outside of it. */
export type Tx = ControlledTransaction<Tables>

// Ids are safe integers, alone and in arrays; by itself the driver hands out strings, whatever our types say.
const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [1016, (text) => JSON.parse(`[${text.slice(1, -1)}]`)], // int8[]
])

const TRIES = 3

/** `patience`: in milliseconds, after which a statement has lost its connection. */
export function openDatabase(config: PoolConfig, patience?: number): Db {
  const pool = new Pool({
    Client: PrimaryClient,
    verify: refuseStandby,
    max: 8, // Measured: fewer starve one process, more only queue inside PostgreSQL.
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    // Compiling a plan takes longer than all but the longest of our statements, and those end by their timeout.
    options: '-c jit=off',
    connectionTimeoutMillis: 2_000, // A crowd before the pool is told so, instead of waiting without end.
    types: { getTypeParser: (oid, format) => PARSERS.get(oid) ?? types.getTypeParser(oid, format) },
    ...config,
  })
  const nameOf = createStatementNames()
  pool.on('connect', (client) => {
    prepareStatements(client, nameOf)
    if (config.statement_timeout !== 0) makeHonest(client, patience)
    client.on('error', () => {}) // One that is lost while it is in use: its next statement fails, and not the process.
  })
  pool.on('error', () => {}) // An idle connection that the server ended: the pool replaces it.
  const db = new Kysely<Tables>({ dialect: new WaypostDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Db, Pool>()

/** How many connections are at work or at rest, and how many requests wait for one. */
export function poolState(db: Db): { busy: number; idle: number; waiting: number } {
  const pool = pools.get(db)
  if (!pool) return { busy: 0, idle: 0, waiting: 0 }
  return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

/**
 * Runs `work` in one transaction. What the database asks to repeat is repeated, but only before COMMIT was sent, so
 * `work` has no effect outside of `tx`.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatedly(() => inOneTransaction(db, work))
}

/** The same, for callers who repeat more than this. */
export async function inOneTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute()
  try {
    const result = await work(tx)
    if (isPlanted('lost-write')) await tx.rollback().execute()
    else await tx.commit().execute()
    return result
  } catch (error) {
    if (!tx.isCommitted && !tx.isRolledBack) await rollBack(tx)
    throw error
  }
}

/** Repeats what the database asks to repeat. All that an attempt writes stands or falls together. */
export async function repeatedly<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === TRIES || !isWorthAnotherTry(error)) throw error
    }
  }
}

/**
 * Runs one statement that writes, without a transaction around it: it is its own COMMIT, and what holds of a lost
 * COMMIT holds of it.
 */
export async function inOneStatement<T>(db: Db, statement: (db: Db) => Promise<T>): Promise<T> {
  let isSent = false
  const work = db.connection().execute((connection) => {
    isSent = true
    return statement(connection)
  })
  try {
    return await work
  } catch (error) {
    throw isSent && connectionWasLost(error) ? new ApiError('outcome_unknown') : error
  }
}

/** Several reads that must see one moment. */
export async function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    return await work(tx)
  } finally {
    await rollBack(tx)
  }
}

/** A connection that is lost has rolled back by itself. */
export async function rollBack(tx: Tx): Promise<void> {
  await tx
    .rollback()
    .execute()
    .catch(() => {})
}

class WaypostDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new HonestDriver(this.#config)
  }
}

/** A COMMIT whose answer never came may or may not have happened: that is told as it is, and never tried again. */
class HonestDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      throw outcomeIsUnknown(error) ? new ApiError('outcome_unknown') : error
    }
  }
}
