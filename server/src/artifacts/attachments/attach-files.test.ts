import { beforeEach, describe, expect, test } from 'vitest'
import {
  ATTACHMENT_TRACKER,
  announceForField,
  fileIdsInField,
  makeRepairs,
  readWhole,
  type Repairs,
  uploadInChunks,
} from '../../../test/fixtures/attachments.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock } = await startWorld()
let repairs: Repairs
let id: number

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
  id = await repairs.make()
})

const put = (item: object, as = MARA, name?: string) => repairs.put(id, as, item, name)
const versions = async () => (await api.get(`/artifacts/${id}/changesets`, { as: MARA })).json.length

describe('a file field', () => {
  test('is described with the upload address and the maximum size', async () => {
    const { json } = await api.get(`/trackers/${repairs.id}`, { as: MARA })
    const field_id = repairs.field('attachment')
    expect(json.fields.find((each: { field_id: number }) => each.field_id === field_id)).toMatchObject({
      type: 'file',
      values: null,
      default_value: null,
      specific_properties: {},
      file_creation_uri: `tracker_fields/${field_id}/files`,
      max_size_upload: 1_073_741_824,
    })
  })

  test('shows nothing before its first file, then the description of its files', async () => {
    expect(await repairs.files(id)).toBeUndefined()
    const file = await uploadInChunks(api, MARA, {
      name: 'engine part.png',
      type: 'image/png',
      description: 'Left side',
    })
    const { status, json } = await put({ value: [file] })
    expect(status).toBe(200)
    expect(json.values[1]).toEqual({
      field_id: repairs.field('attachment'),
      type: 'file',
      label: 'attachment',
      file_descriptions: [
        {
          id: file,
          submitted_by: MARA.id,
          description: 'Left side',
          name: 'engine part.png',
          size: 16,
          type: 'image/png',
          html_url: `/files/${file}/engine%20part.png`,
          html_preview_url: `/files/${file}/preview`,
          uri: `artifact_files/${file}`,
        },
      ],
    })
    await put({ value: [] })
    expect(await repairs.files(id)).toEqual([])
  })

  test('accepts files of a new artifact, also by field name', async () => {
    const [one, other, third] = [
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
    ]
    const made = await repairs.make({ attachment: { value: [other, one] }, drawings: [third] })
    expect(await repairs.files(made)).toEqual([other, one])
    expect(await repairs.files(made, 'drawings')).toEqual([third])
  })

  test('keeps the order of its list and counts each file once', async () => {
    const [one, other] = [await uploadInChunks(api, MARA), await uploadInChunks(api, MARA)]
    await put({ value: [other, one, other, String(one)] })
    expect(await repairs.files(id)).toEqual([other, one])
    await put({ value: [one, other] })
    expect([await repairs.files(id), await versions()]).toEqual([[one, other], 3])
    const third = await uploadInChunks(api, MARA)
    await put({ value: [third, one, other] })
    expect(await repairs.files(id)).toEqual([third, one, other])
  })

  test('is the complete list: omitted files are detached from this field only', async () => {
    const [one, other, third] = [
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
    ]
    await put({ value: [one, other] })
    await put({ value: [third] }, MARA, 'drawings')
    await put({ value: [other] })
    expect([await repairs.files(id), await repairs.files(id, 'drawings')]).toEqual([[other], [third]])
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary: 'Still leaks' } } })
    expect(await repairs.files(id)).toEqual([other])
  })

  test('accepts added and removed files without knowing the others', async () => {
    const [one, other, third] = [
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
      await uploadInChunks(api, MARA),
    ]
    await put({ value: [one, other] })
    await put({ add: [third, other], remove: [one] })
    expect(await repairs.files(id)).toEqual([other, third])
    await put({ remove: [other, 999_999] })
    expect(await repairs.files(id)).toEqual([third])
    expect((await put({ add: [third] })).status).toBe(200)
    expect(await versions()).toBe(4)
    expect(await put({ value: [third], add: [one] })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'file_forms_conflict', path: 'values[0].add' }),
    )
  })

  test('is unchanged when sent back as read; with a list as well, the list wins', async () => {
    const [one, other] = [await uploadInChunks(api, MARA), await uploadInChunks(api, MARA)]
    const { json } = await put({ value: [one] })
    const [, { file_descriptions }] = json.values
    expect((await put({ file_descriptions })).status).toBe(200)
    expect(await versions()).toBe(2)
    expect(await put({ file_descriptions: [] })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'value_missing' }),
    )
    await put({ file_descriptions, value: [one, other] })
    expect(await repairs.files(id)).toEqual([one, other])
  })

  test.each([[41], ['some'], [{ id: 41 }], [true]])('refuses %j, which is not a list', async (value) => {
    expect(await put({ value })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'not_an_array', path: 'values[0].value' }),
    )
  })

  test('refuses a list of other types, and one that is too long', async () => {
    expect(await put({ value: ['engine.png'] })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'not_a_number', path: 'values[0].value[0]' }),
    )
    const many = Array.from({ length: 1001 }, (_, at) => at + 1)
    expect(await put({ value: many })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'too_many', allowed: { maximum: 1000 } }),
    )
  })

  test('that is required cannot be emptied', async () => {
    const elements = ATTACHMENT_TRACKER.elements.map((each) => ({ ...each, required: each.name === 'attachment' }))
    const strict = await makeRepairs(api, MARA, { ...ATTACHMENT_TRACKER, item_name: 'strict', elements })
    const body = { tracker: { id: strict.id }, values_by_field: { summary: 'Without' } }
    expect(await api.post('/artifacts', { as: MARA, body })).toMatchObject(refused(400, 'field_required'))
    const file = await uploadInChunks(api, MARA)
    const made = await strict.make({ attachment: [file] })
    expect(await strict.put(made, MARA, { value: [] })).toMatchObject(
      refused(400, 'field_required', { path: 'values[0].value' }),
    )
    expect(await strict.put(made, MARA, { remove: [file] })).toMatchObject(
      refused(400, 'field_required', { path: 'values[0].remove' }),
    )
  })

  test('is read and written as XML too', async () => {
    const [one, other] = [await uploadInChunks(api, MARA), await uploadInChunks(api, MARA)]
    const xml = (list: string) =>
      `<request><values><item><field_id>${repairs.field('attachment')}</field_id><value>${list}</value></item></values></request>`
    const send = (list: string) =>
      api.put(`/artifacts/${id}`, { as: MARA, headers: { 'content-type': 'application/xml' }, body: xml(list) })
    expect((await send(`<item>${one}</item><item>${other}</item>`)).status).toBe(200)
    expect(await repairs.files(id)).toEqual([one, other])
    expect((await send(`<item>${other}</item>`)).status).toBe(200)
    expect(await repairs.files(id)).toEqual([other])
    expect((await send('')).status).toBe(200)
    expect(await repairs.files(id)).toEqual([])
  })
})

describe('a file can be attached', () => {
  const notFound = refused(404, 'not_found', { cause: 'file_not_found' })

  test('Z13 by its uploader only: a file of another account is as unknown as a missing one', async () => {
    const file = await uploadInChunks(api, TOM)
    const [foreign, unknown] = [await put({ value: [file] }), await put({ value: [999_999] })]
    expect(foreign).toMatchObject(notFound)
    expect(foreign.json.error.details).toEqual(unknown.json.error.details)
    expect(unknown).toMatchObject(notFound)
    expect(await put({ value: [0] })).toMatchObject(notFound)
    expect(await put({ value: [-1] })).toMatchObject(notFound)
    expect((await put({ value: [file] }, ADA)).status).toBe(404)
    expect((await put({ value: [file] }, TOM)).status).toBe(200)
  })

  test('until it expires', async () => {
    const file = await uploadInChunks(api, MARA)
    clock.advance(73 * 3_600_000)
    expect(await put({ value: [file] })).toMatchObject(notFound)
  })

  test('when its upload is complete, and for the field that it was announced for', async () => {
    const started = await announceForField(api, MARA, repairs.field('attachment'), 10)
    expect(await put({ value: [started] })).toMatchObject(
      refused(400, 'value_not_allowed', { cause: 'file_incomplete', path: 'values[0].value[0]' }),
    )
    const empty = await announceForField(api, MARA, repairs.field('attachment'), 0)
    expect(await put({ value: [empty] }, MARA, 'drawings')).toMatchObject(
      refused(400, 'value_not_allowed', { cause: 'file_of_another_field' }),
    )
    expect((await put({ value: [empty] })).status).toBe(200)
    expect(await repairs.files(id)).toEqual([empty])
  })

  test('Z14 once: only a caller who may read it there learns that it is attached', async () => {
    const [file, secret] = [await uploadInChunks(api, TOM), await uploadInChunks(api, MARA)]
    await put({ value: [file] }, TOM)
    await put({ value: [secret] }, MARA, 'secrets')
    const another = await repairs.make()
    const attached = refused(400, 'value_not_allowed', { cause: 'file_already_attached' })
    expect(await repairs.put(another, UMA, { value: [file] })).toMatchObject(attached)
    expect(await repairs.put(id, TOM, { value: [file] }, 'drawings')).toMatchObject(attached)
    expect(await repairs.put(another, MARA, { value: [secret] })).toMatchObject(attached)
    expect(await repairs.put(another, TOM, { value: [secret] })).toMatchObject(notFound)

    const restriction = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
    const hide = await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { seen_by: restriction } } })
    expect(hide.status).toBe(200)
    expect(await repairs.put(another, TOM, { value: [file] })).toMatchObject(notFound)
    expect(await repairs.put(another, MARA, { value: [file] })).toMatchObject(attached)
  })

  test('only with permission on the field, which is checked first', async () => {
    const [file, another] = [await uploadInChunks(api, TOM), await uploadInChunks(api, MARA)]
    const notWritable = refused(400, 'field_not_writable', { cause: 'field_not_updatable' })
    expect(await put({ value: [file] }, TOM, 'shown_only')).toMatchObject(notWritable)
    expect(await put({ value: [another] }, TOM, 'shown_only')).toMatchObject(notWritable)
    expect(await put({ value: [] }, TOM, 'shown_only')).toMatchObject({ status: 200 })
    expect(await put({ value: [file] }, TOM, 'secrets')).toMatchObject(
      refused(400, 'reference_unknown', { cause: 'field_unknown' }),
    )
    expect((await put({ value: [file] }, TOM)).status).toBe(200)
  })

  test('again where it was: a detached file can be restored', async () => {
    const file = await uploadInChunks(api, TOM)
    await put({ value: [file] }, TOM)
    await put({ value: [] }, TOM)
    expect((await put({ value: [file] }, UMA)).status).toBe(200)
    expect(await repairs.files(id)).toEqual([file])
  })

  test('and stays free when the write fails', async () => {
    const file = await uploadInChunks(api, MARA)
    const field_id = repairs.field('attachment')
    const wrong = {
      values: [
        { field_id, value: [file] },
        { field_id: repairs.field('summary'), value: 'a\nb' },
      ],
    }
    expect((await api.put(`/artifacts/${id}`, { as: MARA, body: wrong })).status).toBe(400)
    const stale = {
      as: MARA,
      headers: { 'if-match': '"artifact-1-v9"' },
      body: { values: [{ field_id, value: [file] }] },
    }
    expect((await api.put(`/artifacts/${id}`, stale)).status).toBe(412)
    const { json } = await api.get('/artifact_temporary_files', { as: MARA })
    expect(json).toMatchObject([{ id: file }])
    expect((await put({ value: [file] })).status).toBe(200)
    expect((await api.get('/artifact_temporary_files', { as: MARA })).json).toEqual([])
  })

  test('with all problems reported at once', async () => {
    const { status, json } = await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: {
        values: [
          { field_id: repairs.field('drawings'), value: [999_999] },
          { field_id: repairs.field('summary'), value: 'a\nb' },
        ],
      },
    })
    expect(status).toBe(400)
    expect(json.error.details.all).toMatchObject([
      { reason: 'value_invalid', name: 'summary' },
      { reason: 'not_found', cause: 'file_not_found', name: 'drawings', path: 'values[0].value[0]' },
    ])
  })

  test('under an idempotency key once, however often it is sent', async () => {
    const file = await uploadInChunks(api, MARA)
    const send = () =>
      api.put(`/artifacts/${id}`, {
        as: MARA,
        headers: { 'idempotency-key': 'attach-it' },
        body: { values: [{ field_id: repairs.field('attachment'), value: [file] }] },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    expect(await versions()).toBe(2)
    expect((await readWhole(api, TOM, file)).toString()).toBe('Hello, Waypost!\n')
  })
})

describe('a dry run', () => {
  test('attaches nothing, and reports the files that would be attached', async () => {
    const file = await uploadInChunks(api, MARA)
    const { status, json } = await api.put(`/artifacts/${id}?dry_run=true`, {
      as: MARA,
      body: { values: [{ field_id: repairs.field('attachment'), value: [file] }] },
    })
    expect(status).toBe(200)
    expect(json.dry_run.changes[0].fields).toMatchObject([
      { name: 'attachment', before: null, after: { file_descriptions: [{ id: file, name: 'core.log' }] } },
    ])
    expect(await repairs.files(id)).toBeUndefined()
    expect((await api.get('/artifact_temporary_files', { as: MARA })).json).toMatchObject([{ id: file }])
    expect((await put({ value: [file] })).status).toBe(200)
  })

  test('refuses everything that the write would refuse', async () => {
    const body = { values: [{ field_id: repairs.field('attachment'), value: [await uploadInChunks(api, TOM)] }] }
    expect((await api.put(`/artifacts/${id}?dry_run=true`, { as: MARA, body })).status).toBe(404)
  })
})

describe('the history', () => {
  test('shows the files of each version, and detached files stay readable', async () => {
    const [one, other] = [
      await uploadInChunks(api, MARA, { content: 'one' }),
      await uploadInChunks(api, MARA, { content: 'other' }),
    ]
    await put({ value: [one] })
    await put({ value: [other] })
    await put({ value: [] })
    const { json } = await api.get(`/artifacts/${id}/changesets?diff=true`, { as: TOM })
    const field = repairs.field('attachment')
    expect(json.map(({ values }: { values: [] }) => fileIdsInField(values, field))).toEqual([
      undefined,
      [one],
      [other],
      [],
    ])
    expect(json[2].changes).toMatchObject([
      { field_id: field, before: { file_descriptions: [{ id: one }] }, after: { file_descriptions: [{ id: other }] } },
    ])
    const then = await api.get(`/artifacts/${id}?version=2`, { as: TOM })
    expect(fileIdsInField(then.json.values, field)).toEqual([one])
    expect((await readWhole(api, TOM, one)).toString()).toBe('one')
    expect((await readWhole(api, undefined, other)).toString()).toBe('other')
  })
})

describe('a project', () => {
  test('has a quota, which counts detached files too', async () => {
    await api.patch('/settings', { as: ADA, body: { project_disk_quota: 1024 } })
    const [one, other] = [
      await uploadInChunks(api, MARA, { content: Buffer.alloc(600) }),
      await uploadInChunks(api, MARA, { content: Buffer.alloc(425) }),
    ]
    expect((await put({ value: [one] })).status).toBe(200)
    expect((await put({ value: [] })).status).toBe(200)
    expect(await put({ value: [other] })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'project_quota_exceeded', allowed: { maximum: 1024 } }),
    )
    expect(await repairs.files(id)).toEqual([])
    const small = await uploadInChunks(api, MARA, { content: Buffer.alloc(424) })
    expect((await put({ value: [one, small] })).status).toBe(200)
  })
})
