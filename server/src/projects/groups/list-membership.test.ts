import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, PIA, RITA, SAM, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, NURSERY, ORCHARD, QUARRY, SHADOWS, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const list = (id: number | string, as: typeof MARA | undefined, more = '') =>
  api.get(`/users/${id}/membership?${more}`, as && { as })

describe('GET /users/{id}/membership', () => {
  test.each([
    { who: UMA, names: ['site_active', 'orchard_project_members', `ug_${LEADS}`, `ug_${SHADOWS}`] },
    { who: GUS, names: ['site_active', `ug_${LEADS}`, `ug_${SHADOWS}`] },
    {
      who: MARA,
      names: [
        'site_active',
        'orchard_project_members',
        'orchard_project_admin',
        'nursery_project_members',
        'nursery_project_admin',
      ],
    },
    { who: RITA, names: ['site_restricted', 'quarry_project_members'] },
    { who: OLGA, names: ['site_active'] },
  ])('names the groups of $who.login', async ({ who, names }) => {
    const { json, headers } = await list('self', who)
    expect(json).toEqual(names)
    expect(headers['x-pagination-size']).toBe(String(names.length))
    expect((await list(who.id, who)).json).toEqual(names)
    expect((await list(who.id, ADA)).json).toEqual(names)
    expect((await list('self', who, 'scope=project')).json).toEqual(names.slice(1))
  })

  test('returns ids', async () => {
    expect((await list('self', MARA, 'scope=project&format=id')).json).toEqual([
      `${ORCHARD}_3`,
      `${ORCHARD}_4`,
      `${NURSERY}_3`,
      `${NURSERY}_4`,
    ])
    expect((await list(UMA.id, ADA, 'scope=project&format=id')).json).toEqual([
      `${ORCHARD}_3`,
      String(LEADS),
      String(SHADOWS),
    ])
  })

  test('returns groups in full', async () => {
    const { json } = await list('self', VICTOR, 'scope=project&format=full')
    expect(json.map(({ id }: { id: string }) => id)).toEqual([
      `${VAULT}_3`,
      `${VAULT}_4`,
      `${QUARRY}_3`,
      `${QUARRY}_4`,
      String(KEEPERS),
    ])
    expect(json[0]).toEqual((await api.get(`/user_groups/${VAULT}_3`, { as: VICTOR })).json)
    expect(json[4]).toEqual((await api.get(`/user_groups/${KEEPERS}`, { as: VICTOR })).json)
  })

  test('names svn administrators', async () => {
    await context.db
      .updateTable('project_member')
      .set({ is_svn_admin: true })
      .where('project_id', '=', ORCHARD)
      .where('account_id', '=', TOM.id)
      .execute()
    expect((await list('self', TOM, 'scope=project&format=id')).json).toEqual([`${ORCHARD}_3`, `${ORCHARD}_19`])
  })

  test('omits groups of projects that the viewer may not enter', async () => {
    await context.db
      .insertInto('user_group_member')
      .values({ project_id: VAULT, user_group_id: KEEPERS, account_id: GUS.id })
      .execute()
    expect((await list('self', GUS, 'scope=project')).json).toEqual([`ug_${LEADS}`, `ug_${SHADOWS}`])
    expect((await list(GUS.id, ADA, 'scope=project')).json).toEqual([`ug_${LEADS}`, `ug_${KEEPERS}`, `ug_${SHADOWS}`])
  })

  test('is empty for an inactive user', async () => {
    expect((await list(SAM.id, ADA)).json).toEqual([])
    expect((await list(PIA.id, ADA, 'scope=project&format=full')).json).toEqual([])
  })

  test.each([
    { who: TOM, id: MARA.id, more: '', status: 403, reason: 'permission_denied' },
    { who: TOM, id: 1999, more: '', status: 404, reason: 'not_found' },
    { who: TOM, id: PIA.id, more: '', status: 404, reason: 'not_found' },
    { who: RITA, id: TOM.id, more: '', status: 404, reason: 'not_found' },
    { who: undefined, id: TOM.id, more: '', status: 401, reason: 'authentication_required' },
    { who: undefined, id: 1999, more: '', status: 401, reason: 'authentication_required' },
    { who: TOM, id: 'tom', more: '', status: 400, reason: 'id_malformed' },
    { who: TOM, id: 'self', more: 'format=id', status: 400, reason: 'parameter_conflict' },
    { who: TOM, id: 'self', more: 'format=full', status: 400, reason: 'parameter_conflict' },
    { who: TOM, id: 'self', more: 'scope=project&format=short', status: 400, reason: 'parameter_not_allowed' },
    { who: TOM, id: 'self', more: 'scope=all', status: 400, reason: 'parameter_not_allowed' },
  ])('refuses $who.login $id $more with $reason', async ({ who, id, more, status, reason }) => {
    const answer = await list(id, who, more)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('supports XML, also for single names', async () => {
    const { text } = await api.get('/users/self/membership.xml', { as: OLGA })
    expect(text).toContain('<response><item>site_active</item></response>')
  })
})
