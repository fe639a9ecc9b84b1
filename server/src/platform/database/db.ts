import {
  type AbortableOperationOptions,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { ApiError } from '../messages/errors.ts'
import { currentOwner } from './connection-owner.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { isConnectionLost, isRetryableConflict, isCommitOutcomeUnknown } from './database-errors.ts'
import { guardCommits } from './commit-guard.ts'
import { PrimaryClient, refuseStandby } from './primary-client.ts'
import { createStatementNames, prepareStatements } from './prepare-statements.ts'

/** Each room declares its own tables here (`declare module`), and only that room has SQL on them. */
export interface Tables {}
export type Db = Kysely<Tables>
/** An open transaction: a function that takes a `Tx` writes nothing outside it. */
export type Tx = ControlledTransaction<Tables>

// Ids are safe integers, alone and in arrays; by default the driver returns strings.
const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [1016, (text) => JSON.parse(`[${text.slice(1, -1)}]`)], // int8[]
])

const MAX_ATTEMPTS = 3
const CONNECT_TIMEOUT_MS = 2000

/** `responseTimeoutMs`: a statement without a response in this time has lost its connection. */
export function openDatabase(config: PoolConfig, responseTimeoutMs?: number): Db {
  // Measured: fewer connections starve one process, more only queue inside PostgreSQL.
  const { max = 8, connectionTimeoutMillis = CONNECT_TIMEOUT_MS } = config
  const pool = new Pool({
    Client: PrimaryClient,
    verify: refuseStandby,
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    // JIT compilation takes longer than nearly all of our statements; the longest end by their timeout.
    options: '-c jit=off',
    types: { getTypeParser: (oid, format) => PARSERS.get(oid) ?? types.getTypeParser(oid, format) },
    ...config,
    max,
    connectionTimeoutMillis,
  })
  const queue = createFairQueue(max, connectionTimeoutMillis)
  const nameOf = createStatementNames()
  pool.on('connect', (client) => {
    prepareStatements(client, nameOf)
    if (config.statement_timeout !== 0) guardCommits(client, responseTimeoutMs)
    client.on('error', () => {}) // A connection that is lost in use: its next statement fails, but not the process.
  })
  pool.on('error', () => {}) // An idle connection that the server closed: the pool replaces it.
  const db = new Kysely<Tables>({ dialect: new WaypostDialect({ pool }, queue) })
  pools.set(db, { pool, queue })
  return db
}

const pools = new WeakMap<Db, { pool: Pool; queue: FairQueue }>()

/** Busy and idle connections, and requests that wait for one. */
export function poolState(db: Db): { busy: number; idle: number; waiting: number } {
  const known = pools.get(db)
  if (!known) return { busy: 0, idle: 0, waiting: 0 }
  const { pool, queue } = known
  return {
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + queue.waiting,
  }
}

/**
 * Runs `work` in one transaction. Retries conflicts, but only before COMMIT was sent, so `work` must have no effect
 * outside `tx`.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryOnDatabaseConflict(() => inTransactionWithoutRetry(db, work))
}

/** The same without retries, for callers that retry a larger unit. */
export async function inTransactionWithoutRetry<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute()
  try {
    const result = await work(tx)
    await tx.commit().execute()
    return result
  } catch (error) {
    if (!tx.isCommitted && !tx.isRolledBack) await rollBack(tx)
    throw error
  }
}

/** Retries serialization failures and deadlocks. Each attempt must be atomic. */
export async function retryOnDatabaseConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MAX_ATTEMPTS || !isRetryableConflict(error)) throw error
    }
  }
}

/**
 * Runs one writing statement without a transaction. It is its own COMMIT: if the connection is lost, its outcome is
 * unknown.
 */
export async function inSingleStatement<T>(db: Db, statement: (db: Db) => Promise<T>): Promise<T> {
  let isSent = false
  const work = db.connection().execute((connection) => {
    isSent = true
    return statement(connection)
  })
  try {
    return await work
  } catch (error) {
    throw isSent && isConnectionLost(error) ? new ApiError('outcome_unknown') : error
  }
}

/** Several reads of one snapshot. */
export async function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    return await work(tx)
  } finally {
    await rollBack(tx)
  }
}

/** A lost connection has rolled back by itself. */
export async function rollBack(tx: Tx): Promise<void> {
  await tx
    .rollback()
    .execute()
    .catch(() => {})
}

class WaypostDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #queue: FairQueue

  constructor(config: PostgresDialectConfig, queue: FairQueue) {
    super(config)
    this.#config = config
    this.#queue = queue
  }

  override createDriver(): Driver {
    return new CommitGuardDriver(this.#config, this.#queue)
  }
}

/** A COMMIT without a response may or may not have happened: it fails with an unknown outcome and is never retried. */
class CommitGuardDriver extends PostgresDriver {
  readonly #queue: FairQueue
  readonly #releases = new WeakMap<DatabaseConnection, () => void>()

  constructor(config: PostgresDialectConfig, queue: FairQueue) {
    super(config)
    this.#queue = queue
  }

  override async acquireConnection(options?: AbortableOperationOptions) {
    const owner = currentOwner()
    // A request that holds a connection already would wait for itself (deadlock).
    const leave = await this.#queue.acquire(owner && owner.held === 0 ? owner.key : undefined)
    try {
      const connection = await super.acquireConnection(options)
      if (owner) owner.held++
      this.#releases.set(connection, () => {
        if (owner) owner.held--
        leave()
      })
      return connection
    } catch (error) {
      leave()
      throw error
    }
  }

  override async releaseConnection(connection: Parameters<PostgresDriver['releaseConnection']>[0]): Promise<void> {
    // The pool may pass the connection to the next statement at once, which has a permit of its own.
    const release = this.#releases.get(connection)
    this.#releases.delete(connection)
    try {
      await super.releaseConnection(connection)
    } finally {
      release?.()
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      throw isCommitOutcomeUnknown(error) ? new ApiError('outcome_unknown') : error
    }
  }
}
