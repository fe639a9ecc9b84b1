import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { recordAudit } from '../database/audit.ts'
import { csvHead, type CsvOptions, csvRow } from '../wire/csv.ts'
import { rollBack, type Tx } from '../database/db.ts'
import { ApiError, errorBody } from '../messages/errors.ts'
import { toApiError } from '../database/database-errors.ts'
import type { Context } from '../operation/context.ts'
import { printInBackground } from './print-in-background.ts'
import type { Turn } from './turn.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import type { Export, ExportTable } from './exported-rows.ts'
import type { Route } from './route.ts'
import { chooseElement, requireReadableFields, selectableSchema, type Sparse } from './sparse-answer.ts'
import { isRecord } from '../wire/schema-shape.ts'
import { stringifier } from '../wire/stringify.ts'
import { clientNetwork } from '../operation/networks.ts'
import { spool, type SpoolBudget } from './spool.ts'
import type { AnyCall } from './route-call.ts'

declare module '../operation/context.ts' {
  interface Context {
    readonly exportLimits: ExportLimits
  }
}

/** Further formats of a route with `exportRows`; clients must request them by name. */
export const EXPORT_FORMATS = ['application/x-ndjson', 'text/csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** `.ndjson` and `.csv` are valid suffixes only for routes with an export. */
export function exportAddresses(route: Route) {
  const address = (suffix: string, exportAs: ExportFormat) => ({
    method: 'GET' as const,
    path: route.path + suffix,
    exportAs,
  })
  return route.formats?.exportRows ? [address('.ndjson', 'application/x-ndjson'), address('.csv', 'text/csv')] : []
}

const MAX_EXPORTS_PER_CLIENT = 2
const AUDIT_MIN_ROWS = 10_000
const MAX_DURATION_MS = 15 * 60_000
const READ_TIMEOUT_MS = 60_000 // For a client that stops reading.

/** The limits of all exports of one server. */
interface ExportLimits {
  readonly running: ConcurrencyLimit
  readonly spoolBudget: SpoolBudget
}

export function createExportLimits({ WAYPOST_EXPORT_SPOOL_MIB }: Context['config']): ExportLimits {
  return {
    running: createConcurrencyLimit(MAX_EXPORTS_PER_CLIENT),
    spoolBudget: { maxBytes: WAYPOST_EXPORT_SPOOL_MIB * 1024 * 1024, usedBytes: 0 },
  }
}

/** Exports are complete, so paging parameters are refused. */
export function requireUnpaged(query: Readonly<Record<string, unknown>>): void {
  for (const path of ['limit', 'offset', 'cursor'])
    if (query[path] !== undefined) throw new ApiError('parameter_conflict', { path })
}

/**
 * Streams the complete list from one snapshot. It is read at the speed of the database into a temporary file, so that a
 * slow client holds no connection. A failed stream is cut off, so that a client never takes it for complete.
 */
export async function sendExport(
  route: Route,
  turn: Turn,
  call: AnyCall,
  format: ExportFormat,
  sparse: Sparse | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { running, spoolBudget } = call.context.exportLimits
  const leave = running.acquire(call.viewer.account_id ?? clientNetwork(request.ip))
  reply.raw.once('close', leave)
  const tx = await turn.whileWaiting(() => openSnapshot(call), false)
  try {
    const found = await openExport(route, call, tx)
    const { size, rows, fieldNames, headers = {}, table = () => membersOf(route, rows, call) } = found
    if (sparse) requireReadableFields(sparse, route, fieldNames)
    const print = stringifier(itemOf(route))
    const line = (row: unknown) =>
      sparse ? JSON.stringify(chooseElement(sparse, route, parsed(print(row)), fieldNames)) : print(row)
    if (size > AUDIT_MIN_ROWS)
      await recordAudit(call.context.db, call.origin, { action: 'export', object: pathOf(request), after: { size } })
    const texts = format === 'text/csv' ? csv(turn, table(sparse?.names ?? []), call.query) : ndjson(turn, rows, line)
    const { stream, filled } = spool(texts, spoolBudget, (error) =>
      format === 'text/csv' ? '' : errorLine(error, request),
    )
    void filled.then(() => rollBack(tx))
    const timer = setTimeout(() => stream.destroy(new ApiError('unavailable')), MAX_DURATION_MS)
    stream.once('close', () => clearTimeout(timer))
    reply.raw.setTimeout(READ_TIMEOUT_MS, () => reply.raw.destroy())
    reply.headers(headers).header('x-pagination-size', String(size)).header('content-type', `${format}; charset=utf-8`)
    reply.header('content-disposition', `attachment; filename="${fileName(request, format)}"`)
    return reply.send(stream)
  } catch (error) {
    await rollBack(tx)
    throw error
  }
}

function openSnapshot({ context: { pools } }: AnyCall): Promise<Tx> {
  return pools.exports.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
}

function openExport(route: Route, call: AnyCall, tx: Tx): Promise<Export> {
  if (!route.formats?.exportRows) throw new TypeError(`${route.path} exports nothing.`)
  return route.formats.exportRows(call, tx)
}

function ndjson(turn: Turn, batches: Export['rows'], line: (row: unknown) => string): AsyncGenerator<string> {
  return printInBackground(turn, batches, (row) => `${line(row)}\n`)
}

function errorLine(error: unknown, { id, exchange }: FastifyRequest): string {
  return `${JSON.stringify(errorBody(toApiError(error), id, exchange))}\n`
}

async function* csv(turn: Turn, { columns, rows }: ExportTable, options: CsvOptions): AsyncGenerator<string> {
  yield csvHead(columns, options)
  yield* printInBackground(turn, rows, (row) => csvRow(row, options))
}

function membersOf(route: Route, batches: Export['rows'], { chosen }: AnyCall): ExportTable {
  const item = itemOf(route)
  const print = stringifier(item)
  const members = 'properties' in item && isRecord(item.properties) ? Object.keys(item.properties) : []
  const columns = chosen ? members.filter((name) => chosen.has(name)) : members
  async function* cells() {
    for await (const rows of batches)
      yield rows.map((row) => {
        const shown = parsed(print(row))
        return columns.map((name) => shown[name])
      })
  }
  return { columns, rows: cells() }
}

/** The row, cut to the schema as in every response. */
function parsed(json: string): Record<string, unknown> {
  const row: unknown = JSON.parse(json)
  return isRecord(row) ? row : {}
}

function itemOf(route: Route): TSchema {
  const { schema, isList } = selectableSchema(route)
  if (isList) return schema
  throw new TypeError(`${route.path} is no list.`)
}

function pathOf({ exchange }: FastifyRequest): string {
  return exchange.path.slice(1).replace(/\.(ndjson|csv)$/i, '')
}

function fileName(request: FastifyRequest, format: ExportFormat): string {
  return `${pathOf(request)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}.${format === 'text/csv' ? 'csv' : 'ndjson'}`
}
