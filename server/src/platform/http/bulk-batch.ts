import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Origin } from '../database/audit.ts'
import { inTransaction, rollBack, type Tx } from '../database/db.ts'
import { toApiError } from '../database/database-errors.ts'
import { versionEtag } from '../wire/etag.ts'
import { ApiError, errorBody } from '../messages/errors.ts'
import type { BulkLine, BulkRoute, BulkWriteContext, LineResult } from './bulk-route.ts'
import type { BulkBatch } from './bulk-lines.ts'
import {
  findIdempotencyRecord,
  type IdempotencyKey,
  tryLockKey,
  storeIdempotencyRecord,
  waitForKeyLock,
} from './idempotency.ts'
import {
  createWriteContext,
  type OutOfTransactionEffect,
  type RecordedWriteContext,
  type WriteReport,
  type WriteContext,
} from './write-context.ts'
import type { AnyCall } from './route-call.ts'

export interface BulkLineAnswer {
  line: number
  status: number
  id: number | null
  etag?: string
  unchanged?: true
  error?: object
  /** Paths of members that were sent, but not read. */
  ignored?: readonly string[]
  dry_run?: WriteReport
}

interface BulkBatchAnswer {
  readonly lines: readonly BulkLineAnswer[]
  readonly isReplayed: boolean
  /** Nothing was written, or the outcome is unknown: the request cannot continue. */
  readonly isLost: boolean
}

export interface BulkRun {
  readonly bulk: BulkRoute
  readonly call: AnyCall
  readonly origin: Origin
  readonly opened: unknown
  readonly key: IdempotencyKey | undefined
  /** Logs unexpected errors. */
  readonly failed: (error: unknown) => void
}

export interface PreparedBatch {
  readonly batch: BulkBatch
  /** The lines that could be parsed. */
  readonly readable: readonly BulkLine[]
  readonly prepared: Promise<unknown>
}

/** Prepares a batch before its turn. If that fails, the batch fails. */
export function prepareBatch({ bulk, call, opened }: BulkRun, batch: BulkBatch): PreparedBatch {
  const readable = batch.lines.flatMap(({ line, read }) => ('value' in read ? [{ line, value: read.value }] : []))
  const prepared =
    bulk.prepareBatch && readable.length > 0 ? bulk.prepareBatch(call, readable, opened) : Promise.resolve()
  prepared.catch(() => {}) // The error is handled when the batch runs.
  return { batch, readable, prepared }
}

/** Runs a batch in one transaction, once per idempotency key, and returns the results of its lines. */
export async function runBatch(run: BulkRun, coming: PreparedBatch): Promise<BulkBatchAnswer> {
  const { batch } = coming
  const leftovers: OutOfTransactionEffect[] = []
  try {
    const done = await commitBatch(run, coming, leftovers)
    failpoint('write.committed')
    await runLeftovers(run, leftovers)
    return { ...done, isLost: false }
  } catch (thrown) {
    await runLeftovers(run, leftovers)
    const error = toApiError(thrown)
    if (error.status >= 500) run.failed(thrown)
    return { lines: batch.lines.map(({ line }) => refuseLine(run, line, error, null)), isReplayed: false, isLost: true }
  }
}

/** Runs the effects that outlive refused lines and failed batches. */
async function runLeftovers({ call }: BulkRun, leftovers: readonly OutOfTransactionEffect[]): Promise<void> {
  for (const effect of leftovers) await effect(call.context.db)
}

async function commitBatch(
  run: BulkRun,
  coming: PreparedBatch,
  leftovers: OutOfTransactionEffect[],
): Promise<Omit<BulkBatchAnswer, 'isLost'>> {
  const { db } = run.call.context
  const { batch, readable } = coming
  if (readable.length === 0) return { lines: answerBatch(run, batch, []), isReplayed: false } // No line could be parsed.
  const prepared = await coming.prepared
  const perform = async (tx: Tx) => {
    leftovers.length = 0
    return { lines: await performBatch(run, coming, prepared, tx, leftovers), isReplayed: false }
  }
  if (isDryRun(run)) {
    const tx = await db.startTransaction().execute()
    try {
      return await perform(tx)
    } finally {
      await rollBack(tx)
    }
  }
  if (!run.key) return inTransaction(db, perform)
  const key = batchKey(run.key, batch)
  return waitForKeyLock(() =>
    inTransaction(db, async (tx) => {
      if (!(await tryLockKey(tx, key))) return undefined
      const now = run.call.context.clock.now()
      const stored = await findIdempotencyRecord(tx, key, now)
      if (stored?.body) return { lines: parseLines(stored.body), isReplayed: true }
      const made = await perform(tx)
      const answer = { status: 200, headers: {}, location: null, version: null, secret_id: null }
      await storeIdempotencyRecord(tx, key, { ...answer, body: JSON.stringify(made.lines) }, now)
      failpoint('write.stored')
      return made
    }),
  )
}

async function performBatch(
  run: BulkRun,
  { batch, readable }: PreparedBatch,
  prepared: unknown,
  tx: Tx,
  leftovers: OutOfTransactionEffect[],
): Promise<BulkLineAnswer[]> {
  const { bulk, call, origin, opened } = run
  const begin = () => createWriteContext(tx, origin, undefined, undefined, isDryRun(run))
  failpoint('write.begun')
  const attempt: BulkWriteContext['attempt'] = async (write, id) => {
    const line = begin()
    const result = await attemptLine(line, write, id)
    if ('error' in result) leftovers.push(...line.leftovers)
    return result
  }
  const results = await bulk.handleBatch(call, readable, { ...begin(), attempt }, opened, prepared)
  if (results.length !== readable.length) throw new TypeError('A part answers for each of its lines.')
  failpoint('write.done')
  return answerBatch(run, batch, results)
}

async function attemptLine(
  work: RecordedWriteContext,
  write: (work: WriteContext) => Promise<LineResult>,
  id: number | null = null,
): Promise<LineResult> {
  await sql`savepoint line`.execute(work.tx)
  try {
    const result = await write(work)
    if ('error' in result) throw result.error
    await sql`release savepoint line`.execute(work.tx)
    return { ...result, report: work.report() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await sql`rollback to savepoint line`.execute(work.tx)
    return { error, id }
  }
}

function isDryRun({ call }: BulkRun): boolean {
  return call.query['dry_run'] === true
}

/** Results in the order of the lines; lines that could not be parsed never reached the handler. */
function answerBatch(run: BulkRun, { lines }: BulkBatch, results: readonly LineResult[]): BulkLineAnswer[] {
  const given = results.values()
  return lines.map(({ line, read }) => {
    if ('error' in read) return refuseLine(run, line, read.error, null)
    const { value: result } = given.next()
    if (!result) throw new TypeError('A part answers for each of its lines.')
    const ignored = read.ignored.length > 0 && { ignored: read.ignored }
    if ('error' in result) return { ...refuseLine(run, line, result.error, result.id ?? null), ...ignored }
    return { ...answerLine(run, line, result), ...ignored }
  })
}

function answerLine(run: BulkRun, line: number, result: Exclude<LineResult, { error: ApiError }>): BulkLineAnswer {
  const { status, id, version, isUnchanged, report } = result
  if (isDryRun(run)) {
    const whole = report ?? { changes: [], rules: [], notified: [] }
    const dry_run = run.origin.isSilent ? { ...whole, notified: [] } : whole
    return { line, status, id: status === 201 ? null : id, ...(isUnchanged && { unchanged: true }), dry_run }
  }
  return {
    line,
    status,
    id,
    ...(version && { etag: versionEtag(version) }),
    ...(isUnchanged && { unchanged: true }),
  }
}

/** The usual error without the request id, which all lines share. */
function refuseLine({ call }: BulkRun, line: number, refusal: ApiError, id: number | null): BulkLineAnswer {
  const { request_id: _, ...error } = errorBody(refusal, '', { language: call.language }).error
  return { line, status: refusal.status, id, error }
}

/** Cannot collide with a client's key, because those contain no spaces. */
function batchKey(key: IdempotencyKey, { number, hash }: BulkBatch): IdempotencyKey {
  const request_hash = createHash('sha256').update(key.request_hash).update(hash).digest()
  return { ...key, key: `${key.key} ${number}`, request_hash }
}

function parseLines(stored: string): BulkLineAnswer[] {
  return JSON.parse(stored)
}
