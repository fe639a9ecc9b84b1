import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PageLimits } from '../../../src/platform/http/pages.ts'
import type { Response } from '../../harness/client.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, TOM, VICTOR } from '../../fixtures/people.ts'
import { ORCHARD, QUARRY } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attack, attackOnce } from './attack.ts'
import { targetAddress, usualOptions, targetPath, principals, TARGETS, type RouteTarget } from './inputs.ts'

const world = await startWorld({ seedOnce: true })
const { api, context } = world
await seedTestArtifacts(context.db)
await fill()

interface List extends RouteTarget {
  pages: PageLimits
}

const LISTS = TARGETS.flatMap((target): List[] => {
  const { pages } = target.route
  return typeof pages === 'object' ? [{ ...target, pages }] : []
})

/** Reading these lists appends to them: with offsets the rows shift between pages. */
const GROWING = ['listAudit', 'listProjectAudit']

/** This world has no repositories on disk, so their content is not found. */
function statusOf({ route }: RouteTarget): number {
  return route.path.startsWith('/svn/:id/') && route.path !== '/svn/:id/access_files' ? 404 : 200
}

describe('the size of a page', () => {
  test.each(sampleTenth(LISTS, 'D01'))('D01 of $name has limits, and names them', async (target) => {
    const { min, max } = target.pages
    await attack(world, async (send) => {
      const read = (limit: string) =>
        send(target.route.method, targetAddress(target, `limit=${limit}`), usualOptions(target))
      for (const limit of ['1000000000', '-1', String(max + 1), ...(min > 0 ? ['0'] : [])])
        expect(await read(limit), limit).toMatchObject(
          refused(400, 'parameter_out_of_range', { path: 'limit', allowed: { minimum: min, maximum: max } }),
        )
      for (const limit of ['x', '1.5', '1e3', '0x10', '99999999999999999999', 'NaN'])
        expect(await read(limit), limit).toMatchObject({ status: 400, json: { error: { details: { path: 'limit' } } } })
      for (const limit of [min, max]) expect((await read(String(limit))).status).toBe(statusOf(target))
    })
  })

  test.each(sampleTenth(LISTS, 'D02'))('D02 of $name ends where the cursor begins', async (target) => {
    await attack(world, async (send) => {
      const read = (offset: string) =>
        send(target.route.method, targetAddress(target, `offset=${offset}`), usualOptions(target))
      expect((await read('100000')).status).toBe(statusOf(target))
      for (const offset of ['100001', '1000000000', '9007199254740991'])
        expect(await read(offset), offset).toMatchObject(
          refused(400, 'parameter_out_of_range', {
            path: 'offset',
            allowed: { maximum: 100_000 },
            cause: 'use_cursor',
          }),
        )
      for (const offset of ['-1', 'x', '1e3', '9007199254740993']) expect((await read(offset)).status, offset).toBe(400)
    })
  })
})

describe('the sum of the pages', () => {
  test.each(sampleTenth(LISTS, 'Z28'))(
    'Z28 of $name equals its size, for every caller, and only the last page is short',
    async (target) => {
      for (const [principal, as] of principals()) {
        const path = targetPath(target, { principal })
        for (const state of target.row.query === undefined ? [''] : [target.row.query, '']) {
          const first = await ask(`${path}?${state}`, 2, as)
          if (first.status !== 200) continue
          for (const read of GROWING.includes(target.name) ? [readByCursor] : [readByCursor, readByOffset]) {
            const { rows, size, isFull } = await read(`${path}?${state}`, as)
            expect({ rows, isFull }, `${principal} ${read.name}`).toEqual({ rows: size, isFull: true })
          }
        }
      }
    },
  )

  test.each(TARGETS.filter(({ route }) => route.pages === 'whole'))(
    'Z28/whole of $name is the complete list',
    async (target) => {
      for (const [principal, as] of principals()) {
        const { status, headers, json } = await api.get(targetPath(target, { principal }), as && { as })
        const size = Number(headers['x-pagination-size'] ?? 0)
        expect(size, principal).toBe(status === 200 ? rowsOf(json) : 0)
      }
    },
  )
})

describe('a cursor', () => {
  const nextOf = async (path: string, as: TestPerson) => {
    const { headers } = await api.get(path, { as })
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(headers.link)) ?? []
    if (next === '') throw new Error(`${path} has no next page.`)
    return { next, cursor: new URL(next, 'https://x').searchParams.get('cursor') ?? '' }
  }

  test('Z47 that was altered is refused', async () => {
    const { cursor } = await nextOf('/projects?limit=1', ADA)
    const [text = '', signature = ''] = cursor.split('.')
    const place = Buffer.from(JSON.stringify([0, 0])).toString('base64url')
    const forged = [
      place,
      `${place}.`,
      `${place}.${signature}`,
      `${text}.`,
      `${text}.x${signature.slice(1)}`,
      text,
      '.',
      '..',
      `${text}A.${signature}`,
      `${text}.${signature}A`,
      `${signature}.${text}`,
      '%00',
      'null',
      '{}',
      '[0,"1 or 1=1"]',
    ]
    for (const each of forged)
      expect(
        await attackOnce(world, 'GET', `/projects?limit=1&cursor=${encodeURIComponent(each)}`, { as: ADA }),
      ).toMatchObject(refused(400, 'parameter_invalid', { path: 'cursor' }))
  })

  test('Z47/list of one list is refused on another', async () => {
    const { cursor } = await nextOf(`/projects/${ORCHARD}/project_services?limit=1`, MARA)
    for (const path of [
      `/projects/${QUARRY}/project_services`,
      `/projects/${ORCHARD}/labels`,
      '/projects',
      '/users?query=tom',
    ])
      expect(
        (await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=1&cursor=${cursor}`, { as: ADA })).status,
      ).toBe(400)
  })

  test('Z47/viewer of another viewer shows only what the reader may see', async () => {
    const { next } = await nextOf('/projects?limit=1', ADA)
    for (const as of [undefined, RITA, OLGA, VICTOR]) {
      const whole = await api.get('/projects?limit=50', as && { as })
      const seen = new Set(whole.json.map(({ id }: { id: number }) => id))
      const answer = await api.get(next, as && { as })
      expect(answer.status).toBe(200)
      for (const { id } of answer.json) expect(seen).toContain(id)
      expect(answer.headers['x-pagination-size']).toBe(whole.headers['x-pagination-size'])
    }
  })

  test('Z47/withdrawn leads nowhere after the permission was revoked', async () => {
    const { next } = await nextOf(`/user_groups/${ORCHARD}_3/users?limit=1`, MARA)
    await sql`update project_member set is_admin = false where project_id = ${ORCHARD} and account_id = ${MARA.id}`.execute(
      context.db,
    )
    expect((await api.get(next, { as: MARA })).status).toBe(403)
    await sql`update project_member set is_admin = true where project_id = ${ORCHARD} and account_id = ${MARA.id}`.execute(
      context.db,
    )
    expect((await api.get(next, { as: MARA })).status).toBe(200)
    expect((await api.get(next, { as: OLGA })).status).toBe(403)
  })
})

function ask(path: string, limit: number, as: TestPerson | undefined, more = '') {
  return api.get(`${path}&limit=${limit}${more}`, as && { as })
}

async function readByOffset(path: string, as: TestPerson | undefined) {
  const pages = []
  for (let offset = 0; ; offset += 2) {
    const page = await ask(path, 2, as, `&offset=${offset}`)
    pages.push(page)
    if (rowsOf(page.json) < 2) return judge(pages)
  }
}

async function readByCursor(path: string, as: TestPerson | undefined) {
  const pages = []
  for (let next: string | undefined = `${path}&limit=2`; next !== undefined; ) {
    const page = await api.get(next, as && { as })
    pages.push(page)
    next = /<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1]
  }
  return judge(pages)
}

function judge(pages: readonly Response[]) {
  const rows = pages.map(({ json }) => rowsOf(json))
  return {
    rows: rows.reduce((sum, count) => sum + count, 0),
    size: Number(pages[0]?.headers['x-pagination-size']),
    isFull: rows.slice(0, -1).every((count) => count === 2),
  }
}

/** Some lists are a member of the response. */
function rowsOf(json: unknown): number {
  if (Array.isArray(json)) return json.length
  // With several lists, the last is the page.
  return Object.values(json ?? {}).findLast(Array.isArray)?.length ?? 0
}

/** Creates enough rows in every list, some of them hidden, that pages could be short. */
async function fill(): Promise<void> {
  for (let count = 0; count < 7; count++) {
    const access = ['public', 'private', 'unrestricted', 'private-wo-restr'][count % 4]
    await sql`insert into project (id, shortname, label, status, access, created_by, created_on) values
      (${2100 + count}, ${`field-${count}`}, ${`Field ${count}`}, 'active', ${access}, ${VICTOR.id}, now())`.execute(
      context.db,
    )
    await sql`insert into label (id, project_id, label, color) values (${6100 + count}, ${ORCHARD}, ${`label ${count}`}, 'red')`.execute(
      context.db,
    )
    await sql`insert into access_key (id, account_id, prefix, digest, scopes, created_on) values
      (${4100 + count}, ${TOM.id}, 'tlp', sha256(${String(count)}::bytea), '{write:rest}', now())`.execute(context.db)
    await sql`insert into job (type, payload) values ('mail', '{}')`.execute(context.db)
  }
  for (const { id } of [TOM, RITA])
    await sql`insert into project_member (project_id, account_id, added_on) values (2101, ${id}, now())`.execute(
      context.db,
    )
}
