import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, RITA, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
const SETTINGS = {
  commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
  immutable_tags: { paths: ['/tags'], whitelist: [] },
  access_file: '',
  email_notifications: [],
}
let id: number
let count = 0

beforeEach(async () => {
  id = (await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: `core${count++}` } })).json.id
})

const put = (settings: object, as = MARA, more = {}) => api.put(`/svn/${id}`, { as, body: { settings, ...more } })

describe('PUT /svn/{id}', () => {
  test.each(['commit_rules', 'immutable_tags', 'access_file', 'email_notifications'])(
    'requires all settings: refuses a request without %s',
    async (name) => {
      const { status, json } = await put(Object.fromEntries(Object.entries(SETTINGS).filter(([each]) => each !== name)))
      expect([status, json.error.reason, json.error.details.path]).toEqual([
        400,
        'parameter_required',
        `settings.${name}`,
      ])
    },
  )

  test('requires both members of commit_rules and immutable_tags', async () => {
    const rules = await put({ ...SETTINGS, commit_rules: { is_reference_mandatory: true } })
    expect(rules.json.error.details.path).toBe('settings.commit_rules.is_commit_message_change_allowed')
    const tags = await put({ ...SETTINGS, immutable_tags: { whitelist: [] } })
    expect(tags.json.error.details.path).toBe('settings.immutable_tags.paths')
  })

  test('replaces all settings, or none', async () => {
    const wanted = {
      commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: true },
      immutable_tags: { paths: ['/tags', '/*/tags'], whitelist: ['/tags/a'] },
      access_file: '[/a]\n* = r',
      email_notifications: [{ path: '/trunk', emails: ['dev@waypost.example'], users: [], user_groups: [] }],
      has_default_permissions: false,
    }
    const { status, json } = await put(wanted)
    expect([status, json.settings]).toEqual([200, wanted])
    expect((await put({ ...SETTINGS, access_file: '[/' })).status).toBe(400)
    expect((await api.get(`/svn/${id}`, { as: MARA })).json.settings).toEqual(wanted)
    const again = await put(SETTINGS)
    expect(again.json.settings).toEqual({ ...SETTINGS, has_default_permissions: true })
  })

  test.each([
    ['notifies', { email_notifications: [{ path: '/', emails: [], users: [], user_groups: ['GROUP'] }] }],
    ['names in the access file', { access_file: '[/a]\n@pickers = r' }],
  ])('keeps a group that it %s from being deleted', async (_, settings) => {
    const made = await api.post('/user_groups', { as: MARA, body: { project_id: ORCHARD, short_name: 'pickers' } })
    const group = made.json.id
    const given = JSON.parse(JSON.stringify({ ...SETTINGS, ...settings }).replace('GROUP', group))
    expect((await put(given)).status).toBe(200)
    const label = (await api.get(`/svn/${id}`, { as: MARA })).json.name

    const { status, json } = await api.delete(`/user_groups/${group}`, { as: MARA })
    expect([status, json.error?.details.used_by]).toEqual([400, [{ type: 'repository', id, label }]])

    await put(SETTINGS)
    expect((await api.delete(`/user_groups/${group}`, { as: MARA })).status).toBe(200)
  })

  test('refuses a layout, and ignores name and project', async () => {
    const { json } = await put({ ...SETTINGS, layout: ['trunk'] })
    expect([json.error.reason, json.error.details.path]).toEqual(['member_unknown', 'settings.layout'])
    const renamed = await put(SETTINGS, MARA, { name: 'other', project_id: VAULT })
    expect([renamed.status, renamed.json.project.id]).toEqual([200, ORCHARD])
    expect(renamed.json.name).not.toBe('other')
  })

  test('requires an administrator, hides hidden repositories, and validates the body first', async () => {
    expect((await put(SETTINGS, TOM)).json.error.details.who_may).toEqual(['svn_admin'])
    expect((await put(SETTINGS, ADA)).status).toBe(200)
    expect((await api.put(`/svn/${id}`, { body: { settings: SETTINGS } })).status).toBe(401)
    const hidden = (await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: `v${count}ault` } })).json.id
    for (const as of [MARA, OLGA, RITA])
      expect((await api.put(`/svn/${hidden}`, { as, body: { settings: SETTINGS } })).status).toBe(404)
    expect((await api.put(`/svn/${hidden}`, { as: MARA, body: { settings: {} } })).status).toBe(400)
    expect((await api.put('/svn/99999', { as: MARA, body: { settings: SETTINGS } })).status).toBe(404)
    expect(MARSH).toBeGreaterThan(0)
  })

  test('keeps the version if nothing changes, and refuses a stale If-Match', async () => {
    const { headers } = await api.get(`/svn/${id}`, { as: MARA })
    const first = await api.put(`/svn/${id}`, {
      as: MARA,
      body: { settings: SETTINGS },
      headers: { 'if-match': String(headers.etag) },
    })
    expect(first.status).toBe(200)
    expect((await put(SETTINGS)).headers.etag).toBe(first.headers.etag)
    const stale = await api.put(`/svn/${id}`, {
      as: MARA,
      body: { settings: SETTINGS },
      headers: { 'if-match': String(headers.etag) },
    })
    expect(stale.status).toBe(412)
  })

  test('describes the changes and stores nothing in a dry run', async () => {
    const { json } = await api.put(`/svn/${id}?dry_run=true`, {
      as: MARA,
      body: { settings: { ...SETTINGS, access_file: '[/a]\n* = r' } },
    })
    expect(json.dry_run.changes).toEqual([
      {
        object: `svn/${id}`,
        op: 'update',
        fields: [
          { name: 'immutable_tags', before: { paths: [], whitelist: [] }, after: { paths: ['/tags'], whitelist: [] } },
          { name: 'access_file', before: '', after: '[/a]\n* = r' },
        ],
      },
    ])
    expect((await api.get(`/svn/${id}`, { as: MARA })).json.settings.access_file).toBe('')
  })
})
