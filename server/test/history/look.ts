import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'
import type { Client, Response } from '../client.ts'
import type { Person } from '../people.ts'

interface Entry {
  readonly field_id: number
  readonly type: string
  readonly [member: string]: unknown
}

/** What one answer and the database said of an artifact at one moment. */
export interface Moment {
  readonly row: Row
  readonly values: readonly Entry[]
  /** The part of the tag that names the version. */
  readonly tag: string
  readonly last_modified: string
}

export interface Row {
  readonly version: number
  readonly field_values: Readonly<Record<string, unknown>>
  /** With microseconds, which a Date does not hold. */
  readonly on: string
  readonly second: string
}

export interface VersionRow extends Row {
  readonly id: number
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment: string | null
  readonly comment_groups: readonly number[] | null
}

const times = sql`to_char(last_modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as second`
const exactly = (column: 'last_modified_date' | 'submitted_on') =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as on`

export async function readRow(db: Db, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select version, field_values, ${exactly('last_modified_date')}, ${times} from artifact where id = ${id}`.execute(db)
  assert(rows[0], `There is no artifact ${id}.`)
  return rows[0]
}

export async function readHistory(db: Db, id: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select id, version, changes, comment, comment_groups, ${exactly('submitted_on')}, ${times}
    from changeset where artifact_id = ${id} order by version`.execute(db)
  return rows
}

/** A request that has to succeed. */
export async function succeed(asked: Promise<Response>, status = 200): Promise<Response> {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
  return answer
}

export async function look(api: Client, db: Db, id: number, as: Person): Promise<Moment> {
  const answer = await succeed(api.get(`/artifacts/${id}`, { as }))
  return {
    row: await readRow(db, id),
    values: answer.json.values,
    tag: tagOf(answer),
    last_modified: String(answer.headers['last-modified']),
  }
}

export function tagOf({ headers }: Response): string {
  return String(headers.etag).slice(1).split('.', 1)[0] ?? ''
}

/** Only what is kept of the values: sums, charts, references and links from elsewhere are always those of today. */
export function kept(values: readonly Entry[]): Entry[] {
  return values.flatMap((entry): Entry[] => {
    const { field_id, type, label, links, manual_value } = entry
    if (type === 'art_link') return [{ field_id, type, label, links }]
    if (type === 'computed') return manual_value === null ? [] : [{ field_id, type, label, manual_value }]
    return ['cross', 'burndown', 'burnup'].includes(type) ? [] : [entry]
  })
}

/** The same without what no version stores. */
export function written(values: readonly Entry[]): Entry[] {
  return kept(values).filter(({ type }) => !NEVER_STORED.includes(type))
}

const NEVER_STORED = ['aid', 'atid', 'subby', 'luby', 'subon', 'lud', 'priority']

/** Lists are sets: two stored values that are equal but for their order are the same. */
export function unordered(stored: unknown): unknown {
  if (!Array.isArray(stored)) return stored
  return stored.map((each: unknown) => JSON.stringify(each)).toSorted()
}
