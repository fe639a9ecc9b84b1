import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import { makeOpenValues } from './open-values.ts'

// The auditor derives links, references, words and index rows from the values again, and reports what differs.
const { api, context } = await startWorld()
const { db } = context

interface Place {
  readonly tracker: MadeTracker
  readonly target: number
  readonly other: number
}

async function begin(): Promise<Place> {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const target = await makeTestArtifact(api, tracker, { summary: 'Target' })
  return { tracker, target, other: await makeTestArtifact(api, tracker, { summary: 'Other' }) }
}

const full = ({ target }: Place) => ({
  summary: `Crate for art #${target}`,
  details: `See art #${target}`,
  points: 5,
  effort: 1.5,
  status: 'Open',
  fruits: ['Apple', 'Pear'],
  assigned_to: ['tom'],
  tags: ['cold', 'heavy'],
  links: { links: [{ id: target, type: '' }] },
})

const changed = ({ other }: Place) => ({
  summary: 'Crate',
  details: `See art #${other}`,
  points: 6,
  effort: '',
  status: 'Closed',
  fruits: ['Pear', 'Plum'],
  assigned_to: ['uma'],
  tags: ['light'],
  links: { links: [{ id: other, type: '_is_child' }] },
})

async function change(id: number, body: object): Promise<void> {
  const { status, text } = await api.put(`/artifacts/${id}`, { as: MARA, body })
  expect([status, text]).toEqual([200, expect.any(String)])
}

async function countRows(id: number): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*) from value_index where artifact_id = ${id})::int as ids,
    (select count(*) from number_index where artifact_id = ${id})::int as numbers,
    (select count(*) from artifact_link where source_id = ${id})::int as links,
    (select count(*) from artifact_reference where artifact_id = ${id})::int as refs`.execute(db)
  return rows[0] ?? {}
}

test('a new artifact, its change and its clearing derive the right rows', async () => {
  const place = await begin()
  const id = await makeTestArtifact(api, place.tracker, full(place))
  expect(await auditArtifacts(context, db)).toEqual([])
  expect(await countRows(id)).toMatchObject({ links: 1, refs: 2 })
  expect((await sql`select from open_value where label = 'heavy'`.execute(db)).rows).toHaveLength(1)
  await change(id, { values_by_field: changed(place) })
  expect(await auditArtifacts(context, db)).toEqual([])
  const before = await countRows(id)
  await change(id, { values_by_field: { points: '', fruits: [], assigned_to: [], details: '', tags: [] } })
  expect(await auditArtifacts(context, db)).toEqual([])
  const after = await countRows(id)
  expect(after).toMatchObject({ links: 1, refs: 0 })
  expect(after['numbers']).toBe((before['numbers'] ?? 0) - 1)
  expect(after['ids']).toBeLessThan(before['ids'] ?? 0)
})

test('artifacts that are created and changed in bulk derive the right rows', async () => {
  const place = await begin()
  const lines = [full(place), { summary: 'Plain' }, { summary: 'Tagged', tags: ['HEAVY'] }]
  const created = await writeInBulk(
    api,
    place.tracker.id,
    lines.map((values_by_field) => ({ op: 'create', values_by_field })),
    { as: MARA },
  )
  expect(created.statuses).toEqual([201, 201, 201])
  expect(await auditArtifacts(context, db)).toEqual([])
  const [id] = created.lines.map((line) => line.id)
  expect(await countRows(id)).toMatchObject({ links: 1, refs: 2, numbers: 2 })
  const { statuses } = await writeInBulk(
    api,
    place.tracker.id,
    [{ op: 'update', id, values_by_field: changed(place) }],
    { as: MARA },
  )
  expect(statuses).toEqual([200])
  expect(await auditArtifacts(context, db)).toEqual([])
})

test('a comment has an event of its own', async () => {
  const place = await begin()
  await change(place.target, { comment: { body: 'Look', format: 'text' } })
  const { rows } = await sql`select type, object from event where type = 'comment.added'`.execute(db)
  expect(rows).toEqual([{ type: 'comment.added', object: `artifacts/${place.target}` }])
})

test('the response to a comment shows the references that it adds', async () => {
  const { tracker, target, other } = await begin()
  const body = { values_by_field: { points: 8 }, comment: { body: `See art #${other}`, format: 'text' } }
  const { json } = await api.put(`/artifacts/${target}`, { as: MARA, body })
  const { json: read } = await api.get(`/artifacts/${target}`, { as: MARA })
  expect(json.values).toEqual(read.values)
  const references = json.values.find((each: { field_id: number }) => each.field_id === tracker.field('references'))
  expect(JSON.stringify(references)).toContain(`art #${other}`)
})

test('new labels of an open list are created once, in the spelling that comes first', async () => {
  const { tracker: made } = await begin()
  const { tracker } = await findTracker(context, db, ANONYMOUS_VIEWER, toId<TrackerId>(made.id))
  const [tags, points] = [toId<FieldId>(made.field('tags')), toId<FieldId>(made.field('points'))]
  const label = (text: string) => ({ id: 0, label: text })
  const drafted = [
    new Map<FieldId, unknown>([
      [tags, [label('Red'), { id: 7, label: 'kept' }]],
      [points, 3],
    ]),
    new Map<FieldId, unknown>([[tags, [label('red'), label('Blue')]]]),
    new Map<FieldId, unknown>([[points, 4]]),
  ]
  const [one, two, three] = await inTransaction(db, (tx) => makeOpenValues(tx, tracker, drafted))
  const { rows } = await sql<{ id: number; label: string }>`select id, label from open_value
    where field_id = ${tags} and label in ('Red', 'red', 'Blue') order by label`.execute(db)
  const [blue, red] = rows
  expect(rows.map((row) => row.label)).toEqual(['Blue', 'Red'])
  expect(one?.get(tags)).toEqual([expect.objectContaining(red), { id: 7, label: 'kept' }])
  expect(one?.get(points)).toBe(3)
  expect(two?.get(tags)).toEqual([expect.objectContaining(red), expect.objectContaining(blue)])
  expect(three).toEqual(drafted[2])
  const untouched = drafted.slice(2)
  expect(await inTransaction(db, (tx) => makeOpenValues(tx, tracker, untouched))).toBe(untouched)
})
