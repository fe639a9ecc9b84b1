import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, RITA, TOM } from '../../test/fixtures/people.ts'
import { MARSH, NURSERY, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'
import type { SettingValues } from '../platform/operation/settings.ts'

const { api, context } = await startWorld()

const GROVE = { shortname: 'grove', label: 'Olive Grove', is_public: true, template_id: 100 }
const choose = (chosen: Partial<SettingValues>) =>
  context.db
    .updateTable('setting')
    .set((row) => ({ chosen, version: row('version', '+', 1) }))
    .execute()
const countProjects = async () => (await context.db.selectFrom('project').select('id').execute()).length

describe('POST /projects', () => {
  test('creates a project whose creator is its first member and administrator', async () => {
    const { status, headers, json } = await api.post('/projects', {
      as: OLGA,
      body: { ...GROVE, label: ' Olive Grove ', description: 'Oil' },
    })

    expect(status).toBe(201)
    expect(json).toMatchObject({
      uri: `projects/${json.id}`,
      shortname: 'grove',
      label: 'Olive Grove',
      description: 'Oil',
      status: 'active',
      access: 'public',
      is_template: false,
      is_member_of: true,
    })
    expect(headers['location']).toBe(`https://waypost.example/api/projects/${json.id}`)
    expect((await api.get(`/projects/${json.id}`, { as: OLGA })).json).toEqual(json)
    expect(
      (await api.get('/projects?query={"is_admin_of":true}', { as: OLGA })).json.map(({ id }: { id: number }) => id),
    ).toEqual([json.id])
  })

  test("keeps the client's path prefix in the Location", async () => {
    const { headers, json } = await api.post('/api/v1/projects', { as: OLGA, body: GROVE })
    expect(headers['location']).toBe(`https://waypost.example/api/v1/projects/${json.id}`)
  })

  test('copies the services of the template', async () => {
    const { json } = await api.post('/projects', { as: OLGA, body: GROVE })
    const services = await api.get(`/projects/${json.id}/project_services`, { as: OLGA })

    expect(services.json.map(({ name }: { name: string }) => name)).toEqual([
      'summary',
      'plugin_tracker',
      'plugin_svn',
      'admin',
    ])
    const other = await api.post('/projects', {
      as: OLGA,
      body: { ...GROVE, shortname: 'copse', template_id: NURSERY },
    })
    expect((await api.get(`/projects/${other.json.id}/project_services`, { as: OLGA })).json).toEqual([])
  })

  test('leaves an audit row and events', async () => {
    const { json } = await api.post('/projects', { as: OLGA, body: GROVE })
    const audit = await context.db.selectFrom('audit').selectAll().where('action', '=', 'project.create').execute()
    const events = await context.db.selectFrom('event').selectAll().orderBy('id').execute()

    expect(audit).toMatchObject([{ actor_id: OLGA.id, object: `projects/${json.id}`, project_id: json.id }])
    expect(events.map(({ type, project_id, actor_id }) => [type, project_id, actor_id])).toEqual([
      ['project.created', json.id, OLGA.id],
      ['member.added', json.id, OLGA.id],
      ['rights.changed', json.id, OLGA.id],
    ])
  })

  test.each([
    { restricted_users: false, is_public: true, allow_restricted: true, access: 'public' },
    { restricted_users: false, is_public: false, allow_restricted: true, access: 'private' },
    { restricted_users: true, is_public: true, allow_restricted: true, access: 'unrestricted' },
    { restricted_users: true, is_public: true, allow_restricted: false, access: 'public' },
    { restricted_users: true, is_public: true, allow_restricted: null, access: 'public' },
    { restricted_users: true, is_public: false, allow_restricted: true, access: 'private' },
    { restricted_users: true, is_public: false, allow_restricted: false, access: 'private-wo-restr' },
    { restricted_users: true, is_public: false, allow_restricted: null, access: 'private-wo-restr' },
  ])('gives access $access for public $is_public, restricted $allow_restricted of $restricted_users', async (row) => {
    const { restricted_users, is_public, allow_restricted, access } = row
    await choose({ restricted_users })
    const { json } = await api.post('/projects', { as: OLGA, body: { ...GROVE, is_public, allow_restricted } })
    expect(json.access).toBe(access)
  })

  test.each([
    { body: { shortname: 'ab' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'a'.repeat(31) }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: '-grove' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'olive_grove' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'olive.grove' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'olive grove' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'WWW' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'new' }, reason: 'name_invalid', path: 'shortname' },
    { body: { shortname: 'ORCHARD' }, reason: 'name_taken', path: 'shortname' },
    { body: { shortname: 'ruin' }, reason: 'name_taken', path: 'shortname' },
    { body: { shortname: 'Tom' }, reason: 'name_taken', path: 'shortname' },
    { body: { label: 'ab' }, reason: 'parameter_out_of_range', path: 'label' },
    { body: { label: 'a'.repeat(41) }, reason: 'parameter_out_of_range', path: 'label' },
    { body: { label: undefined }, reason: 'parameter_required', path: 'label' },
    { body: { is_public: 'yes' }, reason: 'parameter_invalid', path: 'is_public' },
    { body: { template_id: undefined }, reason: 'parameter_required', path: 'template_id' },
    { body: { template_id: undefined, xml_template_name: 'scrum' }, reason: 'reference_unknown' },
    {
      body: { template_id: undefined, from_archive: { file_name: 'a.zip', file_size: 5 } },
      reason: 'parameter_not_allowed',
    },
    { body: { template_id: 2999 }, reason: 'reference_unknown', path: 'template_id' },
    { body: { template_id: VAULT }, reason: 'reference_unknown', path: 'template_id' },
    { body: { template_id: MARSH }, reason: 'reference_unknown', path: 'template_id' },
    { body: { template_id: ORCHARD }, reason: 'reference_unknown', path: 'template_id' },
    { body: { template_id: 0 }, reason: 'parameter_out_of_range', path: 'template_id' },
  ])('refuses $body with $reason', async ({ body, reason, path }) => {
    const before = await countProjects()
    const { status, json } = await api.post('/projects', { as: TOM, body: { ...GROVE, ...body } })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, ...(path && { details: { path } }) })
    expect(json.error).not.toHaveProperty('i18n_error_messages')
    expect(await countProjects()).toBe(before)
  })

  test('answers the same for a hidden and an absent template', async () => {
    await context.db.updateTable('project').set({ is_template: true }).where('id', '=', VAULT).execute()
    const refusals = await Promise.all(
      [2999, VAULT].map((template_id) =>
        api.post('/projects', { as: TOM, headers: { 'x-request-id': 'same' }, body: { ...GROVE, template_id } }),
      ),
    )
    expect(refusals[0]?.text).toBe(refusals[1]?.text)
  })

  test('reports all problems at once', async () => {
    const { json } = await api.post('/projects', { as: TOM, body: { shortname: 'tom', label: 'x', is_public: true } })

    expect(json.error.reason).toBe('parameter_out_of_range')
    expect(json.error.details.all.map(({ reason, path }: Record<string, string>) => [reason, path])).toEqual([
      ['parameter_out_of_range', 'label'],
      ['parameter_required', 'template_id'],
      ['name_taken', 'shortname'],
    ])
  })

  test('refuses anonymous and restricted callers, and all but administrators if the platform says so', async () => {
    const refused = (as: typeof TOM | undefined, body: object = GROVE) =>
      api.post('/projects', { ...(as && { as }), body })
    expect((await refused(undefined)).status).toBe(401)
    expect(await refused(RITA)).toMatchObject({
      status: 403,
      json: { error: { details: { cause: 'restricted_account' } } },
    })
    expect((await refused(RITA, { ...GROVE, label: 'x' })).status).toBe(400)

    await choose({ project_creation: 'site_admins' })
    expect(await refused(TOM)).toMatchObject({ status: 403, json: { error: { details: { who_may: ['site_admin'] } } } })
    // Unauthorized callers must not learn which names are taken.
    expect((await refused(TOM, { ...GROVE, shortname: 'orchard' })).status).toBe(403)
    expect((await refused(ADA)).status).toBe(201)
  })

  test('leaves projects pending approval, with a limit per account', async () => {
    await choose({ project_creation: 'approval' })
    const create = (shortname: string, as = TOM) => api.post('/projects', { as, body: { ...GROVE, shortname } })
    const first = await create('grove-0')
    expect(first.json).toMatchObject({ status: 'pending', is_member_of: true })
    expect((await api.get(`/projects/${first.json.id}`, { as: TOM })).status).toBe(404)
    expect((await api.get(`/projects/${first.json.id}`, { as: ADA })).status).toBe(200)
    expect((await create('grove-ada', ADA)).json.status).toBe('active')

    const others = await Promise.all(Array.from({ length: 9 }, (_, at) => create(`grove-${at + 1}`)))
    expect(others.filter(({ status }) => status === 201)).toHaveLength(4)
    const refused = others.find(({ status }) => status === 429)
    expect(refused?.json.error.reason).toBe('project_quota_reached')
    expect(refused?.headers['retry-after']).toBe('3600')
    expect((await create('grove-mara', MARA)).status).toBe(201)

    expect((await api.patch(`/projects/${first.json.id}`, { as: ADA, body: { status: 'active' } })).status).toBe(200)
    expect((await api.get(`/projects/${first.json.id}`, { as: TOM })).status).toBe(200)
    expect((await create('grove-again')).status).toBe(201)
  })

  test('gives a short name once under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post('/projects', { as: OLGA, body: GROVE })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '400', '400', '400', '400', '400'])
    expect(answers.find(({ status }) => status === 400)?.json.error.reason).toBe('name_taken')
  })

  test('accepts XML', async () => {
    const { status, text } = await api.post('/projects', {
      as: OLGA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><shortname>grove</shortname><label>Olive Grove</label><is_public>true</is_public><template_id>100</template_id></request>',
    })
    expect(status).toBe(201)
    expect(text).toContain('<shortname>grove</shortname>')
  })
})

describe('POST /projects?dry_run=true', () => {
  test('answers 204 for a valid project, and creates nothing', async () => {
    const before = await countProjects()
    const { status, text, headers } = await api.post('/projects?dry_run=true', { as: OLGA, body: GROVE })

    expect(status).toBe(204)
    expect(text).toBe('')
    expect(headers['location']).toBeUndefined()
    expect(await countProjects()).toBe(before)
    expect(await context.db.selectFrom('event').selectAll().execute()).toEqual([])
  })

  test('reports all problems as sentences', async () => {
    const { status, json } = await api.post('/projects?dry_run=true', {
      as: TOM,
      body: { shortname: 'a b', label: 'x', is_public: true, template_id: VAULT },
    })

    expect(status).toBe(400)
    expect(json.error.reason).toBe('name_invalid')
    expect(json.error.details.all).toHaveLength(3)
    expect(json.error.i18n_error_messages).toEqual(
      json.error.details.all.map(({ message }: { message: string }) => message),
    )
  })

  test('also reports a single problem, and missing members', async () => {
    const one = await api.post('/projects?dry_run=true', { as: TOM, body: { ...GROVE, shortname: 'tom' } })
    expect(one.json.error.i18n_error_messages).toEqual([one.json.error.i18n_error_message])
    const missing = await api.post('/projects?dry_run=true', { as: TOM, body: {} })
    expect(missing.json.error.i18n_error_messages).toHaveLength(3)
    const archive = await api.post('/projects?dry_run=true', {
      as: TOM,
      body: { ...GROVE, template_id: undefined, from_archive: { file_name: 'a.zip', file_size: 5 } },
    })
    expect(archive.status).toBe(400)
  })
})
