import { describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { installLanguage } from '../../platform/messages/catalogue.ts'

const { api } = await startWorld({ seedOnce: true })

const get = (id: string | number, as?: typeof TOM) => api.get(`/user_groups/${id}`, as && { as })

describe('GET /user_groups/{id}', () => {
  test('shows a group of a project with the project', async () => {
    expect((await get(`${ORCHARD}_3`)).json).toEqual({
      id: `${ORCHARD}_3`,
      uri: `user_groups/${ORCHARD}_3`,
      label: 'Project members',
      users_uri: `user_groups/${ORCHARD}_3/users`,
      short_name: 'project_members',
      key: 'ugroup_project_members_name_key',
      additional_information: {},
      project: {
        id: ORCHARD,
        uri: `projects/${ORCHARD}`,
        label: '🌳 Orchard',
        label_without_icon: 'Orchard',
        shortname: 'orchard',
        status: 'active',
        access: 'public',
        is_template: false,
      },
    })
  })

  test.each([
    {
      id: `${ORCHARD}_4`,
      answers: `${ORCHARD}_4`,
      short_name: 'project_admins',
      key: 'ugroup_project_admins_name_key',
    },
    { id: `${ORCHARD}_19`, answers: `${ORCHARD}_19`, short_name: 'svn_admins', key: 'svn_admins' },
    { id: LEADS, answers: String(LEADS), short_name: 'leads', key: 'leads' },
    { id: `${ORCHARD}_${LEADS}`, answers: String(LEADS), short_name: 'leads', key: 'leads' },
    { id: 1, answers: '1', short_name: 'all_users', key: 'ugroup_anonymous_users_name_key' },
    { id: 2, answers: '2', short_name: 'registered_users', key: 'ugroup_registered_users_name_key' },
    { id: 5, answers: '5', short_name: 'authenticated_users', key: 'ugroup_authenticated_users_name_key' },
    { id: 100, answers: '100', short_name: 'nobody', key: 'ugroup_nobody_name_key' },
  ])('knows $id as $short_name', async ({ id, answers, short_name, key }) => {
    const { json } = await get(id)
    expect(json).toMatchObject({ id: answers, short_name, key })
    expect(json.project === null).toBe(!String(id).startsWith('2001') && id !== LEADS)
  })

  test.each([
    '0',
    '3',
    '4',
    '19',
    '99',
    `${ORCHARD}_2`,
    `${ORCHARD}_0`,
    `${ORCHARD}_100`,
    'leads',
    `${ORCHARD}_`,
    '_3',
    '1_2_3',
    '-5',
    '1.5',
  ])('refuses %s as malformed', async (id) => {
    expect(await get(id, TOM)).toMatchObject({ status: 400, json: { error: { reason: 'id_malformed' } } })
  })

  test.each([
    { id: 3999, who: TOM },
    { id: '2999_3', who: TOM },
    { id: `${ORCHARD}_11`, who: TOM },
    { id: `${VAULT}_3`, who: TOM },
    { id: KEEPERS, who: TOM },
    { id: `${ORCHARD}_${KEEPERS}`, who: TOM },
    { id: `${ORCHARD}_${KEEPERS}`, who: ADA },
    { id: `${VAULT}_${LEADS}`, who: VICTOR },
    { id: '99999999999999999999', who: TOM },
    { id: '0_3', who: TOM },
  ])('does not find $id for $who.login', async ({ id, who }) => {
    expect(await get(id, who)).toMatchObject({ status: 404, json: { error: { reason: 'not_found' } } })
    expect((await get(id)).status).toBe(401)
  })

  test('answers the same for hidden and absent', async () => {
    const refusals = await Promise.all(
      [3999, KEEPERS, `${VAULT}_3`, '2999_3', `${VAULT}_11`].map((id) =>
        api.get(`/user_groups/${id}`, { as: OLGA, headers: { 'x-request-id': 'same' } }),
      ),
    )
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1)
  })

  test('is hidden with a suspended project, and its members get an error that says so', async () => {
    expect((await get(`${MARSH}_3`, MARA)).json.error.reason).toBe('project_suspended')
    expect((await get(`${MARSH}_3`, ADA)).status).toBe(200)
  })

  test('supports XML', async () => {
    const { text } = await api.get('/user_groups/2.xml')
    expect(text).toContain('<id>2</id>')
    expect(text).toContain('<additional_information/><project></project>')
  })

  test('translates the label and never the names', async () => {
    const texts = { 'group.project_members': 'sɹǝqɯǝɯ' }
    onTestFinished(installLanguage({ tag: 'en-XB', reasons: {}, causes: {}, texts }))
    const { json } = await api.get(`/user_groups/${ORCHARD}_3`, { headers: { 'accept-language': 'en-XB' } })
    expect(json).toMatchObject({
      label: 'sɹǝqɯǝɯ',
      short_name: 'project_members',
      key: 'ugroup_project_members_name_key',
    })
  })
})
