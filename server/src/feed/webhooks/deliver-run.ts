import type { Context } from '../../platform/operation/context.ts'
import type { ClaimedDelivery, DeliveryRun } from './claim-deliveries.ts'
import { composeBodies } from './compose-body.ts'
import { isSuccess, recordFailure } from './record-outcome.ts'
import { recordSuccesses } from './record-successes.ts'
import { deleteDeliveries, returnDeliveries, stopForLostRights } from './return-deliveries.ts'
import { sendDelivery } from './send-delivery.ts'
import { createSuccessRecorder } from './success-recorder.ts'

/** With the timeout of a request, less than the lease: another worker may claim what was not begun until then. */
const LAST_BEGIN_MS = 8000
/** Bodies have the permissions of the moment when they were composed: older ones are composed again. */
const MAX_BODY_AGE_MS = 1000
const MAX_RUN_LENGTH = 64

/**
 * Sends the deliveries of one hook. Holds no connection while it waits for the receiver. Stops after a failure, when
 * the hook has changed, when time is up or the process ends, and returns what was not sent. If it throws or the process
 * is killed, deliveries are claimed again after their lease.
 */
export async function deliverRun(context: Context, run: DeliveryRun): Promise<void> {
  const { databaseSemaphore, runLengths } = context.deliveryPool
  const claimedAt = performance.now()
  const bodies = await databaseSemaphore(() => composeBodies(context, run.deliveries)).catch(async (error: unknown) => {
    // One of them cannot be composed: each is tried alone, and the first waits for the end of its lease.
    runLengths.set(run.webhook_id, 1)
    await returnDeliveries(context.db, run.deliveries.slice(1))
    throw error
  })
  const composed = run.deliveries.map((delivery, at) => ({ delivery, body: bodies[at] ?? 'hidden' }))
  const those = (body: string) => composed.flatMap((each) => (each.body === body ? [each.delivery] : []))
  await deleteDeliveries(context, those('hidden'))
  await stopForLostRights(context, those('owner_lost_rights'))
  const toSend = composed.flatMap(({ delivery, body }) => (typeof body === 'object' ? [{ delivery, body }] : []))
  await sendRun(context, run, toSend, claimedAt)
}

interface ComposedDelivery {
  readonly delivery: ClaimedDelivery
  readonly body: object
}

async function sendRun(
  context: Context,
  { webhook_id, deliveries, concurrency }: DeliveryRun,
  toSend: readonly ComposedDelivery[],
  claimedAt: number,
): Promise<void> {
  const { deliveryPool } = context
  const { databaseSemaphore, runLengths } = deliveryPool
  const composedAt = performance.now()
  const isTimeUp = () =>
    performance.now() - claimedAt > LAST_BEGIN_MS || performance.now() - composedAt > MAX_BODY_AGE_MS
  const unsent = new Set(toSend)
  const version = deliveries[0]?.version
  const recorder = createSuccessRecorder(version, (successes) =>
    databaseSemaphore(() => recordSuccesses(context.db, webhook_id, successes)),
  )
  let isFailed = false
  const isStopped = () => isFailed || deliveryPool.isEnding || isTimeUp() || recorder.version !== version
  const send = async (each: ComposedDelivery): Promise<void> => {
    if (isStopped()) return
    unsent.delete(each)
    const { delivery } = each
    const { request, outcome } = await sendDelivery(context, delivery, each.body)
    if (isSuccess(outcome)) return recorder.add({ delivery, request, outcome })
    isFailed = true
    // Successes before it must not reset the count of failures later.
    await recorder.flush()
    await databaseSemaphore(() => recordFailure(context, delivery, request, outcome))
  }
  try {
    await inLanes(toSend, concurrency, ({ delivery }) => delivery.object, send)
    await recorder.flush()
  } finally {
    await returnDeliveries(
      context.db,
      [...unsent].map(({ delivery }) => delivery),
    )
  }
  const known = runLengths.get(webhook_id) ?? 0
  if (unsent.size === 0) runLengths.set(webhook_id, Math.min(MAX_RUN_LENGTH, Math.max(known, 2 * deliveries.length)))
  else if (isTimeUp()) runLengths.set(webhook_id, Math.max(1, toSend.length - unsent.size))
}

/** Runs `work` for all in order, `count` at once; those with the same key one after the other. */
async function inLanes<T>(
  all: readonly T[],
  count: number,
  keyOf: (item: T) => string | null,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = all.values()
  const last = new Map<string, Promise<void>>()
  const runLane = async () => {
    for (const item of waiting) {
      const key = keyOf(item)
      const before = key === null ? undefined : last.get(key)
      const current = before ? before.then(() => work(item)) : work(item)
      if (key !== null) last.set(key, current)
      await current
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: count }, runLane))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
}
