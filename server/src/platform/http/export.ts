import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { recordAudit } from '../database/audit.ts'
import { csvHead, type CsvOptions, csvRow } from '../wire/csv.ts'
import { rollBack, type Tx } from '../database/db.ts'
import { ApiError, errorBody } from '../words/errors.ts'
import { toApiError } from '../database/faults.ts'
import { createInFlight } from './in-flight.ts'
import type { Route } from './route.ts'
import { chooseElement, requireReadableFields, shownBy, type Sparse } from './sparse-answer.ts'
import { isRecord } from '../wire/schema-shape.ts'
import type { FieldName } from '../wire/sparse.ts'
import { stringifier } from '../wire/stringify.ts'
import type { AnyCall } from './write.ts'

/** Further formats of a route that has `exportRows`; they must be asked for by name. */
export const EXPORT_FORMATS = ['application/x-ndjson', 'text/csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface Export {
  size: number
  /** As in a reply. */
  fieldNames?: readonly FieldName[]
  headers?: Readonly<Record<string, string>>
  /** Elements of the route's list, some at a time. */
  rows: AsyncIterable<readonly unknown[]>
  /** What CSV has, where that is not simply the members of the elements; `names`: what is asked for, none: all. */
  table?: (names: readonly string[]) => Table
}

interface Table {
  readonly columns: readonly string[]
  /** The cells of each row, some rows at a time. */
  readonly rows: AsyncIterable<readonly (readonly unknown[])[]>
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

/** An export is no page. */
export function requireWhole(query: Readonly<Record<string, unknown>>): void {
  for (const path of ['limit', 'offset', 'cursor'])
    if (query[path] !== undefined) throw new ApiError('parameter_conflict', { path })
}

/** The whole list in one stream, all of one moment. A stream that ends early is cut off, so that half is never whole. */
export async function sendExport(
  route: Route,
  call: AnyCall,
  format: ExportFormat,
  sparse: Sparse | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
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
    const found = await exportOf(route, call, tx)
    const { size, rows, fieldNames, headers = {}, table = () => membersOf(route, rows, call) } = found
    if (sparse) requireReadableFields(sparse, route, fieldNames)
    const print = stringifier(itemOf(route))
    const line = (row: unknown) =>
      sparse ? JSON.stringify(chooseElement(sparse, route, parsed(print(row)), fieldNames)) : print(row)
    if (size > WORTH_A_NOTE)
      await recordAudit(call.context.db, call.origin, { action: 'export', object: pathOf(request), after: { size } })
    const stream = Readable.from(
      format === 'text/csv' ? csv(table(sparse?.names ?? []), call.query) : ndjson(rows, line, request),
    )
    const timer = setTimeout(() => stream.destroy(new ApiError('unavailable')), LONGEST)
    stream.once('close', () => {
      clearTimeout(timer)
      end()
    })
    reply.headers(headers).header('x-pagination-size', String(size)).header('content-type', `${format}; charset=utf-8`)
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

async function* ndjson(
  batches: Export['rows'],
  line: (row: unknown) => string,
  request: FastifyRequest,
): AsyncGenerator<string> {
  try {
    for await (const rows of batches) if (rows.length > 0) yield rows.map((row) => `${line(row)}\n`).join('')
  } catch (error) {
    yield `${JSON.stringify(errorBody(toApiError(error), request.id, request.exchange))}\n`
    throw error
  }
}

async function* csv({ columns, rows: batches }: Table, options: CsvOptions): AsyncGenerator<string> {
  yield csvHead(columns, options)
  for await (const rows of batches) if (rows.length > 0) yield rows.map((row) => csvRow(row, options)).join('')
}

function membersOf(route: Route, batches: Export['rows'], { chosen }: AnyCall): Table {
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

/** Cut to the schema, like every answer. */
function parsed(json: string): Record<string, unknown> {
  const row: unknown = JSON.parse(json)
  return isRecord(row) ? row : {}
}

function itemOf(route: Route): TSchema {
  const { schema, isList } = shownBy(route)
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
