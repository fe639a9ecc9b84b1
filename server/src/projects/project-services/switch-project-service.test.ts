import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, ORCHARD_SUMMARY, ORCHARD_SVN, VAULT_SVN } from '../../../test/fixtures/seed-ids.ts'
import type { ProjectServiceId } from '../project.ts'

const { api, context } = await startWorld()

const turn = (id: number, is_enabled: unknown, as: typeof MARA | undefined = MARA) =>
  api.put(`/project_services/${id}`, { as, body: { is_enabled } })
const isOn = async (id: ProjectServiceId) =>
  (await context.db.selectFrom('project_service').select('is_enabled').where('id', '=', id).executeTakeFirst())
    ?.is_enabled

describe('PUT /project_services/{id}', () => {
  test('switches a service off and on', async () => {
    const { status, text } = await turn(ORCHARD_SVN, false)
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(await isOn(ORCHARD_SVN)).toBe(false)
    await turn(ORCHARD_SVN, true, ADA)
    expect(await isOn(ORCHARD_SVN)).toBe(true)
  })

  test('leaves an audit row and an event, and increments the rights epoch', async () => {
    const epoch = async () => {
      const project = context.db.selectFrom('project').select('rights_epoch').where('id', '=', ORCHARD)
      return (await project.executeTakeFirstOrThrow()).rights_epoch
    }
    const before = await epoch()
    await turn(ORCHARD_SVN, false)
    await turn(ORCHARD_SVN, false)

    const audit = await context.db.selectFrom('audit').selectAll().where('action', '=', 'project.service').execute()
    expect(audit).toMatchObject([
      {
        object: `project_services/${ORCHARD_SVN}`,
        project_id: ORCHARD,
        before: { is_enabled: true },
        after: { is_enabled: false },
      },
    ])
    expect(await context.db.selectFrom('event').select(['type', 'payload']).execute()).toEqual([
      { type: 'project.changed', payload: { changed: ['services'] } },
    ])
    expect(await epoch()).toBe(before + 1)
  })

  test.each([
    { who: TOM, id: ORCHARD_SVN, to: false, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: VAULT_SVN, to: false, status: 404, reason: 'not_found' },
    { who: OLGA, id: 5999, to: false, status: 404, reason: 'not_found' },
    { who: ADA, id: 5999, to: false, status: 404, reason: 'not_found' },
    { who: MARA, id: ORCHARD_SUMMARY, to: false, status: 400, reason: 'rule_violated' },
    { who: MARA, id: ORCHARD_SVN, to: 'off', status: 400, reason: 'parameter_invalid' },
  ])('refuses $who.login to turn $id to $to with $reason', async ({ who, id, to, status, reason }) => {
    const answer = await turn(id, to, who)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('reveals nothing to anonymous callers', async () => {
    const refusals = await Promise.all(
      [ORCHARD_SVN, VAULT_SVN, 5999].map((id) =>
        api.put(`/project_services/${id}`, { headers: { 'x-request-id': 'same' }, body: { is_enabled: true } }),
      ),
    )
    expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(refusals[0]?.status).toBe(401)
  })

  test('changes nothing in a suspended project', async () => {
    const { id } = await context.db
      .insertInto('project_service')
      .values({ project_id: MARSH, name: 'plugin_svn', label: 'Subversion', is_enabled: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await turn(id, false, ADA)).json.error.details.cause).toBe('project_suspended')
    expect((await turn(id, false, MARA)).json.error.reason).toBe('project_suspended')
    expect(await isOn(id)).toBe(true)
  })

  test('accepts XML', async () => {
    const answer = await api.put(`/project_services/${ORCHARD_SVN}`, {
      as: MARA,
      headers: { 'content-type': 'application/xml' },
      body: '<request><is_enabled>false</is_enabled></request>',
    })
    expect(answer.status).toBe(200)
    expect(await isOn(ORCHARD_SVN)).toBe(false)
  })
})
