import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepairs, type Repairs, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { requireSound } from '../../../test/harness/auditor.ts'
import { Lines } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { statusesOf } from '../../../test/harness/refused.ts'

const { api, context, startAnother } = await startWorld()
const another = await startAnother()
let repairs: Repairs

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
})

afterEach(() => requireSound(context))

test('of concurrent writers who attach one free file, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const file = await uploadInChunks(api, MARA)
    const ids = await Promise.all(Array.from({ length: 6 }, () => repairs.make()))
    const body = { values: [{ field_id: repairs.field('attachment'), value: [file] }] }
    const answers = await Promise.all(
      ids.map((id, at) => {
        const headers = at % 3 === 0 ? { 'idempotency-key': `round-${round}-${at}` } : {}
        return (at % 2 === 0 ? api : another.api).put(`/artifacts/${id}`, { as: MARA, headers, body })
      }),
    )
    expect(statusesOf(answers)).toEqual([200, 400, 400, 400, 400, 400])
    const causes = answers.flatMap(({ json }) => json.error?.details.cause ?? [])
    expect(causes).toEqual(Array.from({ length: 5 }, () => 'file_already_attached'))
    const holders = await Promise.all(ids.map((id) => repairs.files(id)))
    expect(holders.filter((files) => files?.includes(file)).length).toBe(1)
  }
})

test('of concurrent creations with one free file, exactly one succeeds', async () => {
  const file = await uploadInChunks(api, MARA)
  const body = { tracker: { id: repairs.id }, values_by_field: { summary: 'Mine', attachment: [file] } }
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.post('/artifacts', { as: MARA, body })))
  expect(statusesOf(answers)).toEqual([201, 400, 400, 400, 400])
  const { json } = await api.get(`/trackers/${repairs.id}/artifacts`, { as: MARA })
  expect(json.length).toBe(1)
})

test('concurrent additions of files to one artifact lose none', async () => {
  const id = await repairs.make()
  const files = await Promise.all(Array.from({ length: 6 }, () => uploadInChunks(api, MARA)))
  const answers = await Promise.all(files.map((file) => repairs.put(id, MARA, { add: [file] })))
  expect(statusesOf(answers)).toEqual(files.map(() => 200))
  expect((await repairs.files(id))?.toSorted((one, other) => one - other)).toEqual(
    files.toSorted((one, other) => one - other),
  )
})

test('concurrent writes never exceed the quota of the project', async () => {
  await api.patch('/settings', { as: ADA, body: { project_disk_quota: 1024 } })
  const ids = await Promise.all(Array.from({ length: 4 }, () => repairs.make()))
  const files = await Promise.all(ids.map(() => uploadInChunks(api, MARA, { content: Buffer.alloc(400) })))
  const answers = await Promise.all(ids.map((id, at) => repairs.put(id, MARA, { value: [files[at]] })))
  expect(statusesOf(answers)).toEqual([200, 200, 400, 400])
})

test('lines of a bulk write attach files like single writes', async () => {
  const [one, other, third] = [
    await uploadInChunks(api, MARA),
    await uploadInChunks(api, MARA),
    await uploadInChunks(api, MARA),
  ]
  const id = await repairs.make()
  const attach = (files: number[]) => ({ attachment: { value: files } })
  const lines = new Lines([
    { op: 'create', values_by_field: { summary: 'First' } },
    { op: 'create', values_by_field: { summary: 'Second', ...attach([one]) } },
    { op: 'create', values_by_field: { summary: 'Third', ...attach([one]) } },
    { op: 'create', values_by_field: { summary: 'Fourth', ...attach([999_999]) } },
    { op: 'update', id, values_by_field: attach([other, third]) },
  ])
  const rehearsal = await api.post(`/trackers/${repairs.id}/artifacts/bulk?dry_run=true`, { as: MARA, body: lines })
  const answer = await api.post(`/trackers/${repairs.id}/artifacts/bulk`, { as: MARA, body: lines })
  const read = ({ text }: { text: string }) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((each) => 'status' in each)
  for (const answered of [rehearsal, answer])
    expect(read(answered).map(({ status }) => status)).toEqual([201, 201, 400, 404, 200])
  const [, { id: second }] = read(answer)
  expect([await repairs.files(second), await repairs.files(id)]).toEqual([[one], [other, third]])
})
