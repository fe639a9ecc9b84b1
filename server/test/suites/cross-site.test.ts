import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/routes.ts'
import { startWorld } from '../harness/start-world.ts'
import { CROSS_SITE_HEADERS, SAME_ORIGIN_HEADERS, signInWithCookie } from '../harness/browser-requests.ts'
import { MARA } from '../fixtures/people.ts'
import { refused } from '../harness/refused.ts'
import { sampleTenth } from '../harness/sampling.ts'

const { api, context } = await startWorld({ seedOnce: true }) // All requests here are refused, so nothing changes.

describe('a page of another site', () => {
  const writes = ROUTES.filter(({ writes: isWrite, access }) => isWrite && access !== 'no_credentials')
  const foreign = refused(403, 'cross_site_cookie')
  const unread = refused(415, 'unsupported_media_type') // Refused earlier, because the media type is unsupported.
  const bodies = [
    { type: 'application/x-www-form-urlencoded', body: 'real_name=Eve', refusal: foreign },
    { type: 'application/json', body: '{}', refusal: foreign },
    { type: 'text/plain', body: '{"real_name":"Eve"}', refusal: unread },
    { type: 'multipart/form-data; boundary=x', body: '--x\r\n\r\nEve\r\n--x--\r\n', refusal: unread },
  ]
  const lines = [
    { type: 'application/x-ndjson', body: '{"op":"create"}\n', refusal: foreign },
    ...bodies.map((each) => ({ ...each, refusal: unread })),
  ]

  test.each(sampleTenth(writes, 'A22').map(({ method, path }) => ({ method, path })))(
    'A22 cannot use the cookie for $method $path',
    async ({ method, path }) => {
      const { cookie } = await signInWithCookie(api, MARA)
      const before = await everything()

      const isBulk = path.endsWith('/bulk') || path.endsWith('/items') // It accepts JSON lines only.
      for (const headers of CROSS_SITE_HEADERS)
        for (const { type, body, refusal } of isBulk ? lines : bodies) {
          const answer = await api.request(method, filled(path), {
            headers: { ...headers, cookie, 'content-type': type },
            body,
          })
          expect(answer).toMatchObject(refusal)
        }

      expect(await everything()).toBe(before)
    },
  )

  const reads = ROUTES.filter(
    ({ writes: isWrite, access, method }) => !isWrite && access !== 'no_credentials' && method === 'GET',
  )

  test.each(sampleTenth(reads, 'A22/read').map(({ path }) => ({ path })))(
    'A22/read cannot use it for $path, and the read writes nothing',
    async ({ path }) => {
      const { cookie } = await signInWithCookie(api, MARA)
      const before = await everything()

      for (const method of ['GET', 'HEAD']) {
        for (const headers of CROSS_SITE_HEADERS)
          expect((await api.request(method, filled(path), { headers: { ...headers, cookie } })).status).toBe(403)
        const own = await api.request(method, filled(path), {
          headers: { ...SAME_ORIGIN_HEADERS, cookie },
          reader: MARA,
        })
        expect(own.status).toBeLessThan(500)
      }

      expect(await everything()).toBe(before)
    },
  )
})

function filled(path: string): string {
  return path.replaceAll(/:\w+/g, '2001')
}

/** A digest of all that a request could change. The audit log may grow; the last use of a session may change. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit', 'session') order by table_name`.execute(
    context.db,
  )
  const digests = []
  for (const { table_name } of rows) {
    const table = await sql<{ digest: string }>`
      select md5(coalesce(string_agg(each::text, '|' order by each::text), '')) as digest
      from ${sql.table(table_name)} each`.execute(context.db)
    digests.push(`${table_name} ${table.rows[0]?.digest}`)
  }
  return digests.join('\n')
}
