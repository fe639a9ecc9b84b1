import { beforeEach, describe, expect, test } from 'vitest'
import { announceForField, makeRepairs, type Repairs, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'

const { api, clock } = await startWorld()
let repairs: Repairs
let id: number
let file: number

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
  file = await uploadInChunks(api, MARA)
  id = await repairs.make({ summary: 'Pump leaks', attachment: [file] })
})

const read = (query = '', as?: TestPerson, which = file) => api.get(`/artifact_files/${which}${query}`, as && { as })
const notFound = refused(404, 'not_found', { cause: 'file_not_found' })

describe('a chunk', () => {
  test('is the base64 of a range of bytes, and the headers name the range', async () => {
    const first = await read('?offset=0&limit=10', TOM)
    expect(first).toMatchObject({
      status: 200,
      json: { data: 'SGVsbG8sIFdheQ==' },
      headers: {
        'x-pagination-limit': '10',
        'x-pagination-offset': '0',
        'x-pagination-size': '16',
        'x-pagination-limit-max': '1048576',
        'x-upload-max-file-chunksize': '1048576',
      },
    })
    expect((await read('?offset=10&limit=10', TOM)).json).toEqual({ data: 'cG9zdCEK' })
    expect((await read('', TOM)).headers['x-pagination-limit']).toBe('1048576')
  })

  test('is empty at the end, and refused after it', async () => {
    expect((await read('?offset=16', TOM)).json).toEqual({ data: '' })
    expect((await read('?limit=0', TOM)).json).toEqual({ data: '' })
    expect(await read('?offset=17', TOM)).toMatchObject(refused(416, 'range_not_satisfiable'))
  })

  test.each(['limit=1048577', 'limit=-1', 'offset=-1'])('is refused with %s', async (query) => {
    expect(await read(`?${query}`, TOM)).toMatchObject(refused(400, 'parameter_out_of_range'))
  })
})

describe('read permission on a file', () => {
  test('that is attached: everyone who sees the artifact, including anonymous viewers', async () => {
    for (const person of [undefined, OLGA, TOM, ADA]) expect((await read('', person)).status).toBe(200)
  })

  test('that is free: its uploader; for others it does not exist', async () => {
    const free = await uploadInChunks(api, TOM)
    expect((await read('', TOM, free)).json).toEqual({ data: 'SGVsbG8sIFdheXBvc3QhCg==' })
    for (const person of [MARA, ADA]) expect(await read('', person, free)).toMatchObject(notFound)
    expect(await read('', undefined, free)).toMatchObject(refused(401, 'authentication_required'))
    const [hidden, absent] = [await read('', MARA, free), await read('', MARA, 999_999)]
    expect(masked(hidden)).toBe(masked(absent))
    clock.advance(73 * 3_600_000)
    expect(await read('', TOM, free)).toMatchObject(notFound)
  })

  test('that is being uploaded: no one', async () => {
    const arriving = await announceForField(api, MARA, repairs.field('attachment'), 10)
    expect(await read('', MARA, arriving)).toMatchObject(notFound)
  })

  test('in a field that is hidden: those who may read the field', async () => {
    const secret = await uploadInChunks(api, MARA)
    await repairs.put(id, MARA, { value: [secret] }, 'secrets')
    expect((await read('', MARA, secret)).status).toBe(200)
    expect(await read('', TOM, secret)).toMatchObject(notFound)
    expect(await read('', undefined, secret)).toMatchObject(refused(401, 'authentication_required'))
  })

  test('of an artifact that is hidden: those who see the artifact', async () => {
    const restriction = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { seen_by: restriction } } })
    expect((await read('', MARA)).status).toBe(200)
    expect(await read('', TOM)).toMatchObject(notFound)
  })

  test('Z16 of a deleted artifact: no one, until it is restored', async () => {
    await api.delete(`/artifacts/${id}`, { as: MARA })
    for (const person of [MARA, ADA]) expect(await read('', person)).toMatchObject(notFound)
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    expect((await read('', TOM)).status).toBe(200)
    expect(await repairs.files(id)).toEqual([file])
  })

  test('in a field that is no longer used: no one', async () => {
    const field = repairs.field('attachment')
    expect((await api.patch(`/tracker_fields/${field}`, { as: MARA, body: { use_it: false } })).status).toBe(200)
    expect(await read('', MARA)).toMatchObject(notFound)
  })

  test('follows current permissions, also for detached files', async () => {
    await repairs.put(id, MARA, { value: [] })
    expect((await read('', TOM)).status).toBe(200)
    const { json: definition } = await api.get(`/trackers/${repairs.id}/definition`, { as: MARA })
    const elements = definition.elements.map((each: { name: string }) =>
      each.name === 'attachment' ? { ...each, permissions: { read: ['@admins'], update: ['@admins'] } } : each,
    )
    const put = await api.put(`/trackers/${repairs.id}/definition`, { as: MARA, body: { ...definition, elements } })
    expect(put.status).toBe(200)
    expect(await read('', TOM)).toMatchObject(notFound)
    expect((await read('', MARA)).status).toBe(200)
  })
})
