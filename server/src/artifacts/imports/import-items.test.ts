import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { beginTestImport, finishTestImport, importLine, importLines } from '../../../test/fixtures/imports.ts'
import { ADA, MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, ORCHARD, SAFE } from '../../../test/fixtures/seed-ids.ts'
import { Lines } from '../../../test/harness/client.ts'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'
import { startWorld, TEST_NOW } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const summary = (value: string, more: object = {}) => ({ values_by_field: { summary: { value }, ...more } })
const begin = async () => {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  return { tracker, id: await beginTestImport(api) }
}
const reasonsOf = (lines: readonly { status: number; error?: { reason: string; details?: { cause?: string } } }[]) =>
  lines.map(({ status, error }) => [status, error?.details?.cause ?? error?.reason])
const pathOf = (line: { error: { details: { path: string } } }) => line.error.details.path

describe('an imported artifact', () => {
  test('is written together with others, also if it links to a batch that was not written yet', async () => {
    const { tracker, id } = await begin()
    const [batch, first] = [500, 900_000]
    const link = { links: { links: [{ id: first, type: '' }] } }
    const lines = Array.from({ length: 2 * batch }, (_, at) =>
      importLine(
        { key: `MANY-${at}`, id: first + at, tracker: tracker.id },
        summary(`Gate ${at}`, at >= batch && at % 2 === 0 ? link : {}),
      ),
    )
    expect((await importLines(api, id, lines)).done).toMatchObject({ succeeded: lines.length })
    // The rows of one statement have one transaction and one command.
    const { rows } = await sql<{ statements: number }>`
      select count(distinct (xmin::text, cmin::text))::integer as statements from artifact
      where id between ${first} and ${first + lines.length}`.execute(context.db)
    expect(rows[0]?.statements).toBeLessThanOrEqual(4)
  })

  test('has the authors, times, values and comments of its versions, and says who imported it', async () => {
    const { tracker, id } = await begin()
    const versions = [
      { ...summary('Gate', { status: 'Open', assigned_to: ['tom'], tags: ['cold', 'new label'] }), author: TOM.id },
      { comment: { body: 'see art #1', format: 'text' }, author: 'uma', time: '2019-05-01T03:00:00.500Z' },
      {
        values: [
          { field_id: tracker.field('points'), value: 5 },
          { field_id: tracker.field('status'), bind_value_ids: [tracker.value('status', 'Closed')] },
        ],
        author: OLGA.login,
        time: '2020-01-01T00:00:00+01:00',
      },
    ]
    const { lines, done } = await importLines(api, id, [importLine({ tracker: tracker.id }, ...versions)])
    expect(lines).toEqual([{ line: 1, status: 201, id: expect.any(Number), etag: expect.any(String) }])
    expect(done).toEqual({ lines: 1, succeeded: 1, unchanged: 0, failed: 0, stopped: false })
    const { json: artifact } = await api.get(`/artifacts/${lines[0].id}?values_format=by_field&by_field_types=all`, {
      as: ADA,
    })
    expect(artifact).toMatchObject({
      title: 'Gate',
      status: 'Closed',
      submitted_by: TOM.id,
      submitted_on: '2019-05-01T00:00:00+00:00',
      last_update_by: OLGA.id,
      last_modified_date: '2019-12-31T23:00:00+00:00',
    })
    expect(artifact.values_by_field.points.value).toBe(5)
    const { json: changesets } = await api.get(`/artifacts/${lines[0].id}/changesets`, { as: ADA })
    expect(
      changesets.map((each: Record<string, never>) => [
        each['version'],
        each['submitted_by'],
        each['submitted_on'],
        each['source'],
        each['imported_by']?.['id'],
      ]),
    ).toEqual([
      [1, TOM.id, '2019-05-01T00:00:00+00:00', 'old.example', ADA.id],
      [2, UMA.id, '2019-05-01T03:00:00+00:00', 'old.example', ADA.id],
      [3, OLGA.id, '2019-12-31T23:00:00+00:00', 'old.example', ADA.id],
    ])
    expect(changesets[1].last_comment.body).toBe('see art #1')
    expect(await auditArtifacts(context, context.db)).toEqual([])
  })

  test('has versions of its own afterwards, which are not imported', async () => {
    const { tracker, id } = await begin()
    const { lines } = await importLines(api, id, [importLine({ tracker: tracker.id }, summary('Gate'))])
    await finishTestImport(api, id)
    await api.put(`/artifacts/${lines[0].id}`, { as: TOM, body: { comment: { body: 'seen' } } })
    const { json } = await api.get(`/artifacts/${lines[0].id}/changesets`, { as: TOM })
    expect(json.map((each: object) => 'source' in each)).toEqual([true, false])
  })

  test('is found by its words, values, links and references', async () => {
    const { tracker, id } = await begin()
    const target = await makeTestArtifact(api, tracker, { summary: 'Target' })
    const { lines } = await importLines(api, id, [
      importLine({ tracker: tracker.id, key: 'A-1' }, summary('First', { details: `needs art #${target}`, points: 3 })),
      importLine(
        { tracker: tracker.id, key: 'A-2' },
        { ...summary('Second', { points: 1 }), comment: { body: `as art #${target}` } },
        { values: [{ field_id: tracker.field('links'), links: [{ id: target, type: '' }] }] },
      ),
    ])
    await finishTestImport(api, id)
    const ids = lines.map((line) => line.id)
    const { json: searched } = await api.post('/search', { as: TOM, body: { keywords: 'second' } })
    expect(JSON.stringify(searched)).toContain(`artifacts/${ids[1]}`)
    const { json: found } = await api.get(`/trackers/${tracker.id}/artifacts?expert_query=points%20%3D%203`, {
      as: TOM,
    })
    expect(found.map((each: { id: number }) => each.id)).toEqual([ids[0]])
    const { json: linked } = await api.get(`/artifacts/${ids[1]}/linked_artifacts?direction=forward`, { as: TOM })
    expect(linked.collection.map((each: { id: number }) => each.id)).toEqual([target])
    const references = await context.db
      .selectFrom('artifact_reference')
      .select('artifact_id')
      .orderBy('artifact_id')
      .execute()
    expect(references.map((row) => row.artifact_id)).toEqual(ids)
  })

  test('may link to an earlier line, and to one with a set id', async () => {
    const { tracker, id } = await begin()
    const links = (target: number) => [{ field_id: tracker.field('links'), links: [{ id: target, type: '' }] }]
    const { lines } = await importLines(api, id, [
      importLine({ tracker: tracker.id, key: 'A-1', id: 50_000 }, summary('First')),
      importLine({ tracker: tracker.id, key: 'A-2' }, { values: links(50_000) }),
      importLine({ tracker: tracker.id, key: 'A-3' }, { values: links(60_000) }),
      importLine({ tracker: tracker.id, key: 'A-4', id: 60_000 }, summary('Too late for the link')),
      importLine({ tracker: tracker.id, key: 'A-5', id: 70_000 }, { ...summary('Refused'), author: 'unknown-login' }),
      importLine({ tracker: tracker.id, key: 'A-6' }, { values: links(70_000) }),
    ])
    expect(reasonsOf(lines)).toEqual([
      [201, undefined],
      [201, undefined],
      [400, 'link_target_unknown'],
      [201, undefined],
      [400, 'user_unknown'],
      [400, 'link_target_unknown'],
    ])
    expect(await auditArtifacts(context, context.db)).toEqual([])
  })

  test('needs neither required fields nor steps of the workflow, and runs none', async () => {
    const tracker = await makeTestTracker(api, STRICT)
    const id = await beginTestImport(api)
    const { lines } = await importLines(api, id, [
      importLine(
        { tracker: tracker.id },
        { values_by_field: { title: 'Old', status: 'Done' } },
        { values_by_field: { status: 'New' } },
      ),
    ])
    expect(lines[0]).toMatchObject({ status: 201 })
    const { json } = await api.get(`/artifacts/${lines[0].id}`, { as: ADA })
    expect(json.status).toBe('New')
    expect(json.values.find((each: { label: string }) => each.label === 'reason')?.value ?? '').toBe('')
  })
})

const STRICT = {
  label: 'Strict',
  item_name: 'strict',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'title', type: 'string', label: 'title' },
    {
      name: 'status',
      type: 'sb',
      label: 'status',
      bind: { type: 'static', values: [{ label: 'New' }, { label: 'Done' }], default: ['done'] },
    },
    { name: 'reason', type: 'string', label: 'reason', required: true },
  ],
  semantics: { title: 'title', status: { field: 'status', open: ['new'] } },
  workflow: { field: 'status', used: true, mode: 'simple', states: [{ to: 'new', from: ['@new'] }] },
}

describe('a line is refused', () => {
  const lineOf = (tracker: MadeTracker, key: string, ...versions: object[]) =>
    importLine({ tracker: tracker.id, key }, ...versions)

  test('for unknown authors, times that do not rise or are to come, and wrong values', async () => {
    const { tracker, id } = await begin()
    const { lines, done } = await importLines(api, id, [
      lineOf(tracker, 'B-1', { ...summary('x'), author: 'unknown-login' }),
      lineOf(tracker, 'B-2', { ...summary('x'), author: 999_999 }),
      lineOf(tracker, 'B-3', { ...summary('x'), time: 'yesterday' }),
      lineOf(tracker, 'B-4', { ...summary('x'), time: '2026-03-01T09:30:01Z' }),
      lineOf(
        tracker,
        'B-5',
        { ...summary('x'), time: '2019-05-01T00:00:00Z' },
        { ...summary('y'), time: '2019-05-01T00:00:00Z' },
      ),
      lineOf(tracker, 'B-6', summary('x'), summary('y', { status: 'Rotten' })),
      lineOf(tracker, 'B-7', summary('x', { assigned_to: ['olga'] })),
      lineOf(tracker, 'B-8', summary('x', { no_such_field: 1 })),
      lineOf(tracker, 'B-9', summary('x', { points: 'many' })),
      lineOf(tracker, 'B-10'),
      { ...lineOf(tracker, 'B-11', summary('x')), tracker: { id: SAFE } },
      { ...lineOf(tracker, 'with a space', summary('x')) },
      { ...lineOf(tracker, 'B-12', summary('x')), owner: 'tom' },
      lineOf(tracker, 'B-13', summary('Good')),
    ])
    expect(reasonsOf(lines)).toEqual([
      [400, 'user_unknown'],
      [400, 'user_unknown'],
      [400, 'parameter_invalid'],
      [400, 'time_in_future'],
      [400, 'time_not_rising'],
      [400, 'list_value_unknown'],
      [400, 'user_unknown'],
      [400, 'field_unknown'],
      [400, 'not_a_number'],
      [400, 'parameter_out_of_range'],
      [400, 'reference_unknown'],
      [400, 'parameter_invalid'],
      [400, 'member_unknown'],
      [201, undefined],
    ])
    expect(pathOf(lines[4])).toBe('versions[1].time')
    expect(pathOf(lines[5])).toMatch(/^versions\[1\]\.values_by_field\.status/)
    expect(done).toMatchObject({ lines: 14, succeeded: 1, failed: 13 })
    expect(await auditArtifacts(context, context.db)).toEqual([])
  })

  test('for an id that is taken, sent twice, or cannot be set', async () => {
    const { tracker, id } = await begin()
    const other = await makeTestArtifact(api, tracker, { summary: 'Here first' })
    const { lines } = await importLines(api, id, [
      importLine({ tracker: tracker.id, key: 'C-1', id: other }, summary('x')),
      importLine({ tracker: tracker.id, key: 'C-2', id: 70_000 }, summary('y')),
      importLine({ tracker: tracker.id, key: 'C-3', id: 70_000 }, summary('z')),
      importLine({ tracker: tracker.id, key: 'C-4', id: 2 ** 31 }, summary('z')),
      importLine({ tracker: tracker.id, key: 'C-5', id: 0 }, summary('z')),
    ])
    expect(reasonsOf(lines)).toEqual([
      [400, 'artifact_id_taken'],
      [201, undefined],
      [400, 'artifact_id_taken'],
      [400, 'parameter_out_of_range'],
      [400, 'parameter_out_of_range'],
    ])
    expect(lines[1].id).toBe(70_000)
    expect(await makeTestArtifact(api, tracker, { summary: 'Drawn from the sequence' })).toBe(70_001)
  })

  test('for a field that the importer may not write', async () => {
    await api.patch('/settings', { as: ADA, body: { may_import: true } })
    const rights = { read: ['leads'], submit: ['leads'], update: ['leads'] }
    const tracker = await makeTestTracker(api, {
      ...STRICT,
      item_name: 'secretive',
      elements: [
        ...STRICT.elements,
        { name: 'hidden', type: 'string', label: 'hidden', permissions: rights },
        { name: 'shown', type: 'string', label: 'shown', permissions: { ...rights, read: ['@anonymous'] } },
      ],
    })
    const id = await beginTestImport(api, MARA)
    const sent = ['hidden', 'shown'].map((name) =>
      lineOf(tracker, name, { values_by_field: { title: 'x', [name]: 'y' } }),
    )
    const { lines } = await importLines(api, id, sent, { as: MARA })
    expect(reasonsOf(lines)).toEqual([
      [400, 'field_unknown'],
      [400, 'field_not_updatable'],
    ])
    const { lines: byAda } = await importLines(api, id, sent)
    expect(reasonsOf(byAda).map(([status]) => status)).toEqual([201, 201])
  })
})

describe('a repeated line', () => {
  test('creates nothing again, in another request and in the same one', async () => {
    const { tracker, id } = await begin()
    const sent = ['D-1', 'D-2', 'D-1'].map((key) => importLine({ tracker: tracker.id, key }, summary(key)))
    const first = await importLines(api, id, sent)
    expect(first.lines.map(({ status }) => status)).toEqual([201, 201, 200])
    expect(first.lines[2].id).toBe(first.lines[0].id)
    const second = await importLines(api, id, [
      ...sent,
      importLine({ tracker: tracker.id, key: 'D-3' }, summary('new')),
    ])
    expect(second.lines.map(({ status }) => status)).toEqual([200, 200, 200, 201])
    expect(second.lines.slice(0, 3).map((line) => line.id)).toEqual(first.lines.map((line) => line.id))
    expect(second.done).toMatchObject({ succeeded: 1, unchanged: 3 })
    expect((await api.get(`/imports/${id}`, { as: ADA })).json.artifacts).toBe(3)
  })

  test('may come at the same time from two importers', async () => {
    const { tracker, id } = await begin()
    await api.patch('/settings', { as: ADA, body: { may_import: true } })
    const sent = Array.from({ length: 40 }, (_, at) =>
      importLine({ tracker: tracker.id, key: `E-${at}` }, summary('x')),
    )
    const both = await Promise.all([ADA, MARA].map((as) => importLines(api, id, sent, { as })))
    const statuses = both.flatMap(({ lines }) => lines.map(({ status }) => status))
    expect([statuses.filter((each) => each === 201).length, statuses.filter((each) => each === 200).length]).toEqual([
      40, 40,
    ])
    expect(await auditArtifacts(context, context.db)).toEqual([])
  })
})

test('a dry run reports every line and writes nothing', async () => {
  const { tracker, id } = await begin()
  const sent = [
    importLine({ tracker: tracker.id, key: 'F-1', id: 80_000 }, summary('x', { tags: ['never made'] })),
    importLine({ tracker: tracker.id, key: 'F-2' }, { ...summary('x'), author: 'unknown-login' }),
  ]
  const { lines } = await importLines(api, id, sent, { query: '?dry_run=true' })
  expect(lines[0]).toEqual({ line: 1, status: 201, id: null, dry_run: { changes: [], rules: [], notified: [] } })
  expect(lines[1]).toMatchObject({ line: 2, status: 400, error: { reason: 'reference_unknown' } })
  expect((await api.get(`/imports/${id}`, { as: ADA })).json.artifacts).toBe(0)
  expect((await importLines(api, id, sent)).lines[0]).toMatchObject({ status: 201, id: 80_000 })
})

test('an import records no events of artifacts and comments, and one when it ends', async () => {
  const { tracker, id } = await begin()
  await importLines(api, id, [importLine({ tracker: tracker.id }, { ...summary('x'), comment: { body: 'hello' } })])
  await finishTestImport(api, id)
  for (const type of ['artifact.created', 'artifact.updated', 'comment.added'])
    expect(await recordedEvents(context, type)).toEqual([])
  expect(await recordedEvents(context, 'project.imported')).toEqual([
    {
      object: `projects/${ORCHARD}`,
      project_id: ORCHARD,
      actor_id: ADA.id,
      payload: { import_id: id, source: 'old.example', artifacts: 1 },
    },
  ])
})

test('Z50 forged authors and times count nowhere else', async () => {
  const forged = {
    submitted_by: UMA.id,
    submitted_on: '2019-05-01T00:00:00Z',
    author: UMA.id,
    time: '2019-05-01T00:00:00Z',
    versions: [{ author: UMA.id, time: '2019-05-01T00:00:00Z' }],
  }
  const values = [{ field_id: BUG.summary, value: 'x' }]
  const { json } = await api.post('/artifacts', { as: ADA, body: { tracker: { id: BUGS }, values } })
  const line = { op: 'create', values, ...forged }
  const refused = [
    await api.post('/artifacts', { as: ADA, body: { tracker: { id: BUGS }, values, ...forged } }),
    await api.put(`/artifacts/${json.id}`, { as: ADA, body: { values, ...forged } }),
    await api.put(`/artifacts/${json.id}`, { as: ADA, body: { comment: { body: 'x', ...forged } } }),
    await api.post(`/trackers/${BUGS}/artifacts/bulk`, { as: ADA, body: new Lines([line]) }),
  ]
  for (const { text } of refused) expect(text).toContain('member_unknown')
  const written = await context.db.selectFrom('changeset').select(['submitted_by', 'submitted_on']).execute()
  expect(written.length).toBeGreaterThan(0)
  const isForged = (row: (typeof written)[number]) => row.submitted_by !== ADA.id || row.submitted_on < TEST_NOW
  expect(written.filter(isForged)).toEqual([])
})
