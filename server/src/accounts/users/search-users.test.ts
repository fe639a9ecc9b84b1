import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import {
  ADA,
  MARA,
  OLGA,
  ALL_PEOPLE,
  type TestPerson,
  PIA,
  RITA,
  SAM,
  TOM,
  UMA,
  VICTOR,
} from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const search = (query: string, as?: TestPerson, more = '') =>
  api.get(`/users?query=${encodeURIComponent(query)}${more}`, as && { as })
const names = ({ json }: { json: { username: string }[] }) => json.map(({ username }) => username)

describe('GET /users?query=', () => {
  test('finds a part of the login or of the real name, ignoring case', async () => {
    const answer = await search('TILL', OLGA)

    expect(answer.status).toBe(200)
    expect(answer.json).toEqual([(await api.get(`/users/${TOM.id}`, { as: OLGA })).json])
    expect(answer.headers).toMatchObject({
      'x-pagination-size': '1',
      'x-pagination-limit': '10',
      'x-pagination-offset': '0',
      'x-pagination-limit-max': '1000',
    })
  })

  test('treats words separated by commas as alternatives, and orders by login', async () => {
    expect(names(await search('uma, keller ,,victor', OLGA))).toEqual(['mara', 'uma', 'victor'])
  })

  test('finds only active and restricted accounts, for every caller', async () => {
    expect(names(await search('sam,pia,rita', ADA))).toEqual(['rita'])
  })

  test('never finds by address', async () => {
    expect(names(await search('canarymail', ADA))).toEqual([])
    expect(names(await search('waypost.example', ADA))).toEqual([])
  })

  test('does not match a text that spans login and name', async () => {
    expect(names(await search('mara mara', OLGA))).toEqual([])
    expect(names(await search('ara kel', OLGA))).toEqual(['mara'])
  })

  test.each(['%%%', '___', 'a%a', 'm_ra', String.raw`\\\ `, "'; drop table account; --"])(
    'treats %s literally',
    async (text) => {
      const answer = await search(text, ADA)
      expect([answer.status, answer.json]).toEqual([200, []])
    },
  )

  test('finds equivalent characters in any encoding', async () => {
    await sql`update account set real_name = 'Zoë Å' where id = ${UMA.id}`.execute(context.db)

    expect(names(await search('Zoe\u0308', OLGA))).toEqual(['uma'])
    expect(names(await search('ＺＯË', OLGA))).toEqual(['uma'])
  })

  test('finds names with accents by letters without, and the other way around', async () => {
    await sql`update account set real_name = 'Tomás Łukasz' where id = ${UMA.id}`.execute(context.db)

    for (const text of ['tomas', 'TOMÁS', 'lukasz', 'tömás łuk'])
      expect(names(await search(text, OLGA))).toEqual(['uma'])
  })

  test('Z27 a restricted caller finds only people who share a project, without addresses', async () => {
    const { json, headers } = await search('ara,ita,tor,tom', RITA)

    expect(json.map(({ username, email }: Record<string, unknown>) => [username, email])).toEqual([
      ['rita', RITA.email],
      ['victor', null],
    ])
    expect(headers['x-pagination-size']).toBe('2')
  })

  test('Z28 pages are full and add up to the size, by offset and by cursor', async () => {
    await sql`insert into account (login, real_name, created_on)
      select 'gardener-' || lpad(number::text, 2, '0'), 'Some Gardener', now() from generate_series(1, 23) number`.execute(
      context.db,
    )
    const whole = names(await search('gardener', TOM, '&limit=1000'))
    const pages: string[] = []
    let path: string | undefined = '/users?query=gardener&limit=5'
    while (path !== undefined) {
      const answer = await api.get(path, { as: TOM })
      expect(answer.headers['x-pagination-size']).toBe('23')
      expect(answer.json).toHaveLength(Math.min(5, 23 - pages.length))
      expect(answer.headers['x-pagination-offset']).toBe(String(pages.length))
      pages.push(...names(answer))
      path = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
    }

    expect(whole).toHaveLength(23)
    expect(pages).toEqual(whole)
    expect(names(await search('gardener', TOM, '&limit=5&offset=20'))).toEqual(whole.slice(20))
    const beyond = await search('gardener', TOM, '&limit=5&offset=40')
    expect([beyond.json, beyond.headers['x-pagination-size']]).toEqual([[], '23'])
    expect((await search('gardener', TOM, '&limit=0')).json).toEqual([])
  })

  test.each(['username', 'loginname'])('finds exactly one login by %s', async (key) => {
    expect(names(await search(`{"${key}":"MARA"}`, OLGA))).toEqual(['mara'])
    expect(names(await search(`{"${key}":"mar"}`, OLGA))).toEqual([])
    expect(names(await search(`{"${key}":"sam"}`, OLGA))).toEqual([])
    expect(names(await search(`{"${key}":"sam"}`, ADA))).toEqual(['sam'])
    expect(names(await search(`{"${key}":"pia"}`, ADA))).toEqual(['pia'])
    expect(names(await search(`{"${key}":"mara"}`, RITA))).toEqual([])
    expect(names(await search(`{"${key}":"rita"}`, RITA))).toEqual(['rita'])
  })

  test('accepts raw braces and quotes in the URL', async () => {
    expect(names(await api.get('/users?query={"username":"mara"}', { as: OLGA }))).toEqual(['mara'])
  })

  test('finds by address for site administrators, in any status, including shared addresses', async () => {
    await sql`update account set email = ${SAM.email.toUpperCase()} where id = ${UMA.id}`.execute(context.db)

    expect(names(await search(`{"email":"${SAM.email}"}`, ADA))).toEqual(['sam', 'uma'])
    expect(names(await search(`{"email":"${PIA.email}"}`, ADA))).toEqual(['pia'])
  })

  test('finds the caller by their own address, and reveals nothing about others', async () => {
    await sql`update account set email = ${TOM.email} where id = ${UMA.id}`.execute(context.db)
    const used = await search(`{"email":"${MARA.email}"}`, TOM)
    const unused = await search('{"email":"nobody@waypost.example"}', TOM)

    expect(names(await search(`{"email":"${TOM.email}"}`, TOM))).toEqual(['tom'])
    for (const { status, json } of [used, unused]) {
      expect(status).toBe(403)
      expect(json.error).toMatchObject({ reason: 'permission_denied', details: { who_may: ['site_admin'] } })
    }
  })

  test.each([
    ['', 'parameter_required'],
    ['ab', 'parameter_out_of_range'],
    ['mara,ab', 'parameter_out_of_range'],
    [' , ,', 'parameter_out_of_range'],
    ['{}', 'parameter_out_of_range'],
    ['{ }', 'query_unknown_key'],
    ['{"shortname":"x"}', 'query_unknown_key'],
    ['{"username":"x","loginname":"x"}', 'parameter_conflict'],
    ['{"username":"x","email":"x"}', 'parameter_conflict'],
    ['{"username":', 'query_malformed'],
    ['{"username":1}', 'parameter_invalid'],
    ['{"username":["x"]}', 'parameter_invalid'],
  ])('refuses the query %s with %s', async (query, reason) => {
    const { status, json } = await search(query, TOM)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
  })

  test('names the known keys', async () => {
    const { json } = await search('{"shortname":"x"}', TOM)

    expect(json.error.details.allowed).toEqual(['username', 'loginname', 'email'])
  })

  test('requires credentials for every query', async () => {
    for (const query of ['mara', '', '{"username":"mara"}']) expect((await search(query)).status).toBe(401)
  })

  test('enforces its limits', async () => {
    expect((await search('mara', TOM, '&limit=1001')).json.error.reason).toBe('parameter_out_of_range')
    expect((await search('mara', TOM, '&limit=1&limit=1')).json.error.reason).toBe('parameter_conflict')
  })

  test('returns XML', async () => {
    const { text } = await api.get('/users.xml?query=keller', { as: OLGA })

    expect(text).toContain(`<response><item><id>${MARA.id}</id>`)
  })

  test('every result can be opened', async () => {
    for (const as of [OLGA, RITA, ADA, VICTOR])
      for (const { id } of (await search(ALL_PEOPLE.map(({ login }) => login).join(','), as)).json)
        expect((await api.get(`/users/${id}`, { as })).status).toBe(200)
  })
})
