import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { notAcceptable, requestFormat, unsupportedType } from '../wire/media-types.ts'
import { openCsv } from './bulk-csv.ts'
import {
  DEFAULT_BULK_LIMITS,
  type BulkLimits,
  type BulkBatch,
  type BulkSource,
  openNdjson,
  readBulkBatches,
} from './bulk-lines.ts'
import { type BulkLineAnswer, type BulkRun, type PreparedBatch, prepareBatch, runBatch } from './bulk-batch.ts'
import type { BulkCsv, BulkLine, BulkWriteContext, LineResult, BulkRoute } from './bulk-route.ts'
import type { Turn } from './turn.ts'
import type { IdempotencyKey } from './idempotency.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import type { RouteDescription, Route } from './route.ts'
import type { RouteCall, AnyCall } from './route-call.ts'

declare module '../operation/context.ts' {
  interface Context {
    readonly runningBulks: ConcurrencyLimit
  }
}

export const NDJSON_MEDIA_TYPE = 'application/x-ndjson'
const CSV_MEDIA_TYPE = 'text/csv'

export function bulkParameters({ csv }: BulkRoute): TProperties {
  return {
    stop_on_error: Type.Optional(Type.Boolean({ description: 'Stop after the batch of the first line that fails.' })),
    ...(csv && {
      raw: Type.Optional(
        Type.Boolean({ description: 'CSV texts are taken as they are: they have no guard against formulas.' }),
      ),
    }),
  }
}

interface BulkRouteDefinition<P, Q extends TProperties, L extends TSchema, O, T>
  extends Omit<RouteDescription<P, Q, TSchema, TSchema>, 'body' | 'answer' | 'pages' | 'versioned' | 'status'> {
  /** Schema of each line. */
  readonly line: L
  /** Absent: only NDJSON is accepted. */
  readonly csv?: BulkCsv<RouteCall<P, Static<TObject<Q>>, undefined>, O, Static<L>>
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<BulkLimits>
  /** Whether the write sends no notifications. */
  isSilent?(call: RouteCall<P, Static<TObject<Q>>, undefined>): boolean
  /** Runs before the first line: finds the object of the path, and fails as any route does. */
  open(call: RouteCall<P, Static<TObject<Q>>, undefined>): Promise<O>
  /** Prepares a batch before its transaction, while the previous batch is written. Writes nothing. */
  prepareBatch?(
    call: RouteCall<P, Static<TObject<Q>>, undefined>,
    lines: readonly BulkLine<Static<L>>[],
    opened: O,
  ): Promise<T>
  /**
   * Runs one batch in a transaction that may be retried: one result per line, in order. Checks permissions again,
   * because they may have changed since `open`.
   */
  handleBatch(
    call: RouteCall<P, Static<TObject<Q>>, undefined>,
    lines: readonly BulkLine<Static<L>>[],
    work: BulkWriteContext,
    opened: O,
    prepared: T,
  ): Promise<readonly LineResult[]>
}

/** A route that writes line by line, streamed both ways: batches of fixed size, each in one transaction. */
export function bulkRoute<P, Q extends TProperties, L extends TSchema, O, T = undefined>(
  route: BulkRouteDefinition<P, Q, L, O, T>,
): Route {
  const bulk: BulkRoute = { ...route, limits: { ...DEFAULT_BULK_LIMITS, ...route.limits } }
  return {
    ...route,
    method: 'POST',
    writes: true,
    action: null,
    bulk,
    handle: () => Promise.reject(new TypeError(`${route.path} is served in parts.`)),
  }
}

/** One bulk request at a time per account and path. */
export function createBulkLimit(): ConcurrencyLimit {
  return createConcurrencyLimit(1)
}

/** Errors before the first line are those of any route; from then on each line has its own result. */
export async function serveBulk(
  bulk: BulkRoute,
  turn: Turn,
  call: AnyCall,
  key: IdempotencyKey | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { account_id } = call.viewer
  const leave = call.context.runningBulks.acquire(`${account_id ?? request.ip} ${request.exchange.path.toLowerCase()}`)
  try {
    const opened = await bulk.open(call)
    const failed = (error: unknown) => request.log.error({ err: error, request_id: request.id }, 'a part failed')
    const origin = { ...call.origin, isSilent: bulk.isSilent?.(call) ?? false }
    const run: BulkRun = { bulk, call, origin, opened, key, failed }
    const isEnding = () => request.server.life.isEnding
    const cut = () => reply.raw.destroy()
    const source = await openSource(run, turn, request)
    const stream = Readable.from(withReadTimeout(answers(run, turn, source, isEnding), bulk.limits.readTimeoutMs, cut))
    stream.once('close', leave)
    reply.header('content-type', `${NDJSON_MEDIA_TYPE}; charset=utf-8`)
    return reply.send(stream)
  } catch (error) {
    leave()
    throw error
  }
}

async function openSource(run: BulkRun, turn: Turn, { raw, headers }: FastifyRequest): Promise<BulkSource> {
  const { bulk, call, opened } = run
  const { csv, line, limits } = bulk
  if (!csv || !isCsv(headers)) return openNdjson(raw, line, limits)
  const readColumns = (names: readonly string[]) => csv.readColumns(call, opened, names)
  return turn.whileWaiting(() => openCsv(raw, { limits, isRaw: call.query['raw'] === true, readColumns }))
}

async function* answers(run: BulkRun, turn: Turn, source: BulkSource, isEnding: () => boolean): AsyncGenerator<string> {
  const { limits } = run.bulk
  const { promise: deadline, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), limits.maxDurationMs)
  const tally = { lines: 0, succeeded: 0, unchanged: 0, failed: 0, stopped: false }
  let isReplayed = false
  try {
    const batches = readBulkBatches(source, limits, deadline)
    let ahead = readAhead(run, batches)
    while (!tally.stopped) {
      const next = await ahead
      if ('isLate' in next) {
        tally.stopped = next.isLate
        break
      }
      ahead = readAhead(run, batches)
      const answered = await turn.inBackground(() => runBatch(run, next))
      isReplayed ||= answered.isReplayed
      for (const each of answered.lines) count(each, tally)
      tally.stopped = answered.isLost || mustStop(run, next.batch, tally.failed) || isEnding()
      yield answered.lines.map(formatLine).join('')
    }
    const { ignored } = source
    const done = { ...tally, ...(isReplayed && { replayed: true }), ...(ignored.length > 0 && { ignored }) }
    yield `${JSON.stringify({ done })}\n`
  } finally {
    clearTimeout(timer)
  }
}

/** Reads and prepares the next batch while the previous one is written; never more than one. */
function readAhead(
  run: BulkRun,
  batches: ReturnType<typeof readBulkBatches>,
): Promise<PreparedBatch | { isLate: boolean }> {
  const reading = batches.next().then((next) => {
    return next.done ? { isLate: next.value === 'late' } : prepareBatch(run, next.value)
  })
  reading.catch(() => {}) // The consumer handles the error; after a stop there is none.
  return reading
}

function mustStop({ call }: BulkRun, { isFinal }: BulkBatch, failed: number): boolean {
  return isFinal || (call.query['stop_on_error'] === true && failed > 0)
}

function count(
  { error, unchanged }: BulkLineAnswer,
  tally: Record<'lines' | 'succeeded' | 'unchanged' | 'failed', number>,
) {
  tally.lines += 1
  tally[error ? 'failed' : unchanged ? 'unchanged' : 'succeeded'] += 1
}

function formatLine(answered: BulkLineAnswer): string {
  const { unchanged: _, ...line } = answered // Used for counting only.
  return `${JSON.stringify(line)}\n`
}

/** Applies backpressure; a client that does not read for too long is disconnected. */
async function* withReadTimeout(
  texts: AsyncIterable<string>,
  readTimeoutMs: number,
  cut: () => void,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(cut, readTimeoutMs)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

function isCsv({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return type.split(';', 1).some((each) => each.trim().toLowerCase() === CSV_MEDIA_TYPE)
}

/** The types of body that a bulk route accepts. */
export function bulkMediaTypes({ csv }: BulkRoute): readonly string[] {
  return csv ? [NDJSON_MEDIA_TYPE, CSV_MEDIA_TYPE] : [NDJSON_MEDIA_TYPE]
}

/** Bulk routes return NDJSON only. */
export function requireBulkFormat(
  bulk: BulkRoute,
  headers: IncomingHttpHeaders,
  answered: string,
  hasBody: boolean,
): void {
  if (answered === 'xml') throw notAcceptable([NDJSON_MEDIA_TYPE])
  const types = bulkMediaTypes(bulk)
  const requested = requestFormat(headers, hasBody, types, types)
  if (hasBody && !types.includes(requested)) throw unsupportedType(types)
}
