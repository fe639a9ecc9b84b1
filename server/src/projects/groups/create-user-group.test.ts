import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const create = (body: object, as = MARA) =>
  api.post('/user_groups', { as, body: { project_id: ORCHARD, short_name: 'pickers', ...body } })

describe('POST /user_groups', () => {
  test('creates a group without members', async () => {
    const { status, json, headers } = await create({ description: 'In autumn' })

    expect(status).toBe(201)
    expect(json).toMatchObject({
      uri: `user_groups/${json.id}`,
      label: 'pickers',
      short_name: 'pickers',
      key: 'pickers',
      project: { id: ORCHARD },
    })
    expect(headers['location']).toBe(`https://waypost.example/api/user_groups/${json.id}`)
    expect((await api.get(`/user_groups/${json.id}`)).json).toEqual(json)
    expect((await api.get(`/user_groups/${json.id}/users`, { as: MARA })).json).toEqual([])
  })

  test('leaves an audit row and an event', async () => {
    const { json } = await create({})
    const audit = await context.db.selectFrom('audit').selectAll().where('action', '=', 'user_group.create').execute()
    expect(audit).toMatchObject([{ object: `user_groups/${json.id}`, project_id: ORCHARD, actor_id: MARA.id }])
    expect(await context.db.selectFrom('event').select('type').execute()).toEqual([{ type: 'project.changed' }])
  })

  test.each([
    { body: { short_name: 'has space' }, reason: 'name_invalid' },
    { body: { short_name: 'dot.ted' }, reason: 'name_invalid' },
    { body: { short_name: '' }, reason: 'name_invalid' },
    { body: { short_name: 'LEADS' }, reason: 'name_taken' },
    { body: { short_name: 'project_members' }, reason: 'name_taken' },
    { body: { short_name: undefined }, reason: 'parameter_required' },
    { body: { project_id: 2999 }, reason: 'reference_unknown' },
    { body: { project_id: VAULT }, reason: 'reference_unknown' },
    { body: { project_id: -1 }, reason: 'reference_unknown' },
    { body: { project_id: MARSH }, reason: 'reference_unknown' },
    { body: { project_id: 'orchard' }, reason: 'parameter_invalid' },
  ])('refuses $body with $reason', async ({ body, reason }) => {
    expect(await create(body)).toMatchObject({ status: 400, json: { error: { reason } } })
  })

  test('refuses callers who are not administrators', async () => {
    expect((await create({}, TOM)).json.error.details.who_may).toEqual(['project_admin'])
    expect((await create({}, OLGA)).status).toBe(403)
    expect((await api.post('/user_groups', { body: { project_id: ORCHARD, short_name: 'pickers' } })).status).toBe(401)
    expect((await create({}, ADA)).status).toBe(201)
  })

  test('creates nothing in a suspended project', async () => {
    expect(await create({ project_id: MARSH }, ADA)).toMatchObject({
      status: 400,
      json: { error: { reason: 'rule_violated', details: { cause: 'project_suspended' } } },
    })
  })

  test('gives a name once under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({})))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '400', '400', '400', '400'])
  })

  test('accepts XML', async () => {
    const { status } = await api.post('/user_groups', {
      as: MARA,
      headers: { 'content-type': 'application/xml' },
      body: `<request><project_id>${ORCHARD}</project_id><short_name>007</short_name></request>`,
    })
    expect(status).toBe(201)
  })
})
