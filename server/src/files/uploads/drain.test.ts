import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { TOM } from '../../../test/people.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { announce, callBytes, makeFileTracker, TUS } from '../../../test/uploads.ts'

const { api, context, clock } = await startWorld({ seedOnce: true })

test('an upload that comes while the server ends is answered soon, and nothing of it is lost', {
  timeout: 60_000,
}, async () => {
  const parcels = await makeFileTracker(api)
  const { WAYPOST_DATABASE_URL } = context.config
  const server = await startServerProcess({ WAYPOST_DATABASE_URL })
  clock.set(new Date()) // That of the process goes on.
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
  outgoing.on('error', () => {})
  outgoing.write('Hello')
  await pause(1000)
  const began = Date.now()
  const ended = server.stop()

  const [incoming] = await once(outgoing, 'response')
  expect([incoming.statusCode, incoming.headers['upload-offset']]).toEqual([204, '5'])
  expect(await ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(10_000)
  outgoing.destroy()
  const told = await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'HEAD', headers: TUS })
  expect(told.headers.get('upload-offset')).toBe('5')
})
