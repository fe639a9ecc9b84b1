import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { announce, callBytes, makeFileTracker, patchUpload, TUS } from '../../../test/fixtures/uploads.ts'

const { api } = await startWorld({ seedOnce: true, environment: { WAYPOST_FILES_CHECK: 'grep -q good' } })

test('an upload with refused content is deleted after its last byte', async () => {
  const parcels = await makeFileTracker(api)
  const [bad, good] = [
    await announce(api, parcels.field('papers'), 8, { name: 'bad' }),
    await announce(api, parcels.field('papers'), 8, { name: 'good' }),
  ]

  expect((await patchUpload(api, bad, 0, 'half ')).status).toBe(204)
  const refused = await patchUpload(api, bad, 5, 'bad')
  expect([refused.status, JSON.parse(refused.text).error.details.cause]).toEqual([400, 'file_refused'])
  expect((await callBytes(api, `/uploads/${bad}`, { as: TOM, method: 'HEAD', headers: TUS })).status).toBe(404)
  expect((await callBytes(api, `/files/${bad}/bad`, { as: TOM })).status).toBe(404)
  expect((await patchUpload(api, good, 0, 'good one')).status).toBe(204)
})
