import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  ATTACHMENT_TRACKER,
  makeRepairs,
  readWhole,
  type Repairs,
  uploadInChunks,
} from '../../../test/fixtures/attachments.ts'
import { requireSound } from '../../../test/harness/auditor.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { QUARRY } from '../../../test/fixtures/seed-ids.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { unzip } from '../../../test/harness/unzip.ts'
import { contentKey } from '../../files/store/blob-store.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { cleanTrash } from '../trash/clean-trash.ts'

const { api, context, clock } = await startWorld()
const { db } = context
let repairs: Repairs
let id: number
let file: number
let detached: number

const DAY = 86_400_000

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
  file = await uploadInChunks(api, MARA, {
    name: 'pump & co.txt',
    content: 'Pump leaks.\n',
    description: 'Seen <today>',
  })
  detached = await uploadInChunks(api, MARA, { name: 'old.txt', content: 'Old.\n' })
  id = await repairs.make({ summary: 'Pump leaks', attachment: [detached] })
  await repairs.put(id, MARA, { value: [file] })
})

afterEach(() => requireSound(context, 'file'))

const filesLeft = async () => (await sql<{ id: number }>`select id from file order by id`.execute(db)).rows.length
const read = (which: number, as = TOM) => api.get(`/artifact_files/${which}`, { as })

describe('a copy', () => {
  test('has files of its own with the same content', async () => {
    const { status, json } = await api.post(`/artifacts/${id}/copy`, { as: TOM, body: {} })
    expect(status).toBe(201)
    const [copy = 0] = (await repairs.files(json.id)) ?? []
    expect(copy).not.toBe(file)
    expect(json.values[1].file_descriptions).toMatchObject([
      { id: copy, name: 'pump & co.txt', description: 'Seen <today>', submitted_by: TOM.id },
    ])
    expect(json.copied.fields_copied).toMatchObject([{ name: 'summary' }, { name: 'attachment' }])
    expect((await readWhole(api, TOM, copy)).toString()).toBe('Pump leaks.\n')
    const { rows: contents } = await sql`select distinct digest from file where id in (${file}, ${copy})`.execute(db)
    expect(contents.length).toBe(1)
    await repairs.put(id, MARA, { value: [] })
    expect(await repairs.files(json.id)).toEqual([copy])
  })

  test('omits them if asked, or if other files are given', async () => {
    const without = await api.post(`/artifacts/${id}/copy`, { as: MARA, body: { files: false } })
    expect(await repairs.files(without.json.id)).toBeUndefined()
    expect(without.json.copied.fields_not_copied).toMatchObject([{ name: 'attachment' }])
    const another = await uploadInChunks(api, MARA)
    const body = { values_by_field: { attachment: [another] } }
    const other = await api.post(`/artifacts/${id}/copy`, { as: MARA, body })
    expect(await repairs.files(other.json.id)).toEqual([another])
  })

  test('has only files that its author may read', async () => {
    const secret = await uploadInChunks(api, MARA)
    await repairs.put(id, MARA, { value: [secret] }, 'secrets')
    const { json } = await api.post(`/artifacts/${id}/copy`, { as: TOM, body: {} })
    expect(await repairs.files(json.id, 'secrets')).toBeUndefined()
  })

  test('in a dry run shows files without ids, and creates none', async () => {
    const before = await filesLeft()
    const { json } = await api.post(`/artifacts/${id}/copy?dry_run=true`, { as: MARA, body: {} })
    expect(json.dry_run.would_answer.values[1].file_descriptions).toMatchObject([
      { id: null, name: 'pump & co.txt', html_url: null, uri: null },
    ])
    expect(await filesLeft()).toBe(before)
  })
})

describe('a move', () => {
  test('keeps the files in the field of the same name, including past ones', async () => {
    const permissions = { read: ['@members'], submit: ['@members'], update: ['@members'] }
    const elements = ATTACHMENT_TRACKER.elements.map((each) =>
      each.name === 'attachment' ? { ...each, permissions } : each,
    )
    const there = await makeRepairs(api, MARA, { ...ATTACHMENT_TRACKER, item_name: 'shop', elements })
    const move = (tracker_id: number) => api.patch(`/artifacts/${id}`, { as: MARA, body: { move: { tracker_id } } })
    expect((await api.get(`/artifact_files/${file}`)).status).toBe(200)
    expect((await move(there.id)).status).toBe(200)
    expect(await there.files(id)).toEqual([file])
    expect([(await read(file)).status, (await read(detached)).status]).toEqual([200, 200])
    expect((await api.get(`/artifact_files/${file}`)).status).toBe(401)
    expect((await there.put(id, MARA, { add: [detached] })).status).toBe(200)
    expect((await move(repairs.id)).status).toBe(200)
    expect(await repairs.files(id)).toEqual([file, detached])
    expect((await api.get(`/artifact_files/${detached}`)).status).toBe(200)
  })

  test('transfers them to the other project', async () => {
    const definition = { ...ATTACHMENT_TRACKER, item_name: 'far' }
    const there = await api.post(`/projects/${QUARRY}/trackers`, { as: ADA, body: definition })
    const move = { tracker_id: there.json.id }
    expect((await api.patch(`/artifacts/${id}`, { as: ADA, body: { move } })).status).toBe(200)
    expect((await read(file, ADA)).status).toBe(200)
    expect((await read(file, MARA)).status).toBe(404)
    const { rows } = await sql`select distinct project_id from artifact_file`.execute(db)
    expect(rows).toEqual([{ project_id: QUARRY }])
  })

  test('to a tracker without such a field hides them', async () => {
    const elements = ATTACHMENT_TRACKER.elements.filter(({ name }) => name === 'summary')
    const there = await makeRepairs(api, MARA, { ...ATTACHMENT_TRACKER, item_name: 'bare', elements })
    await api.patch(`/artifacts/${id}`, { as: MARA, body: { move: { tracker_id: there.id } } })
    expect((await read(file, MARA)).status).toBe(404)
  })
})

describe('the trash', () => {
  const purge = () => api.delete(`/artifacts/${id}?purge=true`, { as: ADA })

  test('keeps files until the artifact is purged, and ignores its free files', async () => {
    const free = await uploadInChunks(api, MARA)
    await api.delete(`/artifacts/${id}`, { as: MARA })
    expect(await filesLeft()).toBe(3)
    expect((await purge()).status).toBe(200)
    expect(await filesLeft()).toBe(1)
    expect((await read(free, MARA)).status).toBe(200)
    expect((await read(file, MARA)).status).toBe(404)
  })

  test('purges them with the job, too', async () => {
    await api.delete(`/artifacts/${id}`, { as: MARA })
    clock.advance(31 * DAY)
    await inTransaction(db, (tx) => enqueueJob(tx, { type: 'artifact_purge', payload: {} }, null))
    await runJobs(context)
    expect(await filesLeft()).toBe(0)
  })
})

describe('an archive', () => {
  const download = async (archive: number, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${api.origin}/api/archives/${archive}/content`, {
      headers: { 'x-auth-accesskey': ADA.key, ...headers },
    })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  const archived = async () => {
    await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await runJobs(context)
    return (await api.get('/archives', { as: ADA })).json[0]
  }

  test('has the files of all versions, with their names', async () => {
    const archive = await archived()
    const { bytes, headers } = await download(archive.id)
    expect(archive).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(headers.get('content-length')).toBe(String(bytes.length))
    const files = unzip(bytes)
    expect([...files.keys()]).toEqual([
      'artifact.xml',
      'people.xml',
      ...[file, detached].toSorted((one, other) => one - other).map((each) => `data/Artifact${each}`),
    ])
    expect(files.get(`data/Artifact${file}`)).toBe('Pump leaks.\n')
    expect(files.get(`data/Artifact${detached}`)).toBe('Old.\n')
    const document = files.get('artifact.xml')
    expect(document).toContain(
      `<field_change field_name="attachment" type="file"><value ref="fileinfo_${detached}"/></field_change>`,
    )
    expect(document).toContain(
      `</changeset><file id="fileinfo_${file}"><filename>pump &amp; co.txt</filename><path>data/Artifact${file}</path><filesize>12</filesize><filetype>text/plain</filetype><description>Seen &lt;today&gt;</description></file>`,
    )
  })

  test('is not written while a file is missing, and waits for it', async () => {
    const { rows } = await sql<{ digest: string }>`select digest from file where id = ${file}`.execute(db)
    const key = contentKey(rows[0]?.digest ?? '')
    await context.blobs.remove(key)
    expect((await archived()).state).not.toBe('written')
    await context.blobs.put(key, Readable.from([Buffer.from('Pump leaks.\n')]))
    clock.advance(DAY)
    await runJobs(context)
    const archive = (await api.get('/archives', { as: ADA })).json[0]
    expect(archive.state).toBe('written')
    expect(unzip((await download(archive.id)).bytes).get(`data/Artifact${file}`)).toBe('Pump leaks.\n')
  })

  test('can be read in ranges', async () => {
    const { id: archive, size } = await archived()
    const { bytes: whole } = await download(archive)
    for (const [first, last] of [
      [0, 0],
      [100, 2000],
      [size - 300, size - 1],
    ]) {
      const { status, bytes, headers } = await download(archive, { range: `bytes=${first}-${last}` })
      expect(status).toBe(206)
      expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`)
      expect(bytes.equals(whole.subarray(first, Number(last) + 1))).toBe(true)
    }
    expect((await download(archive, { range: `bytes=${size}-` })).status).toBe(416)
  })

  test('keeps the files of a purged artifact until it expires', async () => {
    const { id: archive, sha256 } = await archived()
    expect((await purgeNow()).status).toBe(200)
    expect(await filesLeft()).toBe(2)
    const { bytes } = await download(archive)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    expect((await read(file, ADA)).status).toBe(404)

    await expire()
    expect(await filesLeft()).toBe(0)
  })

  test('that expires keeps files that the artifact still has', async () => {
    await archived()
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    await expire()
    expect(await repairs.files(id)).toEqual([file])
    expect((await readWhole(api, TOM, file)).toString()).toBe('Pump leaks.\n')
  })

  const purgeNow = () => api.delete(`/artifacts/${id}?purge=true`, { as: ADA })

  async function expire(): Promise<void> {
    await api.patch('/settings', { as: ADA, body: { archive_retention_days: 5 } })
    clock.advance(6 * DAY)
    expect((await api.get('/archives', { as: ADA })).json[0].state).not.toBe('expired')
    await inTransaction(db, (tx) => cleanTrash(tx, context, clock.now()))
    expect((await api.get('/archives', { as: ADA })).json[0].state).toBe('expired')
  }
})

describe('lists and tables', () => {
  test('name the files of each artifact', async () => {
    const csv = await api.get(`/trackers/${repairs.id}/artifacts?values=all`, {
      as: MARA,
      headers: { accept: 'text/csv' },
    })
    expect(csv.text).toContain('pump & co.txt')
    const { json } = await api.get(`/trackers/${repairs.id}/artifacts?values=all`, { as: MARA })
    expect(json[0].values[1].file_descriptions).toMatchObject([{ id: file }])
  })
})

describe('a search', () => {
  let other: number

  beforeEach(async () => {
    other = await repairs.make({ summary: 'Nothing attached' })
  })

  const found = async (query: string, key = 'expert_query') => {
    const { json } = await api.get(`/trackers/${repairs.id}/artifacts?${key}=${encodeURIComponent(query)}`, { as: TOM })
    return json.map((each: { id: number }) => each.id)
  }

  test.each([
    ['attachment = "PUMP & co"', ['it']],
    ['attachment = "today"', ['it']],
    ['attachment = "old.txt"', []],
    ['attachment != "pump"', ['other']],
    ['attachment = ""', ['other']],
    ['attachment != ""', ['it']],
    ['attachment = "%"', []],
  ])('for %s finds current attachments', async (query, names) => {
    expect(await found(query)).toEqual(names.map((name) => (name === 'it' ? id : other)))
  })

  test('of the past finds the attachments of that time', async () => {
    clock.advance(DAY)
    await repairs.put(id, MARA, { value: [] })
    clock.advance(DAY)
    expect(await found('attachment = "pump" AS OF "2026-03-01 20:00"')).toEqual([id])
    expect(await found('attachment = "pump" AS OF "2026-03-02 20:00"')).toEqual([])
    expect(await found('attachment != "" AS OF "2026-03-01 20:00"')).toEqual([id])
  })

  test.each(['"nowhere"', '{"operator":"=","value":"x"}'])(
    'ignores the criterion %s, and reports it',
    async (value) => {
      const criteria = encodeURIComponent(`{"attachment":${value}}`)
      for (const suffix of ['', '.ndjson', '.csv']) {
        const path = `/trackers/${repairs.id}/artifacts${suffix}?query=${criteria}`
        const { status, headers } = await api.get(path, { as: TOM, headers: { accept: '*/*' } })
        const reported = [status, headers['x-pagination-size'], headers['x-criteria-ignored']]
        expect(reported).toEqual([200, '2', 'attachment'])
      }
    },
  )

  test('refuses to sort by files', async () => {
    const answer = await api.get(
      `/trackers/${repairs.id}/artifacts?expert_query=${encodeURIComponent('attachment > "a"')}`,
      {
        as: TOM,
      },
    )
    expect(answer.status).toBe(400)
  })
})
