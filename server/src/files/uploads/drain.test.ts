import { once } from 'node:events'
import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { announce, callBytes, makeFileTracker, TUS } from '../../../test/fixtures/uploads.ts'

const { api, context, clock } = await startWorld({ seedOnce: true })
// Started outside of the test: on a busy machine, starting a process takes longer than the test.
const { WAYPOST_DATABASE_URL } = context.config
const server = await startServerProcess({ WAYPOST_DATABASE_URL })
afterAll(() => server.stop('SIGKILL'))

test('an upload during shutdown is answered soon, and no received bytes are lost', {
  timeout: 240_000,
}, async () => {
  const parcels = await makeFileTracker(api)
  clock.set(new Date()) // The process uses the real time.
  const id = await announce(api, parcels.field('papers'), 10)
  const outgoing = request(new URL(`/uploads/${id}`, server.api.origin), {
    method: 'PATCH',
    headers: {
      'x-auth-accesskey': TOM.key,
      ...TUS,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      'content-length': 10,
    },
  })
  const answered = once(outgoing, 'response') // Rejects when the request fails.
  outgoing.write('Hello')
  const holdsLease = async () =>
    (await sql`select from file where id = ${id} and writer is not null`.execute(context.db)).rows.length === 1
  await expect.poll(() => Promise.race([holdsLease(), answered.then(() => 'answered too early')])).toBe(true)
  const began = Date.now()
  const ended = server.stop()

  const [incoming] = await answered
  expect([incoming.statusCode, incoming.headers['upload-offset']]).toEqual([204, '5'])
  expect(await ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(10_000)
  outgoing.on('error', () => {}).destroy()
  const reported = await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'HEAD', headers: TUS })
  expect(reported.headers.get('upload-offset')).toBe('5')
})
