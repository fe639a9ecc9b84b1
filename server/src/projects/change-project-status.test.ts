import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, RUIN, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const change = (id: number, status: unknown, as = ADA) => api.patch(`/projects/${id}`, { as, body: { status } })

describe('PATCH /projects/{id}', () => {
  test('suspends a project, and its members get an error that says so', async () => {
    const { status, text } = await change(ORCHARD, 'suspended')

    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect((await api.get(`/projects/${ORCHARD}`, { as: TOM })).json.error.reason).toBe('project_suspended')
    expect((await api.get(`/projects/${ORCHARD}`, { as: OLGA })).json.error.reason).toBe('not_found')
    expect((await api.get(`/projects/${ORCHARD}`)).status).toBe(401)
    expect((await change(ORCHARD, 'active')).status).toBe(200)
    expect((await api.get(`/projects/${ORCHARD}`)).status).toBe(200)
  })

  test('leaves an audit row and events, and increments the rights epoch', async () => {
    const epoch = () =>
      context.db.selectFrom('project').select('rights_epoch').where('id', '=', MARSH).executeTakeFirstOrThrow()
    const before = await epoch()
    await change(MARSH, 'active')
    await change(MARSH, 'active')

    expect((await epoch()).rights_epoch).toBe(before.rights_epoch + 1)
    const audit = await context.db.selectFrom('audit').selectAll().where('action', '=', 'project.status').execute()
    expect(audit).toMatchObject([
      {
        actor_id: ADA.id,
        object: `projects/${MARSH}`,
        project_id: MARSH,
        before: { status: 'suspended' },
        after: { status: 'active' },
      },
    ])
    const events = await context.db.selectFrom('event').selectAll().orderBy('id').execute()
    expect(events.map(({ type, payload }) => [type, payload])).toEqual([
      ['project.changed', { changed: ['status'] }],
      ['rights.changed', {}],
    ])
  })

  test.each([
    { who: MARA, id: ORCHARD, to: 'suspended', status: 403, reason: 'permission_denied' },
    { who: OLGA, id: VAULT, to: 'suspended', status: 404, reason: 'not_found' },
    { who: OLGA, id: 2999, to: 'suspended', status: 404, reason: 'not_found' },
    { who: TOM, id: MARSH, to: 'active', status: 404, reason: 'project_suspended' },
    { who: ADA, id: 2999, to: 'suspended', status: 404, reason: 'not_found' },
    { who: ADA, id: 100, to: 'suspended', status: 403, reason: 'project_protected' },
    { who: ADA, id: RUIN, to: 'active', status: 403, reason: 'project_protected' },
    { who: ADA, id: ORCHARD, to: 'deleted', status: 400, reason: 'parameter_not_allowed' },
    { who: ADA, id: ORCHARD, to: 5, status: 400, reason: 'parameter_not_allowed' },
    { who: ADA, id: ORCHARD, to: undefined, status: 400, reason: 'parameter_required' },
  ])('refuses $who.login the status $to of $id with $reason', async ({ who, id, to, status, reason }) => {
    const answer = await change(id, to, who)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('refuses anonymous callers without revealing anything', async () => {
    const refusals = await Promise.all(
      [ORCHARD, VAULT, 2999].map((id) =>
        api.patch(`/projects/${id}`, { headers: { 'x-request-id': 'same' }, body: { status: 'active' } }),
      ),
    )
    expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(refusals[0]?.status).toBe(401)
  })

  test('reports only in a dry run', async () => {
    const { json } = await api.patch(`/projects/${ORCHARD}?dry_run=true`, { as: ADA, body: { status: 'suspended' } })
    expect(json.dry_run.changes).toEqual([
      {
        object: `projects/${ORCHARD}`,
        op: 'update',
        fields: [{ name: 'status', before: 'active', after: 'suspended' }],
      },
    ])
    expect((await api.get(`/projects/${ORCHARD}`)).status).toBe(200)
  })
})
