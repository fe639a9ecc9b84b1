import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA, RITA } from '../../test/fixtures/people.ts'

const world = await startWorld()
const { api, context } = world
const { api: fixed } = await startWorld({ environment: { WAYPOST_TIME_ZONE: 'Europe/Vienna' } })
const other = await world.startAnother()

const patch = (body: unknown, headers = {}) => api.patch('/settings', { as: ADA, body, headers })
const auditRows = () =>
  context.db.selectFrom('audit').selectAll().where('action', '=', 'settings.update').orderBy('id').execute()

describe('PATCH /settings', () => {
  test('changes the given members, and returns all settings', async () => {
    const { status, json, headers } = await patch({ platform_name: ' Orchard Works ', query_terms: 12 })
    const read = await api.get('/settings', { as: ADA })

    expect(status).toBe(200)
    expect(json).toMatchObject({ platform_name: 'Orchard Works', query_terms: 12, key_prefix: 'tlp' })
    expect(read.json).toEqual(json)
    expect(read.headers['etag']).toBe(headers['etag'])
  })

  test('applies to the next request on every process', async () => {
    expect((await other.api.get('/version')).status).toBe(200)
    await patch({ anonymous_access: false })

    expect((await other.api.get('/version')).status).toBe(401)
    await patch({ anonymous_access: true })
    expect((await other.api.get('/version')).status).toBe(200)
  })

  test('accepts every kind of value', async () => {
    const body = {
      contact_email: 'help@waypost.example',
      restricted_users: true,
      registration: 'approval',
      project_creation: 'site_admins',
      artifact_deletion_limit: 0,
      time_zone: 'America/Sao_Paulo',
      access_key_max_days: 90,
      project_disk_quota: null,
      webhook_private_targets: ['10.0.0.0/8', '::1'],
      mail_from: '',
      mail_footer: 'Sent by a machine.\n',
    }
    const { status, json } = await patch(body)

    expect(status).toBe(200)
    expect(json).toMatchObject(body)
  })

  test('accepts XML', async () => {
    const { status, json } = await patch(
      '<request><svn_empty_messages>true</svn_empty_messages><webhook_private_targets><item>10.0.0.0/8</item></webhook_private_targets></request>',
      { 'content-type': 'application/xml' },
    )

    expect(status).toBe(200)
    expect(json).toMatchObject({ svn_empty_messages: true, webhook_private_targets: ['10.0.0.0/8'] })
  })

  test('writes one audit entry with the changes', async () => {
    await patch({ key_prefix: 'way', query_terms: 30 })

    expect(await auditRows()).toMatchObject([
      {
        actor_id: ADA.id,
        object: 'settings',
        before: { key_prefix: 'tlp' },
        after: { key_prefix: 'way' },
        outcome: 'done',
      },
    ])
  })

  test('does nothing without changes', async () => {
    const before = await api.get('/settings', { as: ADA })
    const { status, headers } = await patch({ key_prefix: 'tlp', webhook_private_targets: [] })

    expect(status).toBe(200)
    expect(headers['etag']).toBe(before.headers['etag'])
    expect(await auditRows()).toEqual([])
  })

  test('checks If-Match', async () => {
    const { headers } = await api.get('/settings', { as: ADA })
    const first = await patch({ query_terms: 20 }, { 'if-match': headers['etag'] })
    const second = await patch({ query_terms: 21 }, { 'if-match': headers['etag'] })

    expect(first.status).toBe(200)
    expect(second.status).toBe(412)
    expect(second.json.error).toMatchObject({
      reason: 'version_mismatch',
      details: { current_etag: second.headers['etag'] },
    })
    expect((await patch({ query_terms: 22 }, { 'if-match': second.headers['etag'] })).json.query_terms).toBe(22)
  })

  test('loses no concurrent change', async () => {
    const names = ['query_terms', 'query_trackers', 'query_columns', 'session_max_days', 'password_min_length']
    const answers = await Promise.all(names.map((name, at) => patch({ [name]: 40 + at })))
    const { json } = await api.get('/settings', { as: ADA })

    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    expect(names.map((name) => json[name])).toEqual([40, 41, 42, 43, 44])
  })

  test('accepts one of many concurrent requests with one ETag', async () => {
    const { headers } = await api.get('/settings', { as: ADA })
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((query_terms) => patch({ query_terms }, { 'if-match': headers['etag'] })),
    )

    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412', '412', '412', '412'])
  })

  test('supports dry runs', async () => {
    const { status, json } = await api.patch('/settings?dry_run=true', { as: ADA, body: { key_prefix: 'way' } })

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({
      status: 200,
      would_answer: { key_prefix: 'way' },
      changes: [{ object: 'settings', op: 'update', fields: [{ name: 'key_prefix', before: 'tlp', after: 'way' }] }],
    })
    expect((await api.get('/settings', { as: ADA })).json.key_prefix).toBe('tlp')
    expect(await auditRows()).toEqual([])
  })

  test.each([
    [{ colour: 'red' }, 'member_unknown', 'colour'],
    [{ fixed: [] }, 'member_unknown', 'fixed'],
    [{ platform_name: '  ' }, 'parameter_out_of_range', 'platform_name'],
    [{ platform_name: 'x'.repeat(101) }, 'parameter_out_of_range', 'platform_name'],
    [{ contact_email: 'nobody' }, 'parameter_invalid', 'contact_email'],
    [{ mail_from: 'a@b\r\nBcc: c@d' }, 'parameter_invalid', 'mail_from'],
    [{ anonymous_access: 1 }, 'parameter_invalid', 'anonymous_access'],
    [{ registration: 'maybe' }, 'parameter_not_allowed', 'registration'],
    [{ project_creation: 'nobody' }, 'parameter_not_allowed', 'project_creation'],
    [{ artifact_deletion_limit: 1_000_001 }, 'parameter_out_of_range', 'artifact_deletion_limit'],
    [{ artifact_deletion_limit: -1 }, 'parameter_out_of_range', 'artifact_deletion_limit'],
    [{ trash_retention_days: 0 }, 'parameter_out_of_range', 'trash_retention_days'],
    [{ archive_retention_days: 36_501 }, 'parameter_out_of_range', 'archive_retention_days'],
    [{ time_zone: 'Mars/Olympus' }, 'parameter_not_allowed', 'time_zone'],
    [{ time_zone: '+02:00' }, 'parameter_not_allowed', 'time_zone'],
    [{ language: 'tlh' }, 'parameter_not_allowed', 'language'],
    [{ key_prefix: 'Way' }, 'parameter_invalid', 'key_prefix'],
    [{ key_prefix: 'w' }, 'parameter_invalid', 'key_prefix'],
    [{ access_key_max_days: 3651 }, 'parameter_out_of_range', 'access_key_max_days'],
    [{ session_idle_minutes: 4 }, 'parameter_out_of_range', 'session_idle_minutes'],
    [{ session_max_days: 366 }, 'parameter_out_of_range', 'session_max_days'],
    [{ password_min_length: 7 }, 'parameter_out_of_range', 'password_min_length'],
    [{ password_min_length: 65 }, 'parameter_out_of_range', 'password_min_length'],
    [{ body_limit: 10 }, 'parameter_out_of_range', 'body_limit'],
    [{ project_disk_quota: 'much' }, 'parameter_invalid', 'project_disk_quota'],
    [{ svn_file_limit_mb: 100_001 }, 'parameter_out_of_range', 'svn_file_limit_mb'],
    [{ query_terms: 0 }, 'parameter_out_of_range', 'query_terms'],
    [{ query_columns: 1001 }, 'parameter_out_of_range', 'query_columns'],
    [{ webhook_private_targets: ['10.0.0.0/99'] }, 'parameter_invalid', 'webhook_private_targets[0]'],
    [{ webhook_private_targets: ['::1', '::1'] }, 'duplicate_entry', 'webhook_private_targets[1]'],
    [{ mail_footer: 'x'.repeat(2001) }, 'parameter_out_of_range', 'mail_footer'],
    [{ audit_retention_days: 3651 }, 'parameter_out_of_range', 'audit_retention_days'],
    [{ public_url: 'https://elsewhere.example' }, 'parameter_not_allowed', 'public_url'],
  ])('refuses %j with %s', async (body, reason, path) => {
    const { status, json } = await patch(body)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
    expect(await auditRows()).toEqual([])
  })

  test('refuses settings that the environment fixes', async () => {
    const { status, json } = await fixed.patch('/settings', { as: ADA, body: { time_zone: 'Europe/Vienna' } })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'parameter_not_allowed', details: { path: 'time_zone' } })
  })

  test('reports all errors at once', async () => {
    const outside = await patch({ key_prefix: 'W', query_terms: 0, webhook_private_targets: ['here'], colour: 1 })
    const inside = await patch({ time_zone: 'Mars', language: 'tlh', public_url: 'x', restricted_users: false })

    expect(outside.json.error.details.all.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'colour',
      'key_prefix',
      'query_terms',
      'webhook_private_targets[0]',
    ])
    expect(inside.json.error.details.all).toMatchObject([
      { reason: 'parameter_not_allowed', path: 'public_url', message: expect.any(String) },
      { reason: 'parameter_not_allowed', path: 'time_zone' },
      { reason: 'parameter_not_allowed', path: 'language', allowed: expect.arrayContaining(['en']) },
      { reason: 'rule_violated', path: 'restricted_users', cause: 'restricted_accounts_exist' },
    ])
  })

  test('keeps restricted users enabled while there are restricted accounts', async () => {
    await patch({ restricted_users: true })
    const refused = await patch({ restricted_users: false })

    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({
      reason: 'rule_violated',
      details: {
        cause: 'restricted_accounts_exist',
        path: 'restricted_users',
        used_by: [{ type: 'user', id: RITA.id, label: RITA.login }],
      },
    })
    await context.db.updateTable('account').set({ status: 'A' }).where('id', '=', RITA.id).execute()
    expect((await patch({ restricted_users: false })).json.restricted_users).toBe(false)
  })

  test('requires a body', async () => {
    const { status, json } = await api.patch('/settings', { as: ADA })

    expect(status).toBe(400)
    expect(json.error.reason).toBe('body_required')
  })

  test('refuses other callers, and audits the attempt', async () => {
    const anonymous = await api.patch('/settings', { body: {} })
    const olga = await api.patch('/settings', { as: OLGA, body: { anonymous_access: false } })

    expect(anonymous.status).toBe(401)
    expect(olga.status).toBe(403)
    expect(olga.json.error).toMatchObject({ reason: 'permission_denied', details: { who_may: ['site_admin'] } })
    expect(await auditRows()).toMatchObject([{ actor_id: OLGA.id, outcome: 'refused', reason: 'permission_denied' }])
  })
})
