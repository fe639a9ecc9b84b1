import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const rename = (group: string | number, short_name: unknown, as: TestPerson = MARA) =>
  api.patch(`/user_groups/${group}`, { as, body: { short_name } })
const epoch = async () =>
  (await context.db.selectFrom('project').select('rights_epoch').where('id', '=', ORCHARD).executeTakeFirst())
    ?.rights_epoch

describe('PATCH /user_groups/{id}', () => {
  test('renames a group, and keeps its members', async () => {
    const before = (await epoch()) ?? 0
    const { status, json } = await rename(LEADS, ' Pickers ')
    expect([status, json.short_name, json.id]).toEqual([200, 'Pickers', String(LEADS)])
    expect((await api.get(`/user_groups/${LEADS}`, { as: MARA })).json).toEqual(json)
    expect((await api.get(`/user_groups/${LEADS}/users`, { as: MARA })).json).toHaveLength(2)
    expect(await epoch()).toBe(before + 1)
    expect(await audited(context, 'user_group.update')).toMatchObject([
      { object: `user_groups/${LEADS}`, before: { short_name: 'leads' }, after: { short_name: 'Pickers' } },
    ])
  })

  test('accepts another case of its name, and leaves no trace if the name stays', async () => {
    expect((await rename(LEADS, 'leads')).status).toBe(200)
    expect(await audited(context, 'user_group.update')).toEqual([])
    expect((await rename(LEADS, 'Leads')).json.short_name).toBe('Leads')
  })

  test.each([
    { short_name: 'two words', reason: 'name_invalid' },
    { short_name: '', reason: 'name_invalid' },
    { short_name: 'Project_Admins', reason: 'name_taken' },
    { short_name: 'PICKERS', reason: 'name_taken' },
  ])('refuses $short_name with $reason', async ({ short_name, reason }) => {
    await api.post('/user_groups', { as: MARA, body: { project_id: ORCHARD, short_name: 'pickers' } })
    expect(await rename(LEADS, short_name)).toMatchObject(refused(400, reason, { path: 'short_name' }))
    expect((await api.get(`/user_groups/${LEADS}`, { as: MARA })).json.short_name).toBe('leads')
  })

  test('of two groups that get one name at once, one keeps its own', async () => {
    const { json } = await api.post('/user_groups', { as: MARA, body: { project_id: ORCHARD, short_name: 'pickers' } })
    expect(statusesOf(await Promise.all([rename(LEADS, 'same'), rename(json.id, 'same')]))).toEqual([200, 400])
  })

  test('is refused to others, and for groups of the platform', async () => {
    expect(await rename(LEADS, 'mine', TOM)).toMatchObject(refused(403, 'permission_denied'))
    for (const group of [`${ORCHARD}_3`, `${ORCHARD}_4`, 2])
      expect((await rename(group, 'mine')).json.error.reason).toBe('group_not_editable')
  })
})
