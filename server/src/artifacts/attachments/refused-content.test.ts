import { beforeEach, expect, test } from 'vitest'
import { makeRepairs, type Repairs, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import { Lines } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

// The operator's check command accepts only content that contains "clean".
const { api } = await startWorld({ environment: { WAYPOST_FILES_CHECK: 'grep -q clean' } })
let repairs: Repairs
let id: number

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
  id = await repairs.make()
})

test('a file that the check command refuses cannot be attached; others can', async () => {
  const [clean, dirty] = [
    await uploadInChunks(api, MARA, { content: 'clean' }),
    await uploadInChunks(api, MARA, { content: 'dirty' }),
  ]
  expect(await repairs.put(id, MARA, { value: [clean, dirty] })).toMatchObject(
    refused(400, 'rule_violated', { cause: 'file_refused', path: 'values[0].value[1]' }),
  )
  expect(await repairs.files(id)).toBeUndefined()
  expect((await repairs.put(id, MARA, { value: [clean] })).status).toBe(200)
})

test('the refusal affects one line of a bulk write only', async () => {
  const [clean, dirty] = [
    await uploadInChunks(api, MARA, { content: 'clean' }),
    await uploadInChunks(api, MARA, { content: 'dirty' }),
  ]
  const lines = [clean, dirty].map((file) => ({ op: 'create', values_by_field: { attachment: [file] } }))
  const { text } = await api.post(`/trackers/${repairs.id}/artifacts/bulk`, { as: MARA, body: new Lines(lines) })
  expect(text).toMatch(/"status":201[^]*"status":400[^]*file_refused/)
})

test('a number equal to the id of such a file is a plain number in another field', async () => {
  const dirty = await uploadInChunks(api, MARA, { content: 'dirty' })
  const answer = await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary: [dirty] } } })
  expect(answer).toMatchObject(refused(400, 'value_invalid', { cause: 'not_a_string' }))
})
