import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fastJson from 'fast-json-stringify'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { recordAudit } from '../database/audit.ts'
import { csvHead, type CsvOptions, csvRow } from '../wire/csv.ts'
import { rollBack, type Tx } from '../database/db.ts'
import { ApiError, errorBody } from '../words/errors.ts'
import { toApiError } from '../database/faults.ts'
import { createInFlight } from './in-flight.ts'
import type { Route } from './route.ts'
import { isRecord } from '../wire/schema-shape.ts'
import type { AnyCall } from './write.ts'

/** Further formats of a route that has `exportRows`; they must be asked for by name. */
export const EXPORT_FORMATS = ['application/x-ndjson', 'text/csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface Export {
  size: number
  /** Elements of the route's list, some at a time. */
  rows: AsyncIterable<readonly unknown[]>
}

/** `.ndjson` and `.csv` are part of an address only where there is something to export. */
export function exportAddresses(route: Route) {
  const address = (suffix: string, exportAs: ExportFormat) => ({
    method: 'GET' as const,
    path: route.path + suffix,
    exportAs,
  })
  return route.exportRows ? [address('.ndjson', 'application/x-ndjson'), address('.csv', 'text/csv')] : []
}

const AT_ONCE = 2
const WORTH_A_NOTE = 10_000
const LONGEST = 15 * 60_000
const PATIENCE = '60s' // For a reader who stops reading: the transaction waits no longer.

const exporting = createInFlight(AT_ONCE)

/** The whole list in one stream, all of one moment. A stream that ends early is cut off, so that half is never whole. */
export async function sendExport(
  route: Route,
  call: AnyCall,
  format: ExportFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  for (const path of ['limit', 'offset', 'cursor'])
    if (call.query[path] !== undefined) throw new ApiError('parameter_conflict', { path })
  const leave = exporting.enter(call.viewer.account_id)
  const tx = await openSnapshot(call).catch((error: unknown) => {
    leave()
    throw error
  })
  const end = () => {
    leave()
    void rollBack(tx)
  }
  try {
    const { size, rows } = await exportOf(route, call, tx)
    if (size > WORTH_A_NOTE)
      await recordAudit(call.context.db, call.origin, { action: 'export', object: pathOf(request), after: { size } })
    const stream = Readable.from(format === 'text/csv' ? csv(route, rows, call.query) : ndjson(route, rows, request))
    const timer = setTimeout(() => stream.destroy(new ApiError('unavailable')), LONGEST)
    stream.once('close', () => {
      clearTimeout(timer)
      end()
    })
    reply.header('x-pagination-size', String(size)).header('content-type', `${format}; charset=utf-8`)
    reply.header('content-disposition', `attachment; filename="${fileName(request, format)}"`)
    return reply.send(stream)
  } catch (error) {
    end()
    throw error
  }
}

async function openSnapshot({ context: { db } }: AnyCall): Promise<Tx> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  await sql`select set_config('idle_in_transaction_session_timeout', ${PATIENCE}, true)`.execute(tx)
  return tx
}

function exportOf(route: Route, call: AnyCall, tx: Tx): Promise<Export> {
  if (!route.exportRows) throw new TypeError(`${route.path} exports nothing.`)
  return route.exportRows(call, tx)
}

async function* ndjson(route: Route, batches: Export['rows'], request: FastifyRequest): AsyncGenerator<string> {
  const print = fastJson(itemOf(route))
  try {
    for await (const rows of batches) if (rows.length > 0) yield rows.map((row) => `${print(row)}\n`).join('')
  } catch (error) {
    yield `${JSON.stringify(errorBody(toApiError(error), request.id, request.exchange))}\n`
    throw error
  }
}

async function* csv(route: Route, batches: Export['rows'], options: CsvOptions): AsyncGenerator<string> {
  const item = itemOf(route)
  const print = fastJson(item)
  const columns = 'properties' in item && isRecord(item.properties) ? Object.keys(item.properties) : []
  yield csvHead(columns, options)
  for await (const rows of batches)
    if (rows.length > 0) yield rows.map((row) => csvRow(columns, parsed(print(row)), options)).join('')
}

/** Cut to the schema, like every answer. */
function parsed(json: string): Record<string, unknown> {
  const row: unknown = JSON.parse(json)
  return isRecord(row) ? row : {}
}

function itemOf({ answer, path }: Route): TSchema {
  if (answer && 'items' in answer && isRecord(answer.items)) return answer.items
  throw new TypeError(`${path} is no list.`)
}

function pathOf({ exchange }: FastifyRequest): string {
  return exchange.path.slice(1).replace(/\.(ndjson|csv)$/i, '')
}

function fileName(request: FastifyRequest, format: ExportFormat): string {
  return `${pathOf(request)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}.${format === 'text/csv' ? 'csv' : 'ndjson'}`
}
