import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import type { TestClient, Response } from '../../harness/client.ts'
import type { TestPerson } from '../../fixtures/people.ts'

interface Entry {
  readonly field_id: number
  readonly type: string
  readonly [member: string]: unknown
}

/** The state of an artifact in one response and in the database. */
export interface Observation {
  readonly row: StoredRow
  readonly values: readonly Entry[]
  /** The part of the ETag that identifies the version. */
  readonly tag: string
  readonly last_modified: string
}

export interface StoredRow {
  readonly version: number
  readonly field_values: Readonly<Record<string, unknown>>
  /** With microseconds, which a Date does not hold. */
  readonly on: string
  readonly second: string
}

export interface StoredVersion extends StoredRow {
  readonly id: number
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment: string | null
  readonly comment_groups: readonly number[] | null
}

const times = sql`to_char(last_modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as second`
const exactly = (column: 'last_modified_date' | 'submitted_on') =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as on`

export async function readStoredRow(db: Db, id: number): Promise<StoredRow> {
  const { rows } = await sql<StoredRow>`
    select version, field_values, ${exactly('last_modified_date')}, ${times} from artifact where id = ${id}`.execute(db)
  assert(rows[0], `There is no artifact ${id}.`)
  return rows[0]
}

export async function readStoredHistory(db: Db, id: number): Promise<StoredVersion[]> {
  const { rows } = await sql<StoredVersion>`
    select id, version, changes, comment, comment_groups, ${exactly('submitted_on')}, ${times}
    from changeset where artifact_id = ${id} order by version`.execute(db)
  return rows
}

/** A request that must succeed. */
export async function expectStatus(asked: Promise<Response>, status = 200): Promise<Response> {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
  return answer
}

export async function observeArtifact(api: TestClient, db: Db, id: number, as: TestPerson): Promise<Observation> {
  const answer = await expectStatus(api.get(`/artifacts/${id}`, { as }))
  return {
    row: await readStoredRow(db, id),
    values: answer.json.values,
    tag: versionTagOf(answer),
    last_modified: String(answer.headers['last-modified']),
  }
}

export function versionTagOf({ headers }: Response): string {
  return String(headers.etag).slice(1).split('.', 1)[0] ?? ''
}

/** Only stored values: sums, charts, references and incoming links are always current. */
export function keptEntries(values: readonly Entry[]): Entry[] {
  return values.flatMap((entry): Entry[] => {
    const { field_id, type, label, links, manual_value } = entry
    if (type === 'art_link') return [{ field_id, type, label, links }]
    if (type === 'computed') return manual_value === null ? [] : [{ field_id, type, label, manual_value }]
    return ['cross', 'burndown', 'burnup'].includes(type) ? [] : [entry]
  })
}

/** The same without values that no version stores. */
export function writtenEntries(values: readonly Entry[]): Entry[] {
  return keptEntries(values).filter(({ type }) => !NEVER_STORED.includes(type))
}

const NEVER_STORED = ['aid', 'atid', 'subby', 'luby', 'subon', 'lud', 'priority']

/** Lists are sets: stored values that differ only in order are equal. */
export function unordered(stored: unknown): unknown {
  if (!Array.isArray(stored)) return stored
  return stored.map((each: unknown) => JSON.stringify(each)).toSorted()
}
