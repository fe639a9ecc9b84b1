import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../src/routes.ts'
import { startWorld } from './harness.ts'
import { FOREIGN_PAGES, OWN_PAGE, signInOnPage } from './own-page.ts'
import { MARA } from './people.ts'
import { refused } from './refused.ts'
import { aTenthOf } from './sample.ts'

const { api, context } = await startWorld({ seedOnce: true }) // Whatever is tried here, nothing changes.

describe('a page of another site', () => {
  const writes = ROUTES.filter(({ writes: isWrite, access }) => isWrite && access !== 'no_credentials')
  const foreign = refused(403, 'cross_site_cookie')
  const unread = refused(415, 'unsupported_media_type') // A step earlier: nobody could read it anyway.
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

  test.each(aTenthOf(writes, 'A22').map(({ method, path }) => ({ method, path })))(
    'A22 cannot use the cookie for $method $path',
    async ({ method, path }) => {
      const { cookie } = await signInOnPage(api, MARA)
      const before = await everything()

      const isBulk = path.endsWith('/bulk') // It reads lines, and nothing else.
      for (const headers of FOREIGN_PAGES)
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

  test.each(aTenthOf(reads, 'A22/read').map(({ path }) => ({ path })))(
    'A22/read cannot use it for $path, where reading writes nothing either',
    async ({ path }) => {
      const { cookie } = await signInOnPage(api, MARA)
      const before = await everything()

      for (const method of ['GET', 'HEAD']) {
        for (const headers of FOREIGN_PAGES)
          expect((await api.request(method, filled(path), { headers: { ...headers, cookie } })).status).toBe(403)
        const own = await api.request(method, filled(path), { headers: { ...OWN_PAGE, cookie }, reader: MARA })
        expect(own.status).toBeLessThan(500)
      }

      expect(await everything()).toBe(before)
    },
  )
})

function filled(path: string): string {
  return path.replaceAll(/:\w+/g, '2001')
}

/** A digest of all that a request could change. The log of refusals may grow; a session's last use may move. */
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
