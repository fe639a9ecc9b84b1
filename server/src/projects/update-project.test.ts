import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { refused, statusesOf } from '../../test/harness/refused.ts'
import { ADA, MARA, OLGA, RITA, type TestPerson, TOM, UMA, VICTOR } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, QUARRY, RUIN, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const change = (body: object, as: TestPerson = MARA, id: number = ORCHARD) => api.patch(`/projects/${id}`, { as, body })
const statusFor = async (as: TestPerson | undefined, id: number = ORCHARD) =>
  (await api.get(`/projects/${id}`, as && { as })).status
const epoch = async (id: number) => {
  const rows = await context.db.selectFrom('project').select(['id', 'rights_epoch']).execute()
  return rows.find((row) => row.id === id)?.rights_epoch ?? 0
}

describe('PATCH /projects/{id}', () => {
  test('changes label, description and icon, and responds with the project', async () => {
    const changes = { label: 'Old orchard', description: 'Apples', icon: '🍎' }
    const { status, json, headers } = await change(changes)

    expect({ status, json }).toMatchObject({
      status: 200,
      json: { label: '🍎 Old orchard', label_without_icon: 'Old orchard', description: 'Apples', icon: '🍎' },
    })
    const read = await api.get(`/projects/${ORCHARD}`, { as: MARA })
    expect(read.json).toEqual(json)
    expect(read.headers.etag).toBe(headers.etag)
    const { json: trackers } = await api.get(`/projects/${ORCHARD}/trackers`, { as: MARA })
    expect(trackers[0].project).toMatchObject({ label: 'Old orchard', icon: '🍎' })
    expect((await change({ icon: '' })).json.label).toBe('Old orchard')
  })

  test('leaves an audit row and events for effective changes only, and increments the rights epoch', async () => {
    const before = await epoch(ORCHARD)
    await change({ label: 'Old orchard', access: 'public' })
    await change({ label: 'Old orchard' })
    await change({})

    expect(await epoch(ORCHARD)).toBe(before + 1)
    const audit = await context.db.selectFrom('audit').selectAll().where('action', 'like', 'project.%').execute()
    expect(audit).toMatchObject([
      {
        action: 'project.update',
        actor_id: MARA.id,
        object: `projects/${ORCHARD}`,
        project_id: ORCHARD,
        before: { label: 'Orchard' },
        after: { label: 'Old orchard' },
      },
    ])
    const events = async () =>
      (await context.db.selectFrom('event').selectAll().orderBy('id').execute()).map(({ type, payload }) => [
        type,
        payload,
      ])
    expect(await events()).toEqual([['project.changed', { changed: ['label'] }]])
    await change({ access: 'private' })
    expect((await events()).slice(1)).toEqual([
      ['project.changed', { changed: ['access'] }],
      ['rights.changed', {}],
    ])
  })

  test('a new access level applies to the next request', async () => {
    expect(await statusFor(OLGA)).toBe(200)
    await change({ access: 'private' })
    expect([await statusFor(undefined), await statusFor(OLGA), await statusFor(TOM)]).toEqual([401, 404, 200])
    expect((await api.get(`/projects/${ORCHARD}/trackers`, { as: OLGA })).status).toBe(404)
    expect((await api.get('/projects', { as: OLGA })).text).not.toContain('Orchard')
    await change({ access: 'public' })
    expect([await statusFor(undefined), await statusFor(OLGA)]).toEqual([200, 200])
    expect((await api.get('/projects', { as: OLGA })).text).toContain('Orchard')
  })

  test('offers the project as a template to those who may enter it', async () => {
    const templates = async (as: TestPerson) =>
      (await api.get(`/projects?query=${encodeURIComponent('{"is_template":true}')}`, { as })).text
    expect(await templates(OLGA)).not.toContain('Orchard')
    expect((await change({ is_template: true })).json.is_template).toBe(true)
    expect(await templates(OLGA)).toContain('Orchard')
    await change({ access: 'private' })
    expect(await templates(OLGA)).not.toContain('Orchard')
    expect(await templates(TOM)).toContain('Orchard')
    expect(await change({ is_template: false }, TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect((await change({ is_template: false })).json.is_template).toBe(false)
  })

  test('two access levels need restricted users', async () => {
    expect(await change({ access: 'private-wo-restr' }, VICTOR, QUARRY)).toMatchObject({
      status: 400,
      json: { error: { reason: 'parameter_not_allowed', details: { path: 'access', allowed: ['public', 'private'] } } },
    })
    await api.patch('/settings', { as: ADA, body: { restricted_users: true } })
    expect(await statusFor(RITA, QUARRY)).toBe(200)
    expect((await change({ access: 'private-wo-restr' }, VICTOR, QUARRY)).status).toBe(200)
    expect(await statusFor(RITA, QUARRY)).toBe(404)
  })

  test('honours If-Match', async () => {
    const { headers } = await api.get(`/projects/${ORCHARD}`, { as: MARA })
    const patch = (label: string) =>
      api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { label }, headers: { 'if-match': String(headers.etag) } })
    expect((await patch('First')).status).toBe(200)
    expect(await patch('Second')).toMatchObject(refused(412, 'version_mismatch'))
    expect((await api.get(`/projects/${ORCHARD}`)).json.label_without_icon).toBe('First')
  })

  test('of two concurrent writers with one tag, one succeeds', async () => {
    const { headers } = await api.get(`/projects/${ORCHARD}`, { as: MARA })
    const answers = await Promise.all(
      ['First', 'Second', 'Third'].map((label) =>
        api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { label }, headers: { 'if-match': String(headers.etag) } }),
      ),
    )
    expect(statusesOf(answers)).toEqual([200, 412, 412])
  })

  test('replays an idempotency key', async () => {
    const send = () =>
      api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { label: 'Once' }, headers: { 'idempotency-key': 'once-1' } })
    const first = await send()
    await change({ label: 'Twice' })
    expect((await send()).text).toBe(first.text)
    expect((await api.get(`/projects/${ORCHARD}`)).json.label_without_icon).toBe('Twice')
  })

  test.each([
    { body: { label: 'ab' }, reason: 'parameter_out_of_range' },
    { body: { label: 'x'.repeat(41) }, reason: 'parameter_out_of_range' },
    { body: { icon: 'ab' }, reason: 'parameter_invalid' },
    { body: { icon: '🍎🍎' }, reason: 'parameter_invalid' },
    { body: { access: 'secret' }, reason: 'parameter_not_allowed' },
    { body: { status: 'deleted' }, reason: 'parameter_not_allowed' },
    { body: { status: 5 }, reason: 'parameter_not_allowed' },
  ])('refuses $body with $reason', async ({ body, reason }) => {
    expect(await change(body)).toMatchObject(refused(400, reason))
  })

  test('never changes the short name', async () => {
    await change({ shortname: 'other' })
    expect((await api.get(`/projects/${ORCHARD}`)).json.shortname).toBe('orchard')
  })

  test.each(['🌳', '🇩🇪', '👩🏽‍🌾', '☀', '☀️', '1️⃣'])('takes %s as an icon', async (icon) => {
    expect((await change({ icon: '' })).status).toBe(200)
    expect((await change({ icon })).json.icon).toBe(icon)
  })

  test.each([
    { who: TOM, id: ORCHARD, to: { label: 'Mine' }, status: 403, reason: 'permission_denied' },
    { who: UMA, id: ORCHARD, to: { status: 'archived' }, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: ORCHARD, to: { access: 'private' }, status: 403, reason: 'permission_denied' },
    { who: MARA, id: ORCHARD, to: { status: 'suspended' }, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: VAULT, to: { status: 'suspended' }, status: 404, reason: 'not_found' },
    { who: OLGA, id: 2999, to: { status: 'suspended' }, status: 404, reason: 'not_found' },
    { who: MARA, id: MARSH, to: { status: 'active' }, status: 404, reason: 'project_suspended' },
    { who: ADA, id: 2999, to: { status: 'suspended' }, status: 404, reason: 'not_found' },
    { who: ADA, id: MARSH, to: { label: 'Bog' }, status: 400, reason: 'rule_violated' },
    { who: ADA, id: 100, to: { status: 'suspended' }, status: 403, reason: 'project_protected' },
    { who: ADA, id: 100, to: { label: 'Mould' }, status: 403, reason: 'project_protected' },
    { who: ADA, id: RUIN, to: { status: 'active' }, status: 404, reason: 'not_found' },
    { who: MARA, id: RUIN, to: { status: 'active' }, status: 404, reason: 'not_found' },
  ])('refuses $who.login the change $to of $id with $reason', async ({ who, id, to, status, reason }) => {
    expect(await change(to, who, id)).toMatchObject(refused(status, reason))
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
    const { json } = await api.patch(`/projects/${ORCHARD}?dry_run=true`, { as: MARA, body: { access: 'private' } })
    expect(json.dry_run.changes).toEqual([
      { object: `projects/${ORCHARD}`, op: 'update', fields: [{ name: 'access', before: 'public', after: 'private' }] },
    ])
    expect((await api.get(`/projects/${ORCHARD}`)).json.access).toBe('public')
  })

  test('a suspended project is hidden, and its members get an error that says so', async () => {
    expect(await change({ status: 'suspended' }, ADA)).toMatchObject({ status: 200, json: { status: 'suspended' } })
    expect((await api.get(`/projects/${ORCHARD}`, { as: TOM })).json.error.reason).toBe('project_suspended')
    expect((await api.get(`/projects/${ORCHARD}`, { as: OLGA })).json.error.reason).toBe('not_found')
    expect(await statusFor(undefined)).toBe(401)
    expect((await change({ status: 'active', label: 'Grove' }, ADA)).json.label_without_icon).toBe('Grove')
    expect(await statusFor(undefined)).toBe(200)
  })
})

describe('an archived project', () => {
  const listed = async (query: object | undefined, as?: TestPerson) => {
    const { json } = await api.get(`/projects${query ? `?query=${encodeURIComponent(JSON.stringify(query))}` : ''}`, {
      ...(as && { as }),
    })
    return Array.isArray(json) ? json.map(({ id }: { id: number }) => id) : json.error.reason
  }

  test('is readable, and only in the list by status', async () => {
    await change({ status: 'archived' })
    expect([await statusFor(undefined), await statusFor(OLGA), await statusFor(TOM)]).toEqual([200, 200, 200])
    expect((await api.get(`/projects/${ORCHARD}/trackers`, { as: TOM })).json).not.toEqual([])
    for (const query of [undefined, { is_member_of: true }, { is_admin_of: true }, { is_tracker_admin: true }])
      expect(await listed(query, MARA)).not.toContain(ORCHARD)
    for (const person of [undefined, OLGA, TOM, MARA, ADA])
      expect(await listed({ with_status: 'archived' }, person)).toEqual([ORCHARD])
    expect(await listed({ shortname: 'orchard' }, OLGA)).toEqual([ORCHARD])
    expect(await listed({ with_status: 'active' }, MARA)).toBe('permission_denied')
    await change({ status: 'active' })
    expect(await listed({ with_status: 'archived' }, ADA)).toEqual([])
    expect(await listed(undefined, OLGA)).toContain(ORCHARD)
  })

  test('stays hidden from those who could not read it before', async () => {
    await change({ status: 'archived' }, VICTOR, VAULT)
    expect([await statusFor(undefined, VAULT), await statusFor(OLGA, VAULT)]).toEqual([401, 404])
    expect([await listed({ with_status: 'archived' }), await listed({ with_status: 'archived' }, OLGA)]).toEqual([
      [],
      [],
    ])
    expect(await listed({ with_status: 'archived' }, VICTOR)).toEqual([VAULT])
  })

  test('changes only with its reactivation', async () => {
    await change({ status: 'archived' })
    expect(await change({ label: 'Late' })).toMatchObject(refused(403, 'project_archived'))
    expect(await change({ label: 'Late' }, ADA)).toMatchObject(refused(403, 'project_archived'))
    expect(await change({ label: 'Late' }, TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect((await change({ label: 'Late', status: 'active' })).json).toMatchObject({
      status: 'active',
      label_without_icon: 'Late',
    })
  })
})
