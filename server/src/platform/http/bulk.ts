import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { ApiError } from '../words/errors.ts'
import { BULK_LIMITS, type BulkLimits, type Part, readParts } from './bulk-lines.ts'
import {
  type AnsweredLine,
  type BulkLine,
  type BulkWork,
  type LineResult,
  type PartRun,
  type PreparedPart,
  prepareLines,
  runPart,
} from './bulk-part.ts'
import type { IdempotencyKey } from './idempotency.ts'
import { createInFlight } from './in-flight.ts'
import type { Call, Described, Route } from './route.ts'
import type { AnyCall } from './write.ts'

export const NDJSON = 'application/x-ndjson'

export const bulkParameters: TProperties = {
  stop_on_error: Type.Optional(Type.Boolean({ description: 'Ends after the part of the first line that fails.' })),
}

interface BulkWriting<P, Q extends TProperties, L extends TSchema, O, T>
  extends Omit<Described<P, Q, TSchema, TSchema>, 'body' | 'answer' | 'pages' | 'versioned' | 'status'> {
  /** Each line of the request. */
  readonly line: L
  /** Where the usual ones do not fit. */
  readonly limits?: Partial<BulkLimits>
  /** Whether those who would be told of it by mail are not. */
  isSilent?(call: Call<P, Static<TObject<Q>>, undefined>): boolean
  /** Before the first line: finds what the address names, and refuses as any route does. */
  open(call: Call<P, Static<TObject<Q>>, undefined>): Promise<O>
  /** Looks at a part before its transaction begins, while the part before it is still being written. Writes nothing. */
  preparePart?(
    call: Call<P, Static<TObject<Q>>, undefined>,
    lines: readonly BulkLine<Static<L>>[],
    opened: O,
  ): Promise<T>
  /**
   * One part, in one transaction that may be repeated: a result for each line, in their order. A right that was
   * withdrawn since `open` is looked at here.
   */
  handlePart(
    call: Call<P, Static<TObject<Q>>, undefined>,
    lines: readonly BulkLine<Static<L>>[],
    work: BulkWork,
    opened: O,
    prepared: T,
  ): Promise<readonly LineResult[]>
}

/** A bulk route as the platform sees it. */
export interface BulkRoute {
  readonly line: TSchema
  readonly limits: BulkLimits
  isSilent?(call: unknown): boolean
  open(call: unknown): Promise<unknown>
  preparePart?(call: unknown, lines: readonly BulkLine[], opened: unknown): Promise<unknown>
  handlePart(
    call: unknown,
    lines: readonly BulkLine[],
    work: BulkWork,
    opened: unknown,
    prepared: unknown,
  ): Promise<readonly LineResult[]>
}

/** A route that writes line by line, streamed both ways: parts of fixed size, each in one transaction. */
export function bulkRoute<P, Q extends TProperties, L extends TSchema, O, T = undefined>(
  route: BulkWriting<P, Q, L, O, T>,
): Route {
  const bulk: BulkRoute = { ...route, limits: { ...BULK_LIMITS, ...route.limits } }
  return {
    ...route,
    method: 'POST',
    writes: true,
    action: null,
    bulk,
    handle: () => Promise.reject(new TypeError(`${route.path} is served in parts.`)),
  }
}

const running = createInFlight(1)

/** Refuses as any route does until the first line is asked for; from then on each line has its own answer. */
export async function serveBulk(
  bulk: BulkRoute,
  call: AnyCall,
  key: IdempotencyKey | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { account_id } = call.viewer
  const leave = running.enter(`${account_id ?? request.ip} ${request.exchange.path.toLowerCase()}`)
  try {
    const opened = await bulk.open(call)
    const failed = (error: unknown) => request.log.error({ err: error, request_id: request.id }, 'a part failed')
    const origin = { ...call.origin, isSilent: bulk.isSilent?.(call) ?? false }
    const run: PartRun = { bulk, call, origin, opened, key, failed }
    const isEnding = () => request.server.life.isEnding
    const cut = () => reply.raw.destroy()
    const stream = Readable.from(patiently(answers(run, request.raw, isEnding), bulk.limits.patience, cut))
    stream.once('close', leave)
    reply.header('content-type', `${NDJSON}; charset=utf-8`)
    return reply.send(stream)
  } catch (error) {
    leave()
    throw error
  }
}

async function* answers(run: PartRun, input: Readable, isEnding: () => boolean): AsyncGenerator<string> {
  const { limits, line } = run.bulk
  const { promise: deadline, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), limits.longest)
  const tally = { lines: 0, succeeded: 0, unchanged: 0, failed: 0, stopped: false }
  let isReplayed = false
  try {
    const parts = readParts(input, line, limits, deadline)
    let ahead = readAhead(run, parts)
    while (!tally.stopped) {
      const next = await ahead
      if ('isLate' in next) {
        tally.stopped = next.isLate
        break
      }
      ahead = readAhead(run, parts)
      const answered = await runPart(run, next)
      isReplayed ||= answered.isReplayed
      for (const each of answered.lines) count(each, tally)
      tally.stopped = answered.isLost || mustStop(run, next.part, tally.failed) || isEnding()
      yield answered.lines.map(print).join('')
    }
    yield `${JSON.stringify({ done: { ...tally, ...(isReplayed && { replayed: true }) } })}\n`
  } finally {
    clearTimeout(timer)
  }
}

/** The next part is read, and looked at, while the one before it is written; never more than one. */
function readAhead(run: PartRun, parts: ReturnType<typeof readParts>): Promise<PreparedPart | { isLate: boolean }> {
  const reading = parts.next().then((next) => {
    return next.done ? { isLate: next.value === 'late' } : prepareLines(run, next.value)
  })
  reading.catch(() => {}) // Whoever waits for it is told; after a stop nobody does.
  return reading
}

function mustStop({ call }: PartRun, { isOverfull }: Part, failed: number): boolean {
  return isOverfull || (call.query['stop_on_error'] === true && failed > 0)
}

function count(
  { error, unchanged }: AnsweredLine,
  tally: Record<'lines' | 'succeeded' | 'unchanged' | 'failed', number>,
) {
  tally.lines += 1
  tally[error ? 'failed' : unchanged ? 'unchanged' : 'succeeded'] += 1
}

function print(answered: AnsweredLine): string {
  const { unchanged: _, ...line } = answered // It is only counted.
  return `${JSON.stringify(line)}\n`
}

/** The next is asked for when there is room for it: whoever leaves no room for too long is cut off. */
async function* patiently(texts: AsyncIterable<string>, patience: number, cut: () => void): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(cut, patience)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The media types of a bulk route are its own, both ways. */
export function requireNdjson(requested: string, answered: string, hasBody: boolean): void {
  if (answered === 'xml') throw new ApiError('not_acceptable')
  if (hasBody && requested !== NDJSON) throw new ApiError('unsupported_media_type')
}
