import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, RITA, SAM, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, MARSH, ORCHARD, QUARRY, SHADOWS, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const list = (id: string | number, as: typeof MARA | undefined = MARA, more = '') =>
  api.get(`/user_groups/${id}/users?${more}`, as && { as })
const logins = async (...given: Parameters<typeof list>) => {
  const { json, headers } = await list(...given)
  expect(headers['x-pagination-size']).toBe(String(json.length))
  return json.map(({ username }: { username: string }) => username)
}
const named = (login: unknown) => `query=${encodeURIComponent(JSON.stringify({ identifier: login }))}`

describe('GET /user_groups/{id}/users', () => {
  test('shows administrators the users in a group, in full', async () => {
    const { json } = await list(`${ORCHARD}_4`)
    expect(json).toEqual([expect.objectContaining({ id: MARA.id, username: 'mara', email: MARA.email, status: 'A' })])
  })

  test.each([
    { id: `${ORCHARD}_3`, people: ['mara', 'sam', 'tom', 'uma'] },
    { id: `${ORCHARD}_4`, people: ['mara'] },
    { id: `${ORCHARD}_19`, people: [] },
    { id: LEADS, people: ['gus', 'uma'] },
    { id: SHADOWS, people: ['gus', 'uma'] },
  ])('lists $people in $id', async ({ id, people }) => {
    expect(await logins(id)).toEqual(people)
    expect(await logins(id, ADA)).toEqual(people)
  })

  test('lists svn administrators', async () => {
    await context.db
      .updateTable('project_member')
      .set({ is_svn_admin: true })
      .where('project_id', '=', ORCHARD)
      .where('account_id', '=', TOM.id)
      .execute()
    expect(await logins(`${ORCHARD}_19`)).toEqual(['tom'])
  })

  test('supports pagination', async () => {
    const first = await list(`${ORCHARD}_3`, MARA, 'limit=3')
    expect(first.json).toHaveLength(3)
    expect(first.headers).toMatchObject({ 'x-pagination-size': '4', 'x-pagination-limit-max': '50' })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    expect((await api.get(next, { as: MARA })).json.map(({ username }: { username: string }) => username)).toEqual([
      'uma',
    ])
    expect((await list(`${ORCHARD}_3`, MARA, 'limit=51')).status).toBe(400)
  })

  test('finds a user by login', async () => {
    expect(await logins(`${ORCHARD}_3`, MARA, named('tom'))).toEqual(['tom'])
    expect(await logins(`${ORCHARD}_3`, MARA, named('olga'))).toEqual([])
    expect(await list(`${ORCHARD}_3`, MARA, named('nobody-there'))).toMatchObject({
      status: 400,
      json: { error: { reason: 'reference_unknown' } },
    })
    expect((await list(`${ORCHARD}_3`, MARA, named('pia'))).json.error.reason).toBe('reference_unknown')
    expect((await list(`${ORCHARD}_3`, MARA, named(5))).json.error.reason).toBe('parameter_invalid')
    expect((await list(`${ORCHARD}_3`, MARA, 'query={"colour":1}')).json.error.reason).toBe('query_unknown_key')
    expect((await list(`${ORCHARD}_3`, MARA, 'query=tom')).json.error.reason).toBe('query_malformed')
  })

  test('hides addresses, and people they may not see, from a restricted administrator', async () => {
    await context.db
      .updateTable('project_member')
      .set({ is_admin: true })
      .where('project_id', '=', QUARRY)
      .where('account_id', '=', RITA.id)
      .execute()
    const { json } = await list(`${QUARRY}_3`, RITA)
    expect(json).toMatchObject([
      { username: 'rita', email: RITA.email, status: 'R' },
      { username: 'victor', email: null, status: null },
    ])
    const { id } = await context.db
      .insertInto('user_group')
      .values({ project_id: QUARRY, short_name: 'guests', created_on: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await context.db
      .insertInto('user_group_member')
      .values([OLGA, VICTOR].map((person) => ({ project_id: QUARRY, user_group_id: id, account_id: person.id })))
      .execute()
    expect(await logins(id, RITA)).toEqual(['victor'])
    expect(await logins(id, VICTOR)).toEqual(['olga', 'victor'])
  })

  test.each([
    { who: TOM, id: `${ORCHARD}_3`, status: 403, reason: 'permission_denied' },
    { who: GUS, id: LEADS, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: `${VAULT}_3`, status: 404, reason: 'not_found' },
    { who: OLGA, id: KEEPERS, status: 404, reason: 'not_found' },
    { who: OLGA, id: 3999, status: 404, reason: 'not_found' },
    { who: ADA, id: 2, status: 404, reason: 'not_found' },
    { who: ADA, id: 3, status: 400, reason: 'id_malformed' },
    { who: MARA, id: `${MARSH}_3`, status: 404, reason: 'project_suspended' },
  ])('refuses $who.login the users of $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await list(id, who)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('refuses anonymous callers', async () => {
    for (const id of [`${ORCHARD}_3`, `${VAULT}_3`, LEADS, 3999, 2])
      expect((await api.get(`/user_groups/${id}/users`)).status).toBe(401)
  })

  test('shows suspended users', async () => {
    expect((await list(`${ORCHARD}_3`, MARA, named('sam'))).json).toMatchObject([{ id: SAM.id, status: 'S' }])
  })
})
