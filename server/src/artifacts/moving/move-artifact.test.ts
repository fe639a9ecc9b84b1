import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { BUGS, LOST_BUGS, MARSH_BUGS, ORCHARD, SAFE, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { changedTables, tableDigests } from '../../../test/harness/table-digests.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

const { api, context } = await startWorld()
const { db } = context
let deliveries: MadeTracker
let returns: MadeTracker
let id: number

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: `The ${name}`, ...more })
/** Fields of the other tracker with the same names and different settings. */
const RETURNS = {
  format: 'waypost-tracker/1',
  label: 'Returns',
  item_name: 'return',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'text'),
    field('details', 'string'),
    field('points', 'float'),
    field('due', 'date'),
    field('status', 'rb', { bind: list('open', 'Shut') }),
    field('fruits', 'cb', { bind: list('Plum') }),
    field('severity', 'msb', { bind: list('High') }),
    field('assigned_to', 'msb', { bind: { type: 'users', sources: ['leads'] } }),
    field('team', 'sb', { bind: { type: 'ugroups', groups: ['leads'] } }),
    field('tags', 'tbl', { bind: list('Cold') }),
    field('links', 'art_link'),
    field('seen_by', 'perm'),
    field('remaining', 'computed'),
    field('id', 'aid'),
    field('number', 'atid'),
    field('reason', 'sb', { required: true, bind: { ...list('Broken', 'Late'), default: ['broken'] } }),
    field('remark', 'string', { required: true }),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
}

const move = (to: number, as: TestPerson = MARA, more: { dry?: boolean; query?: string; headers?: object } = {}) =>
  api.patch(`/artifacts/${id}${more.query ?? ''}`, {
    as,
    headers: { ...more.headers },
    body: { move: { tracker_id: to, ...(more.dry !== undefined && { dry_run: more.dry }) } },
  })
const get = (artifact = id, query = 'values_format=all&by_field_types=all', as: TestPerson = MARA) =>
  api.get(`/artifacts/${artifact}?${query}`, { as })
const valuesOf = async (query?: string) => (await get(id, query)).json.values_by_field
const counts = async () => {
  const { rows } = await sql<{ tracker_id: number; artifacts: number; last_number: number }>`
    select tracker_id, artifacts, last_number from tracker_counter`.execute(db)
  return (tracker: MadeTracker) => {
    const row = rows.find(({ tracker_id }) => tracker_id === tracker.id)
    return [row?.artifacts, row?.last_number]
  }
}

beforeEach(async () => {
  deliveries = await makeTestTracker(api, EVERY_FIELD)
  returns = await makeTestTracker(api, RETURNS)
  const target = await makeTestArtifact(api, deliveries, { summary: 'Target' })
  id = await makeTestArtifact(api, deliveries, {
    summary: 'Pump leaks',
    details: { value: 'It is **wet**, see art #1', format: 'commonmark' },
    points: 5,
    due: '2026-03-09',
    status: 'Open',
    severity: 'High',
    fruits: ['Apple', 'Plum'],
    assigned_to: ['tom', 'uma'],
    team: 'leads',
    tags: ['cold', 'slippery'],
    links: { links: [{ id: target, type: '_is_child' }] },
    seen_by: { value: { granted_groups: ['project_members', 'leads'], is_used_by_default: true } },
    remaining: { manual_value: 2.5 },
    effort: 1.5,
  })
})

describe('moving an artifact', () => {
  test('migrates its values to the fields of the same name', async () => {
    const before = (await get()).json
    expect(await move(returns.id)).toMatchObject({ status: 200, json: { dry_run: null } })

    const { json, headers } = await get()
    expect(json).toMatchObject({
      id,
      xref: `return #${id}`,
      title: 'Pump leaks',
      tracker: { id: returns.id },
      status: 'open',
      submitted_on: before.submitted_on,
      submitted_by: MARA.id,
    })
    expect(headers.etag).toBeDefined()
    expect(json.values_by_field).toMatchObject({
      summary: { value: 'Pump leaks', format: 'text' },
      details: { value: 'It is wet, see art #1' },
      points: { value: 5 },
      due: { value: '2026-03-09T00:00:00+00:00' },
      status: { values: [{ label: 'open' }] },
      fruits: { values: [{ label: 'Plum' }] },
      severity: null,
      assigned_to: { bind_value_ids: [UMA.id] },
      team: { values: [{ short_name: 'leads' }] },
      tags: { bind_value_ids: ['Cold', 'slippery'] },
      links: { links: [{ type: '_is_child' }] },
      seen_by: { granted_groups_ids: [`${ORCHARD}_3`, expect.any(String)] },
      remaining: { manual_value: 2.5 },
      id: { value: id },
      number: { value: 1 },
      reason: { values: [{ label: 'Broken' }] },
      remark: null,
    })
    expect((await counts())(deliveries)).toEqual([1, 2])
    expect((await counts())(returns)).toEqual([1, 1])
    expect((await api.get(`/trackers/${deliveries.id}/artifacts`, { as: MARA })).json).toHaveLength(1)
    expect((await api.get(`/trackers/${returns.id}/artifacts`, { as: MARA })).json).toMatchObject([{ id }])
    expect(await audited(context, 'artifact.move')).toMatchObject([
      {
        object: `artifacts/${id}`,
        project_id: ORCHARD,
        before: { tracker_id: deliveries.id },
        after: { tracker_id: returns.id },
      },
    ])
    expect(await recordedEvents(context, 'artifact.moved')).toMatchObject([
      {
        object: `artifacts/${id}`,
        payload: { version: 2, tracker_id: returns.id, from: { tracker_id: deliveries.id, project_id: ORCHARD } },
      },
    ])
  })

  test('can be previewed in both formats, and then nothing is written', async () => {
    const before = await tableDigests(db)
    const answers = [
      await move(returns.id, MARA, { dry: true }),
      await move(returns.id, MARA, { query: '?dry_run=true' }),
    ]
    const names = (fields: { name: string }[]) => fields.map(({ name }) => name)
    for (const { status, json } of answers) {
      expect(status).toBe(200)
      expect(Object.keys(json)).toEqual(['dry_run'])
      const { fields_migrated, fields_not_migrated, fields_partially_migrated } = json.dry_run.fields
      expect(fields_migrated).toContainEqual({ field_id: deliveries.field('points'), label: 'points', name: 'points' })
      expect(names(fields_migrated)).toEqual([
        'summary',
        'details',
        'points',
        'due',
        'status',
        'team',
        'tags',
        'links',
        'seen_by',
        'remaining',
        'id',
        'number',
      ])
      expect(names(fields_partially_migrated)).toEqual(['fruits', 'assigned_to'])
      expect(names(fields_not_migrated)).toEqual(expect.arrayContaining(['severity', 'effort', 'rank']))
    }
    expect(changedTables(before, await tableDigests(db))).toEqual([])
    const xml = await move(returns.id, MARA, { dry: true, headers: { accept: 'application/xml' } })
    expect(xml.text).toContain('<fields_migrated><item><field_id>')
  })

  test('accepts XML', async () => {
    const body = `<request><move><tracker_id>${returns.id}</tracker_id><dry_run>false</dry_run>
      <should_populate_feedback_on_success>1</should_populate_feedback_on_success></move></request>`
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    expect((await api.patch(`/artifacts/${id}`, { as: MARA, headers, body })).text).toContain('<dry_run></dry_run>')
    expect((await get()).json.tracker.id).toBe(returns.id)
  })

  test('keeps its versions and comments; values of the old tracker have no field here', async () => {
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { points: 8 }, comment: { body: 'Eight', format: 'text' } },
    })
    await move(returns.id)
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: 9, remark: 'Here' } } })

    expect((await get(id, 'version=1')).status).toBe(200)
    expect((await valuesOf('version=2&values_format=by_field')).points).toBeNull()
    expect((await valuesOf('version=3&values_format=by_field')).points).toMatchObject({ value: 8 })
    expect((await valuesOf('version=4&values_format=by_field')).points).toMatchObject({ value: 9 })
    const { json } = await api.get(`/artifacts/${id}/changesets`, { as: MARA })
    expect(json.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4])
    expect(json[1].last_comment.body).toBe('Eight')
  })

  test('and back again does not restore values lost on the way', async () => {
    await move(returns.id)
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { remark: 'Here', points: 7 } } })
    await move(deliveries.id)

    const values = await valuesOf()
    expect(values).toMatchObject({ effort: { value: null }, points: { value: 7 }, number: { value: 3 } })
    expect(values.fruits).toMatchObject({ values: [{ label: 'Plum' }] })
    expect(values.severity ?? null).toBeNull()
    const { json: last } = await get(id, 'version=4&values_format=all&by_field_types=all')
    expect(last.values_by_field).toEqual(values)
    expect((await counts())(deliveries)).toEqual([2, 3])
    expect((await counts())(returns)).toEqual([0, 1])
  })

  test('rewrites its index rows', async () => {
    const indexed = async () => {
      const { rows } = await sql<{ field_id: number }>`
        select field_id from value_index where artifact_id = ${id} union select field_id from number_index
        where artifact_id = ${id} union select field_id from artifact_reference where artifact_id = ${id}`.execute(db)
      return new Set(rows.map(({ field_id }) => field_id))
    }
    await move(returns.id)
    const names = ['points', 'due', 'status', 'fruits', 'assigned_to', 'team', 'tags', 'reason', 'details']
    expect(await indexed()).toEqual(new Set(names.map((name) => returns.field(name))))
    const { rows } = await sql`select restricted_to from artifact where id = ${id}`.execute(db)
    expect(rows).toEqual([{ restricted_to: [3, 3001] }])
    await move(deliveries.id)
    expect((await indexed()).has(returns.field('points'))).toBe(false)
  })

  test('removes links if the other tracker has no field for them, and people without a counterpart', async () => {
    const elements = [field('summary', 'string'), field('assigned_to', 'tbl', { bind: list('tom') })]
    const plain = await makeTestTracker(api, {
      ...RETURNS,
      item_name: 'plain',
      elements,
      semantics: { title: 'summary' },
    })
    expect((await move(plain.id)).status).toBe(200)
    const { rows } = await sql`select from artifact_link where source_id = ${id} or target_id = ${id}`.execute(db)
    expect(rows).toEqual([])
    expect(await valuesOf()).toMatchObject({ summary: { value: 'Pump leaks' } })
    expect(await auditArtifacts(context, db)).toEqual([])
  })

  test('into another project moves its rows, and drops values without a counterpart there', async () => {
    const safe = await api.post(`/projects/${VAULT}/trackers`, {
      as: VICTOR,
      body: { ...RETURNS, elements: RETURNS.elements.filter(({ name }) => name !== 'team' && name !== 'assigned_to') },
    })
    expect(safe.status).toBe(201)
    await sql`insert into link_type (shortname, forward_label, reverse_label) values ('fixed_in', 'Fixed in', 'Fixes')`.execute(
      db,
    )
    await sql`insert into disabled_link_type (project_id, shortname) values (${VAULT}, 'fixed_in')`.execute(db)
    const other = await makeTestArtifact(api, deliveries, { summary: 'Other', links: { links: [{ id, type: '' }] } })
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { links: { links: [{ id: other, type: 'fixed_in' }] } } },
    })
    expect(await move(safe.json.id, ADA)).toMatchObject({ status: 200 })

    expect((await get()).status).toBe(404)
    const { json } = await get(id, 'values_format=all&by_field_types=all', VICTOR)
    expect(json).toMatchObject({ project: { id: VAULT }, xref: `return #${id}` })
    // Its groups do not exist there, so it is restricted to members instead.
    expect(json.values_by_field.seen_by).toMatchObject({ granted_groups_ids: [`${VAULT}_3`] })
    const { rows } = await sql<{ project_id: number }>`
      select project_id from changeset where artifact_id = ${id} union select project_id from value_index
      where artifact_id = ${id} union select project_id from artifact_link where source_id = ${id}`.execute(db)
    expect(rows).toEqual([{ project_id: VAULT }])
    const { rows: links } = await sql`select target_id, type from artifact_link where source_id = ${id}`.execute(db)
    expect(links).toEqual([{ target_id: other, type: '' }])
    expect((await audited(context, 'artifact.move')).map(({ project_id }) => project_id)).toEqual([ORCHARD, VAULT])
    expect((await api.get(`/artifacts/${other}`, { as: MARA })).json.values).toContainEqual(
      expect.objectContaining({ type: 'art_link', links: [] }),
    )
  })

  test('changes nothing but its own rows and the counts of both trackers', async () => {
    await makeTestArtifact(api, deliveries, { summary: `About art #${id}`, links: { links: [{ id, type: '' }] } })
    await makeTestArtifact(api, returns, { summary: 'Neighbour', remark: 'Here', points: 1 })
    const own = {
      artifact: `^\\(${id},`,
      changeset: `^\\(\\d+,\\d+,${id},`,
      value_index: `,${id}\\)$`,
      number_index: `,${id}\\)$`,
      artifact_reference: `^\\(\\d+,${id},`,
      artifact_words: `^\\(${id},`,
      artifact_summary: `^\\(${id},`,
      artifact_link: `^\\(\\d+,${id},`,
      audit: `artifacts/${id}\\b`,
      event: `artifacts/${id}\\b`,
    }
    const before = await tableDigests(db, own)
    await move(returns.id)
    // The label `slippery` is new there.
    expect(changedTables(before, await tableDigests(db, own))).toEqual(['open_value', 'tracker_total'])
  })
})

describe('a move is refused', () => {
  const because = (cause: string) => refused(400, 'rule_violated', { cause })

  test('if the caller does not administer both trackers, with 400 for compatibility', async () => {
    expect(await move(returns.id, TOM)).toMatchObject(because('move_not_admin'))
    expect(await move(SAFE, MARA)).toMatchObject(refused(404, 'not_found'))
    const foreign = await api.post(`/projects/${VAULT}/trackers`, { as: VICTOR, body: RETURNS_FOR_ALL })
    await sql`update project set access = 'public' where id = ${VAULT}`.execute(db)
    expect(await move(foreign.json.id, MARA)).toMatchObject(because('move_not_admin'))
    expect(await move(returns.id, OLGA)).toMatchObject(refused(404, 'not_found'))
  })

  test('if the artifact or the target tracker does not exist', async () => {
    expect(await move(999_999)).toMatchObject(refused(404, 'not_found'))
    expect(await move(-1)).toMatchObject(refused(404, 'not_found'))
    expect(await move(LOST_BUGS)).toMatchObject(refused(404, 'not_found'))
    expect(await move(deliveries.id)).toMatchObject(because('move_same_tracker'))
    expect(await api.patch('/artifacts/999999', { as: MARA, body: { move: { tracker_id: BUGS } } })).toMatchObject(
      refused(404, 'not_found'),
    )
    expect(await api.patch(`/artifacts/${id}`, { as: MARA, body: {} })).toMatchObject(
      refused(400, 'parameter_required'),
    )
    const bare = await makeTestTracker(api, { label: 'Bare', item_name: 'bare', elements: [field('other', 'string')] })
    for (const dry of [true, false]) expect(await move(bare.id, MARA, { dry })).toMatchObject(because('move_nothing'))
  })

  test('if one of the trackers does not allow it, or a project is suspended', async () => {
    const shut = await makeTestTracker(api, { ...RETURNS, item_name: 'shut', settings: { allow_move: false } })
    expect(await move(shut.id)).toMatchObject(because('move_disabled'))
    expect(await move(MARSH_BUGS, ADA)).toMatchObject(because('project_not_active'))
    await sql`update project set status = 'suspended', version = version + 1 where id = ${ORCHARD}`.execute(db)
    expect(await move(returns.id, ADA)).toMatchObject(because('project_not_active'))
  })

  test('if a precondition fails', async () => {
    const { headers } = await get()
    expect(await move(returns.id, MARA, { headers: { 'if-match': '"stale"' } })).toMatchObject(
      refused(412, 'version_mismatch'),
    )
    expect((await move(returns.id, MARA, { headers: { 'if-match': String(headers.etag) } })).status).toBe(200)
  })
})

test('concurrent moves of one artifact run one after the other', async () => {
  const third = await makeTestTracker(api, { ...RETURNS, item_name: 'third' })
  const answers = await Promise.all([move(returns.id), move(third.id), move(returns.id, ADA)])
  expect(statusesOf(answers).filter((status) => status === 200).length).toBeGreaterThan(0)
  const { rows: versions } = await sql`select version from changeset where artifact_id = ${id}`.execute(db)
  expect(versions).toHaveLength(1 + answers.filter(({ status }) => status === 200).length)
  const { rows } = await sql<{ artifacts: number; counted: number }>`
    select artifacts, (select count(*) from artifact where artifact.tracker_id = tracker_counter.tracker_id
      and deleted_on is null) as counted from tracker_counter`.execute(db)
  for (const { artifacts, counted } of rows) expect(artifacts).toBe(counted)
})

const RETURNS_FOR_ALL = {
  label: 'Returns',
  item_name: 'return',
  permissions: { full: ['@anonymous'] },
  elements: [{ name: 'summary', type: 'string', label: 'Summary' }],
}
