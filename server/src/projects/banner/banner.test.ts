import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { VAULT_CANARY } from '../../../test/fixtures/canaries.ts'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, RUIN, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const banner = (id: number) => `/projects/${id}/banner`
const message = 'Freeze until Friday'

describe('the banner of a project', () => {
  test('is set by an administrator, read by everyone who may enter, and removed', async () => {
    const set = await api.put(banner(ORCHARD), { as: MARA, body: { message } })
    expect({ status: set.status, text: set.text }).toEqual({ status: 200, text: '' })
    expect((await api.get(banner(ORCHARD))).json).toEqual({ message })
    expect((await api.get(`${banner(ORCHARD)}.xml`)).text).toContain(`<message>${message}</message>`)

    const gone = await api.delete(banner(ORCHARD), { as: ADA })
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 200, text: '' })
    expect(await api.get(banner(ORCHARD))).toMatchObject({ status: 404, json: { error: { reason: 'not_set' } } })
    expect((await api.delete(banner(ORCHARD), { as: MARA })).status).toBe(200)
    expect((await api.get(banner(VAULT), { as: VICTOR })).json).toEqual({ message: VAULT_CANARY })
  })

  test('leaves audit rows and events, and none if nothing changes', async () => {
    await api.put(banner(ORCHARD), { as: MARA, body: { message } })
    await api.put(banner(ORCHARD), { as: MARA, body: { message } })
    await api.delete(banner(ORCHARD), { as: MARA })

    const audit = await context.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'project.banner')
      .orderBy('id')
      .execute()
    expect(audit).toMatchObject([
      { project_id: ORCHARD, before: { message: null }, after: { message } },
      { project_id: ORCHARD, before: { message }, after: { message: null } },
    ])
    const events = await context.db.selectFrom('event').select(['type', 'payload']).execute()
    const changed = { type: 'project.changed', payload: { changed: ['banner'] } }
    expect(events).toEqual([changed, changed])
  })

  test.each([
    { who: TOM, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: undefined, id: ORCHARD, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: undefined, id: VAULT, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: 2999, status: 404, reason: 'not_found' },
    { who: MARA, id: MARSH, status: 404, reason: 'project_suspended' },
    { who: ADA, id: MARSH, status: 400, reason: 'rule_violated' },
    { who: ADA, id: RUIN, status: 404, reason: 'not_found' },
    { who: MARA, id: RUIN, status: 404, reason: 'not_found' },
  ])('cannot be written by $who.login in $id: $reason', async ({ who, id, status, reason }) => {
    for (const answer of [
      await api.put(banner(id), { ...(who && { as: who }), body: { message } }),
      await api.delete(banner(id), { ...(who && { as: who }) }),
    ]) {
      expect(answer.status).toBe(status)
      expect(answer.json.error.reason).toBe(reason)
    }
  })

  test('asks anonymous callers to sign in before it checks the body', async () => {
    expect((await api.put(banner(ORCHARD), { body: {} })).status).toBe(401)
    expect((await api.put('/projects/abc/banner', { body: { message } })).status).toBe(401)
  })

  test('tells a site administrator why a suspended project is read-only', async () => {
    const { json } = await api.put(banner(MARSH), { as: ADA, body: { message } })
    expect(json.error.details.cause).toBe('project_suspended')
  })

  test.each([{ message: '' }, { message: '  ' }, { message: null }, { message: 5 }, {}])(
    'cannot be %j',
    async (body) => {
      expect((await api.put(banner(ORCHARD), { as: MARA, body })).status).toBe(400)
    },
  )

  test.each([
    { who: OLGA, id: VAULT, status: 404 },
    { who: OLGA, id: 2999, status: 404 },
    { who: undefined, id: VAULT, status: 401 },
    { who: undefined, id: 2999, status: 401 },
  ])('is hidden with its project $id from $who.login', async ({ who, id, status }) => {
    expect((await api.get(banner(id), who && { as: who })).status).toBe(status)
  })
})
