import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, RITA, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { MARSH, NURSERY, ORCHARD, QUARRY, RUIN, VAULT } from '../../test/fixtures/seed-ids.ts'
import type { TestPerson } from '../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const list = (as: TestPerson | undefined, query?: unknown, more = '') =>
  api.get(
    `/projects?${query === undefined ? '' : `query=${encodeURIComponent(JSON.stringify(query))}&`}${more}`,
    as && { as },
  )
const ids = async (as: TestPerson | undefined, query?: unknown) => {
  const { status, headers, json } = await list(as, query)
  expect(status).toBe(200)
  expect(headers['x-pagination-size']).toBe(String(json.length))
  return json.map(({ id }: { id: number }) => id)
}

describe('GET /projects', () => {
  test('shows each project as the contract defines it', async () => {
    const { json } = await list(TOM)

    expect(json[0]).toEqual({
      id: ORCHARD,
      uri: `projects/${ORCHARD}`,
      label: '🌳 Orchard',
      label_without_icon: 'Orchard',
      shortname: 'orchard',
      status: 'active',
      access: 'public',
      is_template: false,
      is_member_of: true,
      description: 'Fruit logistics',
      icon: '🌳',
      additional_fields: [],
      additional_informations: [],
      resources: [
        'trackers',
        'svn',
        'project_services',
        'user_groups',
        'heartbeats',
        'labels',
        'link_types',
        'dashboard',
      ].map((type) => ({
        type,
        uri: `projects/${ORCHARD}/${type}`,
      })),
    })
  })

  test.each([
    { who: undefined, sees: [ORCHARD, NURSERY] },
    { who: OLGA, sees: [ORCHARD, NURSERY] },
    { who: GUS, sees: [ORCHARD, NURSERY] },
    { who: TOM, sees: [ORCHARD, NURSERY] },
    { who: VICTOR, sees: [ORCHARD, VAULT, QUARRY, NURSERY] },
    { who: RITA, sees: [QUARRY] },
    { who: ADA, sees: [ORCHARD, VAULT, QUARRY, NURSERY] },
  ])('shows $who.login the active projects that they may enter, and counts only those', async ({ who, sees }) => {
    expect(await ids(who)).toEqual(sees)
  })

  test('counts the projects that each access level opens to restricted users', async () => {
    await context.db.updateTable('project').set({ access: 'unrestricted' }).where('id', '=', NURSERY).execute()
    expect(await ids(RITA)).toEqual([QUARRY, NURSERY])
    expect(await ids(undefined)).toEqual([ORCHARD, NURSERY])

    await context.db.updateTable('project').set({ access: 'private-wo-restr' }).where('id', '=', QUARRY).execute()
    expect(await ids(RITA)).toEqual([NURSERY])
    expect(await ids(VICTOR)).toEqual([ORCHARD, VAULT, QUARRY, NURSERY])

    await context.db
      .insertInto('project_member')
      .values({ project_id: ORCHARD, account_id: RITA.id, added_on: new Date() })
      .execute()
    expect(await ids(RITA)).toEqual([ORCHARD, NURSERY])
  })

  test('keeps its total correct after every change of projects', async () => {
    const isRight = async () => {
      const { rows } = await sql<{ counted: number; listed: number }>`
        select (select count(*) from project where status = 'active' and id > 100) as counted,
          (select sum(listed)::bigint from project_count) as listed`.execute(context.db)
      expect(rows[0]?.listed).toBe(rows[0]?.counted)
      expect(await ids(ADA)).toHaveLength(rows[0]?.counted ?? -1)
      expect(await ids(undefined)).not.toContain(VAULT)
    }
    await sql`insert into project (shortname, label, status, access, created_on)
      select 'many-' || n, 'Many', (array['active', 'pending'])[1 + n % 2], (array['public', 'private'])[1 + n % 3 % 2], now()
      from generate_series(1, 9) as n`.execute(context.db)
    await isRight()
    await sql`update project set access = 'private' where shortname like 'many-%'`.execute(context.db)
    await isRight()
    await sql`update project set status = case status when 'active' then 'suspended' else 'active' end,
      access = 'unrestricted' where shortname like 'many-%'`.execute(context.db)
    await isRight()
    await sql`delete from project where shortname like 'many-%'`.execute(context.db)
    await isRight()
  })

  test('returns pages with exact totals, linked by a cursor', async () => {
    const first = await list(VICTOR, undefined, 'limit=3')
    expect(first.json).toHaveLength(3)
    expect(first.headers).toMatchObject({
      'x-pagination-limit': '3',
      'x-pagination-offset': '0',
      'x-pagination-size': '4',
      'x-pagination-limit-max': '50',
    })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await api.get(next, { as: VICTOR })
    expect(second.json.map(({ id }: { id: number }) => id)).toEqual([NURSERY])
    expect(second.headers).toMatchObject({ 'x-pagination-size': '4', 'x-pagination-offset': '3' })
    expect(second.headers['link']).not.toContain('next')

    const past = await list(VICTOR, undefined, 'offset=10')
    expect(past.json).toEqual([])
    expect(past.headers['x-pagination-size']).toBe('4')

    const none = await list(VICTOR, undefined, 'limit=0')
    expect(none.json).toEqual([])
    expect(none.headers['x-pagination-size']).toBe('4')

    const second2 = await list(VICTOR, undefined, 'limit=2&offset=1')
    expect(second2.json.map(({ id }: { id: number }) => id)).toEqual([VAULT, QUARRY])
  })

  test('returns only the requested members', async () => {
    const sparse = await list(VICTOR, undefined, 'fields=shortname,resources.type&limit=1')
    expect(Object.keys(sparse.json[0])).toEqual(['id', 'uri', 'shortname', 'resources'])
    expect(Object.keys(sparse.json[0].resources[0])).toEqual(['type'])
    expect((await list(VICTOR, undefined, 'fields=colour')).json.error.reason).toBe('parameter_not_allowed')

    const whole = await list(ADA)
    const first = await list(ADA, undefined, `max_bytes=${Buffer.byteLength(whole.text) - 1}`)
    expect(first.json).toEqual(whole.json.slice(0, -1))
    expect(first.headers).toMatchObject({ 'x-pagination-limit': '3', 'x-pagination-size': '4' })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    expect((await api.get(next, { as: ADA })).json).toEqual(whole.json.slice(-1))
  })

  test.each(['limit=51', 'limit=-1', 'limit=x', 'offset=-1'])('refuses %s', async (parameters) => {
    expect((await list(TOM, undefined, parameters)).status).toBe(400)
  })

  test.each([
    { who: TOM, query: {}, finds: [ORCHARD, NURSERY] },
    { who: TOM, query: { shortname: 'orchard' }, finds: [ORCHARD] },
    { who: TOM, query: { shortname: 'Orchard' }, finds: [] },
    { who: TOM, query: { shortname: 'vault' }, finds: [] },
    { who: TOM, query: { shortname: 'nowhere' }, finds: [] },
    { who: TOM, query: { shortname: 'marsh' }, finds: [] },
    { who: ADA, query: { shortname: 'marsh' }, finds: [MARSH] },
    { who: undefined, query: { shortname: 'orchard' }, finds: [ORCHARD] },
    { who: TOM, query: { is_member_of: true }, finds: [ORCHARD] },
    { who: ADA, query: { is_member_of: true }, finds: [] },
    { who: RITA, query: { is_member_of: true }, finds: [QUARRY] },
    { who: undefined, query: { is_member_of: true }, finds: [] },
    { who: MARA, query: { is_admin_of: true }, finds: [ORCHARD, NURSERY] },
    { who: TOM, query: { is_admin_of: true }, finds: [] },
    { who: MARA, query: { is_tracker_admin: true }, finds: [ORCHARD] },
    { who: TOM, query: { is_tracker_admin: true }, finds: [] },
    { who: GUS, query: { is_tracker_admin: true }, finds: [ORCHARD] },
    { who: ADA, query: { with_status: 'suspended' }, finds: [MARSH] },
    { who: ADA, query: { with_status: 'deleted' }, finds: [RUIN] },
    { who: MARA, query: { with_status: 'deleted' }, finds: [RUIN] },
    { who: TOM, query: { with_status: 'deleted' }, finds: [] },
    { who: RITA, query: { with_status: 'deleted' }, finds: [] },
    { who: ADA, query: { with_status: 'system' }, finds: [100] },
    { who: ADA, query: { with_status: 'pending' }, finds: [] },
    { who: TOM, query: { is_template: true }, finds: [100, NURSERY] },
    { who: ADA, query: { is_template: true }, finds: [100, NURSERY] },
    { who: RITA, query: { is_template: true }, finds: [] },
    { who: undefined, query: { is_template: true }, finds: [] },
    { who: VICTOR, query: { is_member_of: true, shortname: 'orchard' }, finds: [ORCHARD] },
    { who: MARA, query: { is_tracker_admin: true, is_member_of: true, is_admin_of: true }, finds: [ORCHARD] },
    { who: ADA, query: { with_status: 'suspended', is_member_of: true }, finds: [MARSH] },
    { who: MARA, query: { is_admin_of: true, is_member_of: true, colour: 'red' }, finds: [ORCHARD, NURSERY] },
  ])('finds for $who.login by $query', async ({ who, query, finds }) => {
    expect(await ids(who, query)).toEqual(finds)
  })

  test.each([
    { who: TOM, query: { is_member_of: false }, status: 400, reason: 'parameter_not_allowed' },
    { who: TOM, query: { is_tracker_admin: false }, status: 400, reason: 'parameter_not_allowed' },
    { who: TOM, query: { is_template: false }, status: 400, reason: 'parameter_not_allowed' },
    { who: TOM, query: { is_member_of: 'true' }, status: 400, reason: 'parameter_invalid' },
    { who: TOM, query: { shortname: 5 }, status: 400, reason: 'parameter_invalid' },
    { who: TOM, query: { colour: 'red' }, status: 400, reason: 'query_unknown_key' },
    { who: TOM, query: ['shortname'], status: 400, reason: 'query_malformed' },
    { who: TOM, query: 'orchard', status: 400, reason: 'query_malformed' },
    { who: ADA, query: { with_status: 'asleep' }, status: 400, reason: 'parameter_not_allowed' },
    { who: TOM, query: { with_status: 'active' }, status: 403, reason: 'permission_denied' },
    { who: undefined, query: { with_status: 'active' }, status: 401, reason: 'authentication_required' },
  ])('refuses $who.login the query $query with $reason', async ({ who, query, status, reason }) => {
    const answer = await list(who, query)

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('lists templates only to those who may create projects from them', async () => {
    await context.db.updateTable('project').set({ is_template: true }).where('id', '=', VAULT).execute()
    expect(await ids(TOM, { is_template: true })).toEqual([100, NURSERY])
    expect(await ids(VICTOR, { is_template: true })).toEqual([100, VAULT, NURSERY])
    await context.db
      .updateTable('setting')
      .set((row) => ({ chosen: { project_creation: 'site_admins' }, version: row('version', '+', 1) }))
      .execute()
    expect(await ids(VICTOR, { is_template: true })).toEqual([])
    expect(await ids(ADA, { is_template: true })).toEqual([100, VAULT, NURSERY])
  })

  test('lists the supported keys after an unknown one', async () => {
    const { json } = await list(TOM, { colour: 'red' })
    expect(json.error.details.allowed).toContain('shortname')
  })

  test('treats an empty query as none, and refuses plain text as malformed', async () => {
    expect((await api.get('/projects?query=')).json).toHaveLength(2)
    expect((await api.get('/projects?query=orchard')).json.error.reason).toBe('query_malformed')
    expect((await api.get('/projects?query={"shortname":"orchard"}')).status).toBe(200)
  })

  test('refuses anonymous callers if the platform says so', async () => {
    await context.db
      .updateTable('setting')
      .set((row) => ({ chosen: { anonymous_access: false }, version: row('version', '+', 1) }))
      .execute()
    expect((await list(undefined)).status).toBe(401)
    expect((await list(OLGA)).status).toBe(200)
  })

  test('supports XML', async () => {
    const { text } = await api.get('/projects.xml?limit=1')
    expect(text).toContain('<response><item><id>2001</id>')
    expect(text).toContain('<additional_informations/>')
  })
})
