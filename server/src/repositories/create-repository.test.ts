import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startSvnWorld } from '../../test/peers/svn.ts'
import { ADA, GUS, MARA, OLGA, PIA, RITA, SAM, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { KEEPERS, LEADS, MARSH, NURSERY, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api, svn, work, root, svnOrigin } = await startSvnWorld()

const create = (name: string, settings?: object, as = MARA, project_id: number = ORCHARD) =>
  api.post('/svn', { as, body: { project_id, name, ...(settings && { settings }) } })

const NOTIFICATION = { path: '/trunk', emails: ['dev@waypost.example'], users: [], user_groups: [] }

describe('POST /svn', () => {
  test('creates a repository that can be checked out as soon as the response arrives', async () => {
    const { status, json, headers } = await create('core', { layout: ['trunk', 'branches', '/tags/old/'] })
    expect(status).toBe(201)
    expect(headers.location).toMatch(new RegExp(`/api/svn/${json.id}$`))
    expect(json).toMatchObject({
      uri: `svn/${json.id}`,
      name: 'core',
      svn_url: `${svnOrigin}/svn/orchard/core`,
      resources: ['tree', 'log', 'revisions', 'access_files'].map((type) => ({ type, uri: `svn/${json.id}/${type}` })),
      project: { id: ORCHARD, shortname: 'orchard' },
      settings: {
        commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
        immutable_tags: { paths: [], whitelist: [] },
        access_file: '',
        email_notifications: [],
        has_default_permissions: true,
      },
    })
    const copy = join(work, 'first')
    expect(await svn(TOM, 'checkout', json.svn_url, copy)).toMatchObject({ code: 0, error: '' })
    expect((await readdir(copy)).toSorted()).toEqual(['.svn', 'branches', 'tags', 'trunk'])
    expect((await svn(TOM, 'log', '-v', json.svn_url)).out).toContain('A /tags/old')
  })

  test('creates the second repository of a project without reloading Apache, at both addresses', async () => {
    const { json } = await create('second.one-A_b')
    for (const url of [json.svn_url, `${svnOrigin}/svnplugin/orchard/second.one-A_b`])
      expect((await svn(TOM, 'info', '--show-item', 'revision', url)).out.trim()).toBe('0')
  })

  test('describes the effect and creates nothing in a dry run', async () => {
    const { status, json } = await api.post('/svn?dry_run=true', {
      as: MARA,
      body: { project_id: ORCHARD, name: 'dry' },
    })
    expect([status, json.dry_run.status, json.dry_run.would_answer.id]).toEqual([200, 201, null])
    expect(json.dry_run.changes).toMatchObject([{ object: 'svn', op: 'create' }])
    expect(await readdir(join(root, 'repositories', 'orchard'))).not.toContain('dry')
    expect((await svn(TOM, 'info', `${svnOrigin}/svn/orchard/dry`)).code).toBe(1)
  })

  test('requires a project or repository administrator', async () => {
    expect((await api.post('/svn', { body: { project_id: ORCHARD, name: 'mine' } })).status).toBe(401)
    const { status, json } = await create('mine', undefined, TOM)
    expect([status, json.error.reason, json.error.details.who_may]).toEqual([403, 'permission_denied', ['svn_admin']])
    expect((await create('adas', undefined, ADA)).status).toBe(201)
  })

  test('reports a project that is hidden from the caller as unknown', async () => {
    const hidden = await create('mine', undefined, MARA, VAULT)
    const absent = await create('mine', undefined, MARA, 2999)
    const suspended = await create('mine', undefined, MARA, MARSH)
    for (const { status, json } of [hidden, absent, suspended]) {
      expect([status, json.error.reason, json.error.details.path]).toEqual([400, 'reference_unknown', 'project_id'])
    }
    expect((await create('mine', undefined, ADA, MARSH)).json.error.details.cause).toBe('project_not_active')
    expect((await create('mine', undefined, MARA, NURSERY)).json.error.reason).toBe('service_disabled')
  })

  test.each([
    '..',
    'a/b',
    '-rf',
    'a;id',
    '',
    'ab',
    '1core',
    'x'.repeat(256),
    'conf',
    'Hooks',
    'DB',
    'locks',
    'format',
    'cöre',
    'core\n',
  ])('I24 refuses the name %j', async (name) => {
    const { status, json } = await create(name)
    expect([status, json.error.reason]).toEqual([409, 'repository_name_invalid'])
    const { repositories } = (await api.get(`/projects/${ORCHARD}/svn?limit=100`)).json
    expect(repositories.map((each: { name: string }) => each.name)).not.toContain(name)
  })

  test('I24 accepts a name once per project, ignoring case, and again in another project', async () => {
    expect((await create('Twice')).status).toBe(201)
    for (const name of ['Twice', 'tWICE']) {
      const { status, json } = await create(name)
      expect([status, json.error.reason]).toEqual([409, 'repository_name_taken'])
    }
    expect((await create('twice', undefined, VICTOR, VAULT)).status).toBe(201)
    expect((await readdir(root)).toSorted()).toEqual([
      'apache',
      'deleted',
      'hooks',
      'making',
      'repositories',
      'sign-in',
      'sockets',
    ])
    expect(await readdir(join(root, 'making'))).toEqual([])
  })

  test('gives the name to one of several concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create('contested')))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409', '409'])
    expect((await svn(TOM, 'info', `${svnOrigin}/svn/orchard/contested`)).code).toBe(0)
  })

  test.each([
    [
      'the same path twice',
      { email_notifications: [NOTIFICATION, { ...NOTIFICATION, path: 'trunk/' }] },
      'duplicate_entry',
      'settings.email_notifications[1].path',
    ],
    [
      'nobody to tell',
      { email_notifications: [{ ...NOTIFICATION, emails: [] }] },
      'parameter_required',
      'settings.email_notifications[0]',
    ],
    [
      'an address twice',
      { email_notifications: [{ ...NOTIFICATION, emails: ['a@b.example', 'A@b.example'] }] },
      'duplicate_entry',
      'settings.email_notifications[0].emails[1]',
    ],
    [
      'what is no address',
      { email_notifications: [{ ...NOTIFICATION, emails: ['nobody'] }] },
      'parameter_invalid',
      'settings.email_notifications[0].emails[0]',
    ],
    [
      'a notification without its groups',
      { email_notifications: [{ path: '/', emails: ['a@b.example'], users: [] }] },
      'parameter_required',
      'settings.email_notifications[0].user_groups',
    ],
    [
      'half of the commit rules',
      { commit_rules: { is_reference_mandatory: true } },
      'parameter_required',
      'settings.commit_rules.is_commit_message_change_allowed',
    ],
    [
      'half of the immutable tags',
      { immutable_tags: { paths: [] } },
      'parameter_required',
      'settings.immutable_tags.whitelist',
    ],
    [
      'too many immutable tags',
      { immutable_tags: { paths: Array.from({ length: 20 }, () => 'x'.repeat(4000)), whitelist: [] } },
      'parameter_out_of_range',
      'settings.immutable_tags.paths',
    ],
    ['a way out of the repository', { layout: ['trunk', '../x'] }, 'parameter_invalid', 'settings.layout[1]'],
    [
      'a user who does not exist',
      { email_notifications: [{ ...NOTIFICATION, users: [99_999] }] },
      'reference_unknown',
      'settings.email_notifications[0].users[0]',
    ],
    [
      'somebody who is no account yet',
      { email_notifications: [{ ...NOTIFICATION, users: [PIA.id] }] },
      'reference_unknown',
      'settings.email_notifications[0].users[0]',
    ],
    [
      'a suspended user',
      { email_notifications: [{ ...NOTIFICATION, users: [SAM.id] }] },
      'user_not_usable',
      'settings.email_notifications[0].users[0]',
    ],
    [
      'svn administrators',
      { email_notifications: [{ ...NOTIFICATION, user_groups: [`${ORCHARD}_19`] }] },
      'parameter_not_allowed',
      'settings.email_notifications[0].user_groups[0]',
    ],
    [
      'everybody',
      { email_notifications: [{ ...NOTIFICATION, user_groups: ['2'] }] },
      'parameter_not_allowed',
      'settings.email_notifications[0].user_groups[0]',
    ],
    [
      'a group of another project',
      { email_notifications: [{ ...NOTIFICATION, user_groups: [String(KEEPERS)] }] },
      'reference_unknown',
      'settings.email_notifications[0].user_groups[0]',
    ],
    [
      'members of another project',
      { email_notifications: [{ ...NOTIFICATION, user_groups: [`${VAULT}_3`] }] },
      'reference_unknown',
      'settings.email_notifications[0].user_groups[0]',
    ],
    [
      'what is no group',
      { email_notifications: [{ ...NOTIFICATION, user_groups: ['leads'] }] },
      'parameter_invalid',
      'settings.email_notifications[0].user_groups[0]',
    ],
  ])('refuses %s', async (_, settings, reason, path) => {
    const { status, json } = await create('refused', settings)
    expect([status, json.error.reason, json.error.details.path]).toEqual([400, reason, path])
  })

  test('Z38 refuses an access file that is too long or that Subversion rejects, and names the line', async () => {
    const long = await create('refused', { access_file: '#'.repeat(256 * 1024 + 1) })
    expect([long.status, long.json.error.reason, long.json.error.details.cause]).toEqual([
      400,
      'parameter_invalid',
      'access_file',
    ])
    for (const [access_file, line] of [
      ['# fine\n[/a]\n* = r\n[/b\n* = r', 4],
      ['[/a]\n* = r\nnonsense', 3],
      ['[/a]\ntom = rx', 2],
      ['[/a]\n* = r\n[/a]\n* = rw', 3],
      ['[groups]\nmembers = gus', 2],
      ['[/a]\n* = r\n~@nobody = r', 3],
    ] as const) {
      const { status, json } = await create('refused', { access_file })
      expect([status, json.error.details.cause, json.error.details.line], access_file).toEqual([
        400,
        'access_file',
        line,
      ])
    }
  })

  test('validates the settings before the project, and the name last', async () => {
    const wrong = { email_notifications: [{ ...NOTIFICATION, emails: [] }] }
    expect((await create('..', wrong, OLGA, VAULT)).json.error.reason).toBe('parameter_required')
    expect((await create('..', undefined, OLGA)).json.error.reason).toBe('permission_denied')
    expect((await create('..', { access_file: '[/' })).json.error.details.cause).toBe('access_file')
  })

  test('returns users and user groups as objects, and accepts them back in that form', async () => {
    const email_notifications = [
      {
        path: '/',
        emails: ['dev@waypost.example'],
        users: [TOM.id, GUS.id, TOM.id],
        user_groups: [String(LEADS), `${ORCHARD}_3`],
      },
    ]
    const { json } = await create('telling', { email_notifications })
    const [shown] = json.settings.email_notifications
    expect(shown.users.map((user: { username: string }) => user.username)).toEqual(['tom', 'gus'])
    expect(shown.user_groups).toMatchObject([
      { id: String(LEADS), short_name: 'leads' },
      { id: `${ORCHARD}_3`, short_name: 'project_members' },
    ])
    const again = await api.put(`/svn/${json.id}`, { as: MARA, body: { settings: json.settings } })
    expect([again.status, again.json.settings]).toEqual([200, json.settings])
  })
})

describe('GET /svn/{id} and GET /projects/{id}/svn', () => {
  test('show settings only to administrators', async () => {
    const { id } = (await create('shown')).json
    for (const as of [MARA, ADA]) expect((await api.get(`/svn/${id}`, { as })).json.settings).toBeDefined()
    for (const as of [TOM, OLGA, undefined]) {
      const { status, json } = await api.get(`/svn/${id}`, as && { as })
      expect([status, json.name, 'settings' in json]).toEqual([200, 'shown', false])
    }
    const { json } = await api.get(`/projects/${ORCHARD}/svn?limit=1000`, { as: MARA })
    expect(json.repositories.some((each: object) => 'settings' in each)).toBe(false)
  })

  test('hide repositories of a hidden project', async () => {
    const { id } = (await create('hoard', undefined, VICTOR, VAULT)).json
    expect((await api.get(`/svn/${id}`)).status).toBe(401)
    for (const as of [MARA, RITA]) expect((await api.get(`/svn/${id}`, { as })).status).toBe(404)
    expect((await api.get(`/svn/${id}`, { as: VICTOR })).status).toBe(200)
  })

  test('list by name, in pages, and filter by exact name', async () => {
    const all = await api.get(`/projects/${ORCHARD}/svn?limit=1000`)
    const names = all.json.repositories.map((each: { name: string }) => each.name)
    expect(names).toEqual(
      names.toSorted((one: string, other: string) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
    )
    expect(all.headers).toMatchObject({ 'x-pagination-size': String(names.length), 'x-pagination-limit-max': '1000' })
    const page = await api.get(`/projects/${ORCHARD}/svn?limit=2&offset=1`)
    expect(page.json.repositories.map((each: { name: string }) => each.name)).toEqual(names.slice(1, 3))
    const ask = (query: unknown) =>
      api.get(
        `/projects/${ORCHARD}/svn?query=${encodeURIComponent(typeof query === 'string' ? query : JSON.stringify(query))}`,
      )
    expect((await ask({ name: 'core' })).json.repositories).toMatchObject([{ name: 'core' }])
    expect((await ask({ name: 'Core' })).json.repositories).toEqual([])
    expect((await ask({ id: 1 })).json.error.reason).toBe('query_unknown_key')
    expect((await ask('core')).json.error.reason).toBe('query_malformed')
  })

  test('offer neither a global list nor PATCH', async () => {
    const { status, headers } = await api.get('/svn', { as: MARA })
    expect([status, headers.allow]).toEqual([405, 'OPTIONS, POST'])
    expect((await api.patch('/svn/1', { as: MARA, body: {} })).status).toBe(405)
  })
})
