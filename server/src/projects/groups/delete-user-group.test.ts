import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, LEADS, ORCHARD, SHADOWS } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const make = async (short_name = 'pickers'): Promise<number> =>
  Number((await api.post('/user_groups', { as: MARA, body: { project_id: ORCHARD, short_name } })).json.id)
const remove = (group: number | string, as: TestPerson = MARA, query = '') =>
  api.delete(`/user_groups/${group}${query}`, { as })
const elements = [{ name: 'summary', type: 'string', label: 'Summary' }]
const inUse = (used_by: object[]) => refused(400, 'rule_violated', { cause: 'group_used', used_by })

describe('DELETE /user_groups/{id}', () => {
  test('deletes a group with its members, who stay in the project', async () => {
    const group = await make()
    await api.patch(`/user_groups/${group}/users`, { as: MARA, body: { add: [{ id: TOM.id }] } })

    expect(await remove(group)).toMatchObject({ status: 200, text: '' })

    expect((await api.get(`/user_groups/${group}`, { as: MARA })).status).toBe(404)
    expect((await api.get(`/user_groups/${ORCHARD}_3/users?limit=50`, { as: MARA })).text).toContain('"tom"')
    expect(await audited(context, 'user_group.delete')).toMatchObject([
      { object: `user_groups/${group}`, before: { short_name: 'pickers' } },
    ])
    expect(Number.isInteger(await make())).toBe(true)
  })

  test.each([
    ['permissions', { permissions: { full: ['pickers'] } }],
    ['people to choose', { bind: { type: 'users', sources: ['pickers'] } }],
    ['groups to choose', { bind: { type: 'ugroups', groups: ['pickers'] } }],
    ['permissions of a field', { read: ['pickers'] }],
  ])('refuses a group that the definition of a tracker names: %s', async (_, { permissions, bind, read }: Named) => {
    const group = await make()
    const { id } = await makeTestTracker(api, {
      label: 'Picking',
      item_name: 'picking',
      permissions: permissions ?? { full: ['@members'] },
      elements: [
        ...elements,
        ...(bind ? [{ name: 'who', type: 'sb', label: 'Who', bind }] : []),
        ...(read ? [{ name: 'secret', type: 'string', label: 'Secret', permissions: { read } }] : []),
      ],
    })

    expect(await remove(group)).toMatchObject(inUse([{ type: 'tracker', id, label: 'Picking' }]))
    expect((await api.get(`/user_groups/${group}`, { as: MARA })).status).toBe(200)

    await api.delete(`/trackers/${id}`, { as: MARA })
    expect((await remove(group)).status).toBe(400)
  })

  test('refuses a group that alone may read a comment', async () => {
    const group = await make()
    const values = [{ field_id: BUG.summary, value: 'Gate' }]
    const { json } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    await context.db
      .updateTable('changeset')
      .set({ comment_groups: [group] })
      .where('artifact_id', '=', json.id)
      .execute()

    expect(await remove(group)).toMatchObject(inUse([{ type: 'tracker', id: BUGS }]))
  })

  test('names everything that refers to it, and as a dry run deletes nothing', async () => {
    const { json } = await remove(LEADS)
    const used = json.error.details.used_by.map(({ type, id }: { type: string; id: number }) => `${type} ${id}`)
    expect(used).toEqual(expect.arrayContaining([`user_group ${SHADOWS}`, `tracker ${BUGS}`]))
    expect(new Set(used).size).toBe(used.length)

    const group = await make()
    expect((await remove(group, MARA, '?dry_run=true')).json.dry_run).toMatchObject({ status: 200 })
    expect((await api.get(`/user_groups/${group}`, { as: MARA })).status).toBe(200)
  })

  test('is for administrators of the project, and not for groups of the platform', async () => {
    const group = await make()
    expect(await remove(group, TOM)).toMatchObject(refused(403, 'permission_denied'))
    for (const fixed of [`${ORCHARD}_3`, `${ORCHARD}_4`, '2'])
      expect((await remove(fixed)).json.error.reason).toBe('group_not_editable')
    expect((await remove(group, ADA)).status).toBe(200)
  })
})

interface Named {
  readonly permissions?: { readonly full: readonly string[] }
  readonly bind?: object
  readonly read?: readonly string[]
}
