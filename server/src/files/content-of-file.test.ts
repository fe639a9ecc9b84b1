import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../test/fixtures/every-field.ts'
import { s3OfTests } from '../../test/harness/storage-settings.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { TOM } from '../../test/fixtures/people.ts'
import { attach, callBytes, makeFileTracker, uploadTestFile } from '../../test/fixtures/uploads.ts'

const { api, context } = await startWorld({ seedOnce: true, environment: { WAYPOST_FILES_ACCEL: '/waypost-files/' } })
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
})

describe.skipIf(s3OfTests())(
  'behind a server that sends files itself (on disk only: S3 has no local files to send)',
  () => {
    test('a download returns the path of the bytes, with all security headers', async () => {
      const id = await uploadTestFile(api, parcels.field('papers'), 'hello', { name: 'a.txt' })
      await attach(api, parcels, [id])
      const { status, headers, text } = await callBytes(api, `/files/${id}/a.txt`, { as: TOM })

      expect([status, text]).toEqual([200, ''])
      const place = String(headers.get('x-accel-redirect'))
      expect(place).toMatch(/^\/waypost-files\/content\/2c\/2cf24dba[0-9a-f]{56}$/)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-cache',
        etag: `"${place.slice(-64)}"`,
      })
      const { WAYPOST_FILES: files } = context.config
      if (files.kind !== 'disk') throw new Error('These tests are about files on disk.')
      expect(await readFile(join(files.folder, place.replace('/waypost-files/', '')), 'utf8')).toBe('hello')
      const known = { 'if-none-match': String(headers.get('etag')) }
      expect((await callBytes(api, `/files/${id}/a.txt`, { as: TOM, headers: known })).status).toBe(304)
    })

    test('empty files and files that may still grow are sent by Waypost', async () => {
      const empty = await uploadTestFile(api, parcels.field('papers'), '', { name: 'empty.txt' })
      const body = { name: 'growing.txt', mimetype: 'text/plain', content: 'aGVsbG8=' }
      const growing = await api.post('/artifact_temporary_files', { as: TOM, body })

      const answer = await callBytes(api, `/files/${empty}/empty.txt`, { as: TOM })
      expect([answer.status, answer.headers.get('x-accel-redirect')]).toEqual([200, null])
      const chunked = await callBytes(api, `/files/${growing.json.id}/growing.txt`, { as: TOM })
      expect([chunked.text, chunked.headers.get('etag')]).toEqual(['hello', null])
      expect(chunked.headers.get('content-disposition')).toMatch(/^attachment;/)
    })
  },
)
