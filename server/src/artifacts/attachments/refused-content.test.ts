import { beforeEach, expect, test } from 'vitest'
import { makeRepairs, type Repairs, upload } from '../../../test/attaching.ts'
import { Lines } from '../../../test/client.ts'
import { startWorld } from '../../../test/harness.ts'
import { MARA } from '../../../test/people.ts'
import { refused } from '../../../test/refused.ts'

// The operator's command takes only what says that it is clean.
const { api } = await startWorld({ environment: { WAYPOST_FILES_CHECK: 'grep -q clean' } })
let repairs: Repairs
let id: number

beforeEach(async () => {
  repairs = await makeRepairs(api, MARA)
  id = await repairs.make()
})

test('a file that the command refuses cannot be attached, whatever else can', async () => {
  const [clean, dirty] = [await upload(api, MARA, { content: 'clean' }), await upload(api, MARA, { content: 'dirty' })]
  expect(await repairs.put(id, MARA, { value: [clean, dirty] })).toMatchObject(
    refused(400, 'rule_violated', { cause: 'file_refused', path: 'values[0].value[1]' }),
  )
  expect(await repairs.files(id)).toBeUndefined()
  expect((await repairs.put(id, MARA, { value: [clean] })).status).toBe(200)
})

test('it refuses a line of a bulk write, and no other', async () => {
  const [clean, dirty] = [await upload(api, MARA, { content: 'clean' }), await upload(api, MARA, { content: 'dirty' })]
  const lines = [clean, dirty].map((file) => ({ op: 'create', values_by_field: { attachment: [file] } }))
  const { text } = await api.post(`/trackers/${repairs.id}/artifacts/bulk`, { as: MARA, body: new Lines(lines) })
  expect(text).toMatch(/"status":201[^]*"status":400[^]*file_refused/)
})

test('a number that is the id of such a file is only a number in another field', async () => {
  const dirty = await upload(api, MARA, { content: 'dirty' })
  const answer = await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary: [dirty] } } })
  expect(answer).toMatchObject(refused(400, 'value_invalid', { cause: 'not_a_string' }))
})
