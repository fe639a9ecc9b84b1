import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, TOM, UMA } from '../../test/fixtures/people.ts'
import { runJobs } from '../../test/harness/run-jobs.ts'
import { announced, blobsOf, emptyStore, storedFile, uploadsBy } from '../../test/harness/temporary-files.ts'
import { inTransaction } from '../platform/database/db.ts'
import { claimFiles } from './claim-files.ts'
import { uploadsExport } from './free-uploads.ts'
import { sealFile } from './seal-file.ts'

const { api, context, clock } = await startWorld()
beforeEach(() => emptyStore(context))

test('erasing an account deletes its free files and keeps attached ones', async () => {
  const { json: free } = await uploadsBy(api, TOM).create('mine')
  const stream = await announced(context, 10)
  const { json: given } = await uploadsBy(api, TOM).create('given')
  const { json: hers } = await uploadsBy(api, UMA).create('hers')
  await sealFile(context, await storedFile(context, given.id))
  await inTransaction(context.db, (tx) => claimFiles(tx, [given.id], TOM.id, clock.now()))

  expect((await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })).status).toBe(200)
  await runJobs(context)

  for (const { id } of [free, stream]) await expect(storedFile(context, id)).rejects.toThrow('There is no file')
  expect(await storedFile(context, given.id)).toMatchObject({ is_attached: true })
  expect((await uploadsBy(api, UMA).read(hers.id)).status).toBe(200)
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test("a data export contains the account's own uploads", async () => {
  const { json } = await uploadsBy(api, TOM).create('mine')
  await uploadsBy(api, UMA).create('hers')
  const person = { account_id: TOM.id, language: null, time_zone: null }
  const lines = await inTransaction(context.db, async (tx) =>
    Array.fromAsync(await uploadsExport.read(tx, context, person)),
  )
  expect(lines).toEqual([
    {
      id: json.id,
      name: 'core.log',
      type: 'text/plain',
      description: '',
      size: 4,
      received: 4,
      created_on: '2026-03-01T09:30:00+00:00',
      expires_on: '2026-03-04T09:30:00+00:00',
    },
  ])
})
