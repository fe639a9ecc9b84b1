import { failpoint, isPlanted } from '#failpoint'
import type { Answer, Print } from './answer.ts'
import { recordAudit } from '../database/audit.ts'
import type { Context } from '../operation/context.ts'
import { type Db, inTransaction, repeatedly, rollBack, type Tx } from '../database/db.ts'
import { toApiError } from '../database/faults.ts'
import { ApiError } from '../words/errors.ts'
import { findStoredAnswer, type IdempotencyKey, lockKey, storeAnswer, takeTurns } from './idempotency.ts'
import type { Call, Route } from './route.ts'
import {
  createFreeWork,
  createWork,
  type FreeWork,
  type LoneWork,
  type RecordedFreeWork,
  type RecordedWork,
} from './work.ts'

export type AnyCall = Call<unknown, Record<string, unknown>, unknown>

/**
 * A write: prepared, run in one transaction, and its answer kept in that transaction where the client asks for it. A
 * route that writes by one statement goes without a transaction where nothing else has to be in it.
 */
export async function write(
  route: Route,
  call: AnyCall,
  print: Print,
  given: IdempotencyKey | undefined,
): Promise<Answer> {
  const key = given && isPlanted('duplicate-on-retry') ? undefined : given
  const { db } = call.context
  const works: RecordedFreeWork[] = []
  const begin = (tx: Tx) => {
    const work = createWork(tx, call.origin, route.action ?? undefined, undefined, call.query['dry_run'] === true)
    works.push(work)
    return work
  }
  const beginFree = () => {
    const work = createFreeWork(db, call.origin)
    works.push(work)
    return work
  }
  try {
    if (call.query['dry_run'] === true) return await rehearse(route, call, print, begin)
    // Looked for before the preparation too: what was done once may not be possible a second time.
    const early = key && route.prepare && (await findReplay(db, key, call.context))
    if (early) return early
    const prepared = await route.prepare?.(call)
    const attempt = async () => {
      if (!key && route.singleStatement)
        return repeatedly(() => performAlone(route, call, print, beginFree(), prepared))
      return inTransaction(db, async (tx) => {
        if (!key) return perform(route, call, print, begin(tx), prepared)
        if (!(await lockKey(tx, key))) return undefined
        return (await findReplay(tx, key, call.context)) ?? performOnce(route, call, print, begin(tx), prepared, key)
      })
    }
    const answer = await takeTurns(attempt)
    failpoint('write.committed')
    return answer
  } catch (error) {
    for (const effect of works.at(-1)?.leftovers ?? []) await effect(db)
    if (call.query['dry_run'] !== true) await auditRefusal(route, call, error)
    throw error
  }
}

async function perform(route: Route, call: AnyCall, print: Print, work: FreeWork, prepared: unknown): Promise<Answer> {
  failpoint('write.begun')
  const answer = print(await route.handle(call, work, prepared))
  failpoint('write.done')
  return answer
}

/** What is written, and only could not be answered, is not called undone, and not done again. */
async function performAlone(
  route: Route,
  call: AnyCall,
  print: Print,
  work: LoneWork,
  prepared: unknown,
): Promise<Answer> {
  try {
    return await perform(route, call, print, work, prepared)
  } catch (error) {
    throw work.isDone && toApiError(error).status >= 500 ? new ApiError('outcome_unknown') : error
  }
}

async function performOnce(
  route: Route,
  call: AnyCall,
  print: Print,
  work: RecordedWork,
  prepared: unknown,
  key: IdempotencyKey,
): Promise<Answer> {
  const answer = await perform(route, call, print, work, prepared)
  const { status, headers, body, location = null, version = null } = answer
  const stored = route.secret
    ? { status, headers: {}, body: null, location: null, version: null, secret_id: idOf(answer) }
    : { status, headers, body, location, version, secret_id: null }
  await storeAnswer(work.tx, key, stored, call.context.clock.now())
  failpoint('write.stored')
  return answer
}

async function findReplay(db: Db | Tx, key: IdempotencyKey, { clock }: Context): Promise<Answer | undefined> {
  const stored = await findStoredAnswer(db, key, clock.now())
  if (!stored) return undefined
  const { status, headers, body, location, version } = stored
  return {
    status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    body,
    ...(location !== null && { location }),
    ...(version && { version }),
  }
}

/** Made in full and rolled back: every check and refusal is the one of the real write. */
async function rehearse(route: Route, call: AnyCall, print: Print, begin: (tx: Tx) => RecordedWork): Promise<Answer> {
  const prepared = await route.prepare?.({ ...call, isDryRun: true })
  return repeatedly(async () => {
    const tx = await call.context.db.startTransaction().execute()
    try {
      const work = begin(tx)
      const { status, body } = print(await route.handle(call, work, prepared))
      if (route.dryRunStatus !== undefined) return { status: route.dryRunStatus, headers: {}, body: null }
      if (route.ownDryRun) return { status, headers: {}, body }
      const dry_run = {
        status,
        would_answer: body === null ? null : withoutGiven(JSON.parse(body), status, route.givenByWrite),
        ...work.report(),
      }
      return { status: 200, headers: {}, body: JSON.stringify({ dry_run }) }
    } finally {
      await rollBack(tx)
    }
  })
}

/** What only a real write can give is null. */
function withoutGiven(
  body: unknown,
  status: number,
  given: readonly string[] = status === 201 ? ['id', 'uri'] : [],
): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, given.includes(name) ? null : value]))
}

/** The audit log also holds who tried to administer what he may not. */
async function auditRefusal({ action }: Route, { context, origin }: AnyCall, error: unknown): Promise<void> {
  if (action === null || !(error instanceof ApiError) || error.reason !== 'permission_denied') return
  await recordAudit(context.db, origin, { action, outcome: 'refused', reason: error.reason })
}

function idOf({ location, body }: Answer): string {
  return location?.split('/').at(-1) ?? body ?? ''
}
