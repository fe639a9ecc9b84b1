import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Origin } from '../database/audit.ts'
import { inTransaction, rollBack, type Tx } from '../database/db.ts'
import { toApiError } from '../database/faults.ts'
import { type Version, versionEtag } from '../wire/etag.ts'
import { ApiError, errorBody } from '../words/errors.ts'
import type { BulkRoute } from './bulk.ts'
import type { Part } from './bulk-lines.ts'
import { findStoredAnswer, type IdempotencyKey, lockKey, storeAnswer, takeTurns } from './idempotency.ts'
import { createWork, type Leftover, type RecordedWork, type Report, type Work } from './work.ts'
import type { AnyCall } from './write.ts'

/** A line that could be read. */
export interface BulkLine<L = unknown> {
  readonly line: number
  readonly value: L
}

/** What became of a line: as the single write would have answered, or why it was refused. */
export type LineResult =
  | {
      readonly status: number
      readonly id: number | null
      /** Becomes `etag`, without the part that names bytes. */
      readonly version?: Version
      /** It was as it should be already. */
      readonly isUnchanged?: true
      /** What a dry run would have changed; `attempt` fills it in. */
      readonly report?: Report
    }
  | { readonly error: ApiError; readonly id?: number | null }

/** The work of a part: one transaction. */
export interface BulkWork extends Work {
  /**
   * Runs one line behind a savepoint, with a report of its own. Refused, it leaves nothing, and the others of its part
   * alone; what is not a refusal fails the whole part. `id` is told with a refusal too.
   */
  attempt(write: (work: Work) => Promise<LineResult>, id?: number): Promise<LineResult>
}

export interface AnsweredLine {
  line: number
  status: number
  id: number | null
  etag?: string
  unchanged?: true
  error?: object
  dry_run?: Report
}

interface AnsweredPart {
  readonly lines: readonly AnsweredLine[]
  readonly isReplayed: boolean
  /** Nothing of it is written, or nobody knows: the request cannot go on. */
  readonly isLost: boolean
}

export interface PartRun {
  readonly bulk: BulkRoute
  readonly call: AnyCall
  readonly origin: Origin
  readonly opened: unknown
  readonly key: IdempotencyKey | undefined
  /** Told of what is our own fault. */
  readonly failed: (error: unknown) => void
}

export interface PreparedPart {
  readonly part: Part
  /** Those that could be read. */
  readonly readable: readonly BulkLine[]
  readonly prepared: Promise<unknown>
}

/** What can be done for a part before it is its turn. Where that fails, the part does. */
export function prepareLines({ bulk, call, opened }: PartRun, part: Part): PreparedPart {
  const readable = part.lines.flatMap(({ line, read }) => ('value' in read ? [{ line, value: read.value }] : []))
  const prepared =
    bulk.preparePart && readable.length > 0 ? bulk.preparePart(call, readable, opened) : Promise.resolve()
  prepared.catch(() => {}) // It is waited for when it is its turn.
  return { part, readable, prepared }
}

/** Runs a part in one transaction, once under each key, and answers for each of its lines. */
export async function runPart(run: PartRun, coming: PreparedPart): Promise<AnsweredPart> {
  const { part } = coming
  const leftovers: Leftover[] = []
  try {
    const done = await commitPart(run, coming, leftovers)
    failpoint('write.committed')
    await leave(run, leftovers)
    return { ...done, isLost: false }
  } catch (thrown) {
    await leave(run, leftovers)
    const error = toApiError(thrown)
    if (error.status >= 500) run.failed(thrown)
    return { lines: part.lines.map(({ line }) => refuseLine(run, line, error, null)), isReplayed: false, isLost: true }
  }
}

/** What stays of refused lines, and of a part that failed. */
async function leave({ call }: PartRun, leftovers: readonly Leftover[]): Promise<void> {
  for (const effect of leftovers) await effect(call.context.db)
}

async function commitPart(
  run: PartRun,
  coming: PreparedPart,
  leftovers: Leftover[],
): Promise<Omit<AnsweredPart, 'isLost'>> {
  const { db } = run.call.context
  const { part, readable } = coming
  if (readable.length === 0) return { lines: answerPart(run, part, []), isReplayed: false } // There is nothing to run.
  const prepared = await coming.prepared
  const perform = async (tx: Tx) => {
    leftovers.length = 0
    return { lines: await performPart(run, coming, prepared, tx, leftovers), isReplayed: false }
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
  const key = keyOf(run.key, part)
  return takeTurns(() =>
    inTransaction(db, async (tx) => {
      if (!(await lockKey(tx, key))) return undefined
      const now = run.call.context.clock.now()
      const stored = await findStoredAnswer(tx, key, now)
      if (stored?.body) return { lines: parseLines(stored.body), isReplayed: true }
      const made = await perform(tx)
      const answer = { status: 200, headers: {}, location: null, version: null, secret_id: null }
      await storeAnswer(tx, key, { ...answer, body: JSON.stringify(made.lines) }, now)
      failpoint('write.stored')
      return made
    }),
  )
}

async function performPart(
  run: PartRun,
  { part, readable }: PreparedPart,
  prepared: unknown,
  tx: Tx,
  leftovers: Leftover[],
): Promise<AnsweredLine[]> {
  const { bulk, call, origin, opened } = run
  const begin = () => createWork(tx, origin, undefined, undefined, isDryRun(run))
  failpoint('write.begun')
  const attempt: BulkWork['attempt'] = async (write, id) => {
    const line = begin()
    const result = await attemptLine(line, write, id)
    if ('error' in result) leftovers.push(...line.leftovers)
    return result
  }
  const results = await bulk.handlePart(call, readable, { ...begin(), attempt }, opened, prepared)
  if (results.length !== readable.length) throw new TypeError('A part answers for each of its lines.')
  failpoint('write.done')
  return answerPart(run, part, results)
}

async function attemptLine(
  work: RecordedWork,
  write: (work: Work) => Promise<LineResult>,
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

function isDryRun({ call }: PartRun): boolean {
  return call.query['dry_run'] === true
}

/** In the order of the lines; those that could not be read never reached the handler. */
function answerPart(run: PartRun, { lines }: Part, results: readonly LineResult[]): AnsweredLine[] {
  const given = results.values()
  return lines.map(({ line, read }) => {
    if ('error' in read) return refuseLine(run, line, read.error, null)
    const { value: result } = given.next()
    if (!result) throw new TypeError('A part answers for each of its lines.')
    if ('error' in result) return refuseLine(run, line, result.error, result.id ?? null)
    return answerLine(run, line, result)
  })
}

function answerLine(run: PartRun, line: number, result: Exclude<LineResult, { error: ApiError }>): AnsweredLine {
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

/** The usual error, but for the name of the request, which all lines share. */
function refuseLine({ call }: PartRun, line: number, refusal: ApiError, id: number | null): AnsweredLine {
  const { request_id: _, ...error } = errorBody(refusal, '', { language: call.language }).error
  return { line, status: refusal.status, id, error }
}

/** No client can choose a key with a space in it. */
function keyOf(key: IdempotencyKey, { number, hash }: Part): IdempotencyKey {
  const request_hash = createHash('sha256').update(key.request_hash).update(hash).digest()
  return { ...key, key: `${key.key} ${number}`, request_hash }
}

function parseLines(stored: string): AnsweredLine[] {
  return JSON.parse(stored)
}
