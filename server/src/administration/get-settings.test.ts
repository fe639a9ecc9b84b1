import { readFile } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'

const { api, context } = await startWorld()
const { api: fixed } = await startWorld({ environment: { WAYPOST_TIME_ZONE: 'Europe/Vienna' } })

describe('GET /settings', () => {
  test('shows every setting with its default', async () => {
    const { status, json, headers } = await api.get('/settings', { as: ADA })

    expect(status).toBe(200)
    expect(headers['etag']).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/)
    expect(json).toEqual({
      platform_name: 'Waypost',
      public_url: 'https://waypost.example',
      contact_email: '',
      anonymous_access: true,
      anonymous_directory: false,
      restricted_users: false,
      registration: 'closed',
      who_may_invite: 'project_admins',
      project_creation: 'everyone',
      artifact_deletion_limit: 100,
      trash_retention_days: 30,
      archive_deleted_artifacts: false,
      archive_retention_days: 0,
      time_zone: 'UTC',
      language: 'en',
      key_prefix: 'tlp',
      access_key_max_days: null,
      session_idle_minutes: 480,
      session_max_days: 30,
      password_sign_in: 'everywhere',
      password_min_length: 12,
      body_limit: 8_388_608,
      upload_limit: 1_073_741_824,
      upload_quota: 4_294_967_296,
      project_disk_quota: 10_737_418_240,
      svn_file_limit_mb: 0,
      svn_empty_messages: false,
      query_terms: 30,
      query_trackers: 50,
      query_columns: 30,
      webhook_private_targets: [],
      mail_from: '',
      may_import: false,
      mail_footer: '',
      event_retention_days: 90,
      audit_retention_days: 400,
      delivery_retention_days: 30,
      fixed: ['public_url'],
    })
  })

  test('lists the settings that the environment fixes', async () => {
    const { json } = await fixed.get('/settings', { as: ADA })

    expect(json.time_zone).toBe('Europe/Vienna')
    expect(json.fixed).toEqual(['time_zone', 'public_url'])
  })

  test('contains no secret of the environment', async () => {
    const { text } = await api.get('/settings', { as: ADA })

    expect(text).not.toMatch(/a-secret-key|postgres/i)
  })

  test('responds 304 for a matching ETag', async () => {
    const { headers } = await api.get('/settings', { as: ADA })
    const again = await api.get('/settings', { as: ADA, headers: { 'if-none-match': headers['etag'] } })

    expect(again.status).toBe(304)
  })

  test('returns XML', async () => {
    const { text } = await api.get('/settings.xml', { as: ADA })

    expect(text).toContain('<key_prefix>tlp</key_prefix>')
    expect(text).toContain('<fixed><item>public_url</item></fixed>')
  })

  test.each([
    { who: undefined, status: 401, reason: 'authentication_required', who_may: undefined },
    { who: OLGA, status: 403, reason: 'permission_denied', who_may: ['site_admin'] },
    { who: MARA, status: 403, reason: 'permission_denied', who_may: ['site_admin'] },
  ])('refuses $who.login', async ({ who, status, reason, who_may }) => {
    const answer = await api.get('/settings', who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
    expect(answer.json.error.details?.who_may).toEqual(who_may)
  })
})

describe('B07 the files of a project', () => {
  const MIGRATION = new URL('../../migrations/0031-platform-default-quota.sql', import.meta.url)
  const migrateAgain = async () => context.db.executeQuery(CompiledQuery.raw(await readFile(MIGRATION, 'utf8')))
  const quota = async () => (await api.get('/settings', { as: ADA })).json.project_disk_quota

  test('B07 are limited on a new installation', async () => {
    await migrateAgain()
    expect(await quota()).toBe(10 * 2 ** 30)
  })

  test('B07/upgrade stay unlimited on an upgraded installation with files', async () => {
    const body = { name: 'a.txt', mimetype: 'text/plain', content: 'YQ==' }
    expect((await api.post('/artifact_temporary_files', { as: TOM, body })).status).toBe(201)
    await migrateAgain()
    expect(await quota()).toBe(null)
    await migrateAgain()
    await api.patch('/settings', { as: ADA, body: { project_disk_quota: 4096 } })
    await migrateAgain()
    expect(await quota()).toBe(4096)
  })
})
