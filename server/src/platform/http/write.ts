import { failpoint } from '#failpoint'
import type { RenderedReply, RenderReply } from './render-reply.ts'
import { recordAudit } from '../database/audit.ts'
import { inTransaction, retryOnDatabaseConflict, rollBack, type Tx } from '../database/db.ts'
import { toApiError } from '../database/database-errors.ts'
import { ApiError } from '../messages/errors.ts'
import type { Reason } from '../messages/reasons.ts'
import {
  findIdempotencyRecord,
  type IdempotencyKey,
  tryLockKey,
  storeIdempotencyRecord,
  type IdempotencyRecord,
  waitForKeyLock,
} from './idempotency.ts'
import type { ReadAddress } from './read-address.ts'
import type { Route } from './route.ts'
import type { AnyCall } from './route-call.ts'
import {
  createAutocommitWriteContext,
  createWriteContext,
  type StatementWriteContext,
  type AutocommitWriteContext,
  type RecordedStatementWriteContext,
  type RecordedWriteContext,
} from './write-context.ts'

interface WrittenRoute {
  readonly route: Route
  readonly print: RenderReply
  readonly readAddress: ReadAddress
}

/**
 * Runs a write: prepares it, runs it in one transaction, and stores its answer there if it has an idempotency key. A
 * single-statement route runs without a transaction if nothing else belongs into it.
 */
export async function write(
  { route, print, readAddress }: WrittenRoute,
  call: AnyCall,
  key: IdempotencyKey | undefined,
): Promise<RenderedReply> {
  const { db } = call.context
  const works: RecordedStatementWriteContext[] = []
  const begin = (tx: Tx) => {
    const work = createWriteContext(
      tx,
      call.origin,
      route.action ?? undefined,
      undefined,
      call.query['dry_run'] === true,
    )
    works.push(work)
    return work
  }
  const beginFree = () => {
    const work = createAutocommitWriteContext(db, call.origin)
    works.push(work)
    return work
  }
  try {
    if (call.query['dry_run'] === true) return await dryRun(route, call, print, begin)
    // Looked up before `prepare` too, which may fail when it runs a second time.
    const early = key && route.prepare && (await findIdempotencyRecord(db, key, call.context.clock.now()))
    if (early) return await replay({ route, print, readAddress }, call, key, early)
    const prepared = await route.prepare?.(call)
    const attempt = async (): Promise<WriteOutcome | undefined> => {
      if (!key && route.singleStatement)
        return {
          answer: await retryOnDatabaseConflict(() => performAutocommit(route, call, print, beginFree(), prepared)),
        }
      return inTransaction(db, async (tx) => {
        if (!key) return { answer: await perform(route, call, print, begin(tx), prepared) }
        if (!(await tryLockKey(tx, key))) return undefined
        const stored = await findIdempotencyRecord(tx, key, call.context.clock.now())
        if (stored) return { stored }
        return { answer: await performIdempotent(route, call, print, begin(tx), prepared, key) }
      })
    }
    const outcome = await waitForKeyLock(attempt)
    failpoint('write.committed')
    if ('answer' in outcome) return outcome.answer
    // Permissions are checked after the transaction, so that a replay never waits for a second connection while it
    // holds one.
    return key
      ? await replay({ route, print, readAddress }, call, key, outcome.stored)
      : toReplayedReply(outcome.stored)
  } catch (error) {
    for (const effect of works.at(-1)?.leftovers ?? []) await effect(db)
    if (call.query['dry_run'] !== true) await auditRefusal(route, call, error)
    throw error
  }
}

async function perform(
  route: Route,
  call: AnyCall,
  print: RenderReply,
  work: StatementWriteContext,
  prepared: unknown,
): Promise<RenderedReply> {
  failpoint('write.begun')
  const answer = print(await route.handle(call, work, prepared))
  failpoint('write.done')
  return answer
}

/** If the commit succeeded but the response failed, return `outcome_unknown`; never retry. */
async function performAutocommit(
  route: Route,
  call: AnyCall,
  print: RenderReply,
  work: AutocommitWriteContext,
  prepared: unknown,
): Promise<RenderedReply> {
  try {
    return await perform(route, call, print, work, prepared)
  } catch (error) {
    throw work.isCommitted && toApiError(error).status >= 500 ? new ApiError('outcome_unknown') : error
  }
}

async function performIdempotent(
  route: Route,
  call: AnyCall,
  print: RenderReply,
  work: RecordedWriteContext,
  prepared: unknown,
  key: IdempotencyKey,
): Promise<RenderedReply> {
  const answer = await perform(route, call, print, work, prepared)
  const { status, headers, body, location = null, version = null } = answer
  const stored = route.secret
    ? { status, headers: {}, body: null, location: null, version: null, secret_id: idOf(answer) }
    : { status, headers, body, location, version, secret_id: null }
  await storeIdempotencyRecord(work.tx, key, stored, call.context.clock.now())
  failpoint('write.stored')
  return answer
}

const REPLAYED = { 'idempotency-replayed': 'true' }

/** A new answer, or the stored one of an earlier equal request. */
type WriteOutcome = { readonly answer: RenderedReply } | { readonly stored: IdempotencyRecord }

/** Repeats the answer of an earlier equal request, if the caller may still read its object. */
async function replay(
  written: WrittenRoute,
  call: AnyCall,
  key: IdempotencyKey,
  stored: IdempotencyRecord,
): Promise<RenderedReply> {
  try {
    return await renderReplay(written, call, key, stored)
  } catch (error) {
    // The write was done, and its object is gone for the caller.
    throw error instanceof ApiError && error.status === 404 ? error.with(REPLAYED) : error
  }
}

async function renderReplay(
  { route, print, readAddress }: WrittenRoute,
  call: AnyCall,
  { path }: IdempotencyKey,
  stored: IdempotencyRecord,
): Promise<RenderedReply> {
  if (stored.body === null && stored.location === null) return toReplayedReply(stored)
  if (!route.replay) {
    await readAddress(call, stored.location ?? path)
    return toReplayedReply(stored)
  }
  const { body, location = null, version = null } = print(await route.replay(call, stored))
  return toReplayedReply({ ...stored, body, location, version })
}

function toReplayedReply({ status, headers, body, location, version }: IdempotencyRecord): RenderedReply {
  return {
    status,
    headers: { ...headers, ...REPLAYED },
    body,
    ...(location !== null && { location }),
    ...(version && { version }),
  }
}

/** Runs the complete write and rolls it back, so that every check and error is that of the real write. */
async function dryRun(
  route: Route,
  call: AnyCall,
  print: RenderReply,
  begin: (tx: Tx) => RecordedWriteContext,
): Promise<RenderedReply> {
  const prepared = await route.prepare?.({ ...call, isDryRun: true })
  return retryOnDatabaseConflict(async () => {
    const tx = await call.context.db.startTransaction().execute()
    try {
      const work = begin(tx)
      const { status, body } = print(await route.handle(call, work, prepared))
      const { emptyStatus, isOwnFormat, omits } = route.dryRun ?? {}
      if (emptyStatus !== undefined) return { status: emptyStatus, headers: {}, body: null }
      if (isOwnFormat) return { status, headers: {}, body }
      const dry_run = {
        status,
        would_answer: body === null ? null : blankGeneratedMembers(JSON.parse(body), status, omits),
        ...work.report(),
        ...(call.origin.isSilent && { notified: [] }),
      }
      return { status: 200, headers: {}, body: JSON.stringify({ dry_run }) }
    } finally {
      await rollBack(tx)
    }
  })
}

/** Sets members that only a real write generates to null. */
function blankGeneratedMembers(
  body: unknown,
  status: number,
  given: readonly string[] = status === 201 ? ['id', 'uri'] : [],
): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, given.includes(name) ? null : value]))
}

const AUDITED_REASONS: readonly Reason[] = ['permission_denied', 'confirmation_required']

/** Refused attempts at audited actions are audited too. */
export async function auditRefusal({ action }: Route, { context, origin }: AnyCall, error: unknown): Promise<void> {
  if (action === null || !(error instanceof ApiError) || !AUDITED_REASONS.includes(error.reason)) return
  await recordAudit(context.db, origin, { action, outcome: 'refused', reason: error.reason })
}

function idOf({ location, body }: RenderedReply): string {
  return location?.split('/').at(-1) ?? body ?? ''
}
