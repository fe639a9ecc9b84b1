import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { type TestPerson, ALL_PEOPLE } from '../../test/fixtures/people.ts'
import { makeVisibilityWorld } from '../../test/fixtures/visibility-world.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { memberships } from '../projects/groups/memberships.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { readableFields } from './readable-fields.ts'
import { getTrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'

const { api, context } = await startWorld({ seedOnce: true })
beforeAll(() => makeVisibilityWorld(api))

interface Row {
  readonly id: TrackerId
  readonly groups: readonly number[]
  readonly administers: boolean
  readonly texts: readonly string[]
  readonly files: readonly string[]
  readonly title: string | null
  readonly has_status: boolean
  readonly status: string | null
  readonly open_values: readonly number[]
  readonly contributor: string | null
}

function viewerOf(person: TestPerson | undefined): Viewer {
  if (!person) return { language: null, time_zone: null }
  const { id: account_id, is_site_admin, status } = person
  return { account_id, is_site_admin, is_restricted: status === 'R', language: null, time_zone: null }
}

test.each([undefined, ...ALL_PEOPLE])('SQL and memory agree on the fields that $login may read', async (person) => {
  const viewer = viewerOf(person)
  const { rows } = await sql<Row>`with me as materialized (${memberships(viewer)})
    ${readableFields(viewer, sql`true`)} order by tracker.id`.execute(context.db)
  expect(rows.length).toBeGreaterThan(8)
  for (const row of rows) {
    const tracker = await context.trackers.now(context.db, row.id)
    if (!tracker) throw new Error(`There is no tracker ${row.id}.`)
    const { groups, administers, readable } = await getTrackerAccess(context.db, tracker, viewer)
    const { title, status, contributor } = tracker.semantics
    const ifReadable = (field: number | null | undefined) =>
      readable.some(({ id }) => id === field) ? String(field) : null
    expect({ ...row, groups: new Set(row.groups) }).toEqual({
      id: row.id,
      groups,
      administers,
      texts: readable.filter((each) => fieldTypeOf(each).texts !== undefined).map(({ id }) => String(id)),
      files: readable.filter((each) => fieldTypeOf(each).files !== undefined).map(({ id }) => String(id)),
      title: title === null ? null : String(title),
      has_status: status !== null,
      status: ifReadable(status?.field_id),
      open_values: status?.open ?? [],
      contributor: ifReadable(contributor),
    })
  }
})
