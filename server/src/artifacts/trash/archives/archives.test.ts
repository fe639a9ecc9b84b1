import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../../test/harness/audited.ts'
import {
  EVERY_FIELD,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { runJobs } from '../../../../test/harness/run-jobs.ts'
import { unzip } from '../../../../test/harness/unzip.ts'
import { JOBS } from '../../../jobs.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { enqueueJob } from '../../../platform/jobs/jobs.ts'
import { parseXml } from '../../../platform/wire/xml.ts'
import { archiveJob } from './archive-job.ts'

const { api, context, clock } = await startWorld()
const { db } = context
let tracker: MadeTracker
let id: number

const DAY = 86_400_000
const list = async (query = '') => (await api.get(`/archives?${query}`, { as: ADA })).json
const stateOf = async () => (await list())[0].state
const remove = (artifact = id) => api.delete(`/artifacts/${artifact}`, { as: MARA })

beforeEach(async () => {
  await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await makeTestArtifact(api, tracker, {
    summary: 'Pump <leaks> & "more"',
    details: { value: '<b>wet</b>', format: 'html' },
    points: 5,
    due: '2026-03-09',
    status: 'Open',
    fruits: ['Apple', 'Plum'],
    assigned_to: ['tom'],
    team: 'leads',
    tags: ['cold', 'slippery'],
    seen_by: { value: { granted_groups: ['project_members'], is_used_by_default: true } },
    remaining: { manual_value: 2.5 },
  })
})

async function download(archive: number, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(`${api.origin}/api/archives/${archive}/content`, {
    headers: { 'x-auth-accesskey': ADA.key, ...headers },
  })
  return Buffer.from(await answer.arrayBuffer())
}

async function archived(): Promise<{ id: number; files: Map<string, string> }> {
  await remove()
  await runJobs(context)
  const [archive] = await list()
  return { id: archive.id, files: unzip(await download(archive.id)) }
}

describe('an archive', () => {
  test('is queued by the deletion, and written by its job', async () => {
    await remove()
    const waiting = await list()
    expect(waiting).toEqual([
      {
        id: expect.any(Number),
        uri: `archives/${waiting[0].id}`,
        resources: [],
        artifact: { id, xref: `delivery #${id}` },
        tracker: { id: tracker.id, label: 'Deliveries' },
        project: { id: ORCHARD, label: 'Orchard' },
        deleted_by: { id: MARA.id, username: 'mara' },
        deleted_on: '2026-03-01T09:30:00+00:00',
        purge_on: '2026-03-31T09:30:00+00:00',
        state: 'waiting',
        written_on: null,
        size: null,
        sha256: null,
        file_name: null,
      },
    ])
    expect(await api.get(`/archives/${waiting[0].id}/content`, { as: ADA })).toMatchObject(refused(404, 'not_set'))
    clock.advance(4000)
    await runJobs(context)

    const bytes = await download(waiting[0].id)
    const { json } = await api.get(`/archives/${waiting[0].id}`, { as: ADA })
    expect(json).toEqual({
      ...waiting[0],
      resources: [{ type: 'content', uri: `archives/${waiting[0].id}/content` }],
      state: 'written',
      written_on: '2026-03-01T09:30:04+00:00',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_name: `deleted__artifact_${id}_1772357404.zip`,
    })
    expect(await audited(context, 'archive.read')).toMatchObject([
      { actor_id: ADA.id, object: `archives/${waiting[0].id}`, project_id: ORCHARD },
    ])
  })

  test('is not created if disabled, nor for a dry run', async () => {
    await api.delete(`/artifacts/${id}?dry_run=true`, { as: MARA })
    await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: false } })
    await remove()
    expect(await list()).toEqual([])
  })

  test('contains the structure and every version, and refers to people by id', async () => {
    const comment = { body: 'Sealed &amp; dried', format: 'commonmark', ugroups: [`${ORCHARD}_4`] }
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { status: 'Closed', points: '' }, comment },
    })
    const { files } = await archived()

    expect([...files.keys()]).toEqual(['artifact.xml', 'people.xml'])
    const document = files.get('artifact.xml') ?? ''
    expect(parseXml(document)).toMatchObject({
      name: 'trackers',
      children: [{ name: 'tracker' }, { name: 'artifacts' }],
    })
    for (const part of [
      `<tracker id="T${tracker.id}"><format>waypost-tracker/1</format><label>Deliveries</label>`,
      `<artifacts><artifact id="${id}"><changeset id="CHANGESET_`,
      `<submitted_by format="id">${MARA.id}</submitted_by>`,
      '<submitted_on format="ISO8601">2026-03-01T09:30:00+00:00</submitted_on><comments/>',
      '<field_change field_name="summary" type="string"><value>Pump &lt;leaks&gt; &amp; "more"</value></field_change>',
      '<field_change field_name="details" type="text"><value format="html">&lt;b&gt;wet&lt;/b&gt;</value></field_change>',
      '<field_change field_name="points" type="int"><value>5</value></field_change>',
      '<field_change field_name="points" type="int"><value/></field_change>',
      '<field_change field_name="due" type="date"><value>2026-03-09</value></field_change>',
      `type="list" bind="static"><value format="id" label="Apple">${tracker.value('fruits', 'Apple')}</value><value`,
      `<field_change field_name="assigned_to" type="list" bind="users"><value format="id">${TOM.id}</value></field_change>`,
      '<field_change field_name="team" type="list" bind="ugroups"><value format="id" label="leads">',
      'type="open_list" bind="static"><value format="id" label="cold">',
      '<value format="label">slippery</value>',
      'type="permissions_on_artifact" use_perm="1"><ugroup ugroup_name="@members"/></field_change>',
      '<field_change field_name="remaining" type="computed"><manual_value>2.5</manual_value></field_change>',
      '<body format="commonmark">Sealed &amp;amp; dried</body><private_ugroups><ugroup ugroup_name="@admins"/>',
    ])
      expect(document).toContain(part)
    expect(document).not.toMatch(/mara|Keller|tom\b|Tiller/)
    expect(files.get('people.xml')).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<people>' +
        `<user id="${MARA.id}"><username>mara</username><real_name>Mara Keller</real_name></user>` +
        `<user id="${TOM.id}"><username>tom</username><real_name>Tom Tiller</real_name></user></people>`,
    )
  })

  test('can be downloaded in ranges', async () => {
    const { id: archive } = await archived()
    const whole = await download(archive)
    const part = await fetch(`${api.origin}/api/archives/${archive}/content`, {
      headers: { 'x-auth-accesskey': ADA.key, range: 'bytes=10-19' },
    })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
    expect(await download(archive, { range: 'bytes=-5' })).toEqual(whole.subarray(-5))
    expect(await download(archive, { range: `bytes=${whole.length - 3}-` })).toEqual(whole.subarray(-3))
    expect(await download(archive, { range: 'bytes=0-1,4-5' })).toEqual(whole)
    const outside = await api.get(`/archives/${archive}/content`, { as: ADA, headers: { range: 'bytes=999999-' } })
    expect(outside).toMatchObject(refused(416, 'range_not_satisfiable'))
    expect(outside.headers['content-range']).toBe(`bytes */${whole.length}`)
    const answer = await fetch(`${api.origin}/api/archives/${archive}/content`, {
      headers: { 'x-auth-accesskey': ADA.key },
    })
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      'application/zip',
      expect.stringMatching(/^attachment; filename="deleted__artifact_\d+_\d+\.zip"$/),
    ])
  })
})

describe('the list of archives', () => {
  test('is for site administrators, can be filtered, and has pages', async () => {
    await archived()
    const second = await makeTestArtifact(api, tracker, { summary: 'Second' })
    clock.advance(DAY)
    await remove(second)
    const found = async (query: string) =>
      (await list(query)).map((each: { artifact: { id: number } }) => each.artifact.id)
    expect(await found('')).toEqual([second, id])
    expect(await found('state=written')).toEqual([id])
    expect(await found('state=waiting')).toEqual([second])
    expect(await found(`artifact=${id}&tracker=${tracker.id}&project=${ORCHARD}&deleted_by=${MARA.id}`)).toEqual([id])
    expect(await found('project=1')).toEqual([])
    expect(await found('to=2026-03-02')).toEqual([id])
    expect(await found('from=2026-03-02')).toEqual([second])
    const page = await api.get('/archives?limit=1', { as: ADA })
    expect([page.headers['x-pagination-size'], page.json.length]).toEqual(['2', 1])
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    expect((await api.get(next, { as: ADA })).json).toMatchObject([{ artifact: { id } }])
    expect((await api.get('/archives.xml', { as: ADA })).text).toContain('<state>waiting</state>')
    for (const path of ['', '/1', '/1/content'])
      expect(await api.get(`/archives${path}`, { as: MARA })).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.get('/archives/999999', { as: ADA })).toMatchObject(refused(404, 'not_found'))
    expect(await api.get('/archives/999999/content', { as: ADA })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('an archive over time', () => {
  test('that cannot be written parks its job, and is reported', async () => {
    await remove()
    const broken = defineJob({ ...archiveJob, run: () => Promise.reject(new Error('no room')) })
    await sql`update job set attempts = 8 where type = 'artifact_archive'`.execute(db)
    await runJobs(context, [broken])
    const [archive] = await list()
    expect(archive.state).toBe('failed')
    const job = await api.get(`/jobs/${archive.job_id}`, { as: ADA })
    expect(job.json).toMatchObject({ type: 'artifact_archive', state: 'parked', object: `artifacts/${id}` })
    await api.post(`/jobs/${archive.job_id}/retry`, { as: ADA })
    await runJobs(context)
    expect(await stateOf()).toBe('written')
  })

  test('of a restored artifact stays, and says so; one not yet written is dropped', async () => {
    await archived()
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    expect(await list()).toMatchObject([{ state: 'restored', purge_on: null, size: expect.any(Number) }])
    await remove()
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    await runJobs(context)
    expect(await list()).toMatchObject([{ state: 'restored', size: null }, { state: 'restored' }])
  })

  test('with a retention period loses its content, but keeps its row', async () => {
    await api.patch('/settings', { as: ADA, body: { archive_retention_days: 7 } })
    const { id: archive } = await archived()
    const cleanUp = async () => {
      await inTransaction(db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
      await runJobs(context)
    }
    clock.advance(7 * DAY - 1)
    await cleanUp()
    expect(await stateOf()).toBe('written')
    clock.advance(1)
    await cleanUp()
    expect(await stateOf()).toBe('expired')
    expect(await api.get(`/archives/${archive}/content`, { as: ADA })).toMatchObject(refused(404, 'not_set'))
    const { rows } = await sql`select document, people from artifact_archive`.execute(db)
    expect(rows).toEqual([{ document: null, people: null }])
  })

  test('of an artifact that is purged early is written before the purge', async () => {
    await remove()
    expect((await api.delete(`/artifacts/${id}?purge=true`, { as: ADA })).status).toBe(200)
    const [archive] = await list()
    expect(archive.state).toBe('written')
    await runJobs(context)
    expect(unzip(await download(archive.id)).get('artifact.xml')).toContain('Pump')
    const { rows } = await sql`select from job where state not in ('done')`.execute(db)
    expect(rows).toEqual([])
  })

  test('that is written twice is identical', async () => {
    const { id: archive } = await archived()
    const before = await list()
    clock.advance(1000)
    await inTransaction(db, (tx) =>
      enqueueJob(tx, { type: 'artifact_archive', payload: { archive_id: archive } }, null),
    )
    await runJobs(context, JOBS)
    expect(await list()).toEqual(before)
  })
})

describe('people in archives', () => {
  const peopleIn = async (archive: number) => unzip(await download(archive)).get('people.xml') ?? ''

  test('get their new names after a change', async () => {
    const { id: archive, files } = await archived()
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { username: 'thomas' } })
    await api.patch(`/users/${UMA.id}`, { as: ADA, body: { real_name: 'Uma Over' } })
    const { rows } = await sql`select type, object from job where state = 'waiting'`.execute(db)
    expect(rows).toEqual([{ type: 'rename', object: `users/${TOM.id}` }])
    await runJobs(context)

    expect(await peopleIn(archive)).toContain('<username>thomas</username>')
    const bytes = await download(archive)
    expect(unzip(bytes).get('artifact.xml')).toBe(files.get('artifact.xml'))
    expect(await list()).toMatchObject([
      { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ])
  })

  test('are anonymized when they are erased', async () => {
    const { id: archive } = await archived()
    expect((await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'tom' } })).status).toBe(200)
    await runJobs(context)

    const people = await peopleIn(archive)
    expect(people).toContain(`<user id="${TOM.id}"><username>erased-${TOM.id}</username><real_name>Erased user<`)
    expect(people).not.toMatch(/tom|Tiller/)
  })
})
