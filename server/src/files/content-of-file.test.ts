import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../test/every-field.ts'
import { s3OfTests } from '../../test/files-place.ts'
import { startWorld } from '../../test/harness.ts'
import { TOM } from '../../test/people.ts'
import { attach, callBytes, makeFileTracker, upload } from '../../test/uploads.ts'

const { api, context } = await startWorld({ seedOnce: true, environment: { WAYPOST_FILES_ACCEL: '/waypost-files/' } })
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
})

describe.skipIf(s3OfTests())(
  'behind a server that sends files itself (on disk: S3 has no files that it could send)',
  () => {
    test('a download is where the bytes lie, with all that guards it', async () => {
      const id = await upload(api, parcels.field('papers'), 'hello', { name: 'a.txt' })
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

    test('what has no bytes, or may still grow, is sent by us', async () => {
      const empty = await upload(api, parcels.field('papers'), '', { name: 'empty.txt' })
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
