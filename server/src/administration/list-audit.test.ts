import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../test/harness/client.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { recordAudit } from '../platform/database/audit.ts'

const { api, context } = await startWorld()
const { db } = context

/** Stores an audit entry of Mara in the past. */
async function remember(action: string, more: Partial<{ object: string; project_id: number; address: string }> = {}) {
  const { address = '198.51.100.7', ...entry } = more
  const viewer = {
    account_id: MARA.id,
    credential: { kind: 'access_key', id: '42' },
    language: null,
    time_zone: null,
  } as const
  await recordAudit(db, { viewer, request_id: 'request-1', address }, { action, ...entry })
}
const read = (query = '') => api.get(`/audit${query}`, { as: ADA })
const actionsOf = async (query: string) => (await read(query)).json.map(({ action }: { action: string }) => action)

describe('GET /audit', () => {
  test('shows actor, action, time, object and address', async () => {
    await remember('user.status', { object: `users/${TOM.id}`, project_id: ORCHARD })
    const { status, json, headers } = await read('?action=user.status')

    expect(status).toBe(200)
    expect(json).toEqual([
      {
        id: expect.any(Number),
        on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
        actor: { id: MARA.id, username: MARA.login },
        credential: { kind: 'access_key', id: 42 },
        address: '198.51.100.7',
        action: 'user.status',
        object: `users/${TOM.id}`,
        project: { id: ORCHARD, label: 'Orchard' },
        outcome: 'done',
        before: null,
        after: null,
        reason: null,
        request_id: 'request-1',
      },
    ])
    expect(headers).toMatchObject({
      'x-pagination-size': '1',
      'x-pagination-limit': '50',
      'x-pagination-limit-max': '1000',
    })
  })

  test('contains the changes of a real request', async () => {
    await api.patch('/settings', { as: ADA, body: { key_prefix: 'way' } })
    const { json } = await read('?object=settings')

    expect(json).toMatchObject([
      {
        action: 'settings.update',
        actor: { id: ADA.id, username: 'ada' },
        credential: { kind: 'access_key', id: ADA.key_id },
        before: { key_prefix: 'tlp' },
        after: { key_prefix: 'way' },
        project: null,
      },
    ])
  })

  test('supports each of its filters', async () => {
    await remember('user.create', { object: 'users/1' })
    await remember('user.status', { object: 'users/2', address: '203.0.113.9' })
    await remember('project.update', { object: `projects/${ORCHARD}`, project_id: ORCHARD })

    expect(await actionsOf(`?actor=${MARA.id}`)).toEqual(['project.update', 'user.status', 'user.create'])
    expect(await actionsOf('?action=user.create')).toEqual(['user.create'])
    expect(await actionsOf('?action=user.*')).toEqual(['user.status', 'user.create'])
    expect(await actionsOf('?object=users/2')).toEqual(['user.status'])
    expect(await actionsOf(`?project=${ORCHARD}`)).toEqual(['project.update'])
    expect(await actionsOf('?address=203.0.113.9')).toEqual(['user.status'])
    expect(await actionsOf('?request_id=request-1&action=project.*')).toEqual(['project.update'])
    expect(await actionsOf('?outcome=refused')).toEqual([])
    expect(await actionsOf(`?actor=${TOM.id}`)).toEqual([])
  })

  test('filters by time, to the microsecond', async () => {
    await remember('user.create')
    const [{ on }] = (await read('?action=user.create')).json
    const day = on.slice(0, 10)
    const tomorrow = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

    expect(await actionsOf(`?action=user.create&from=${day}&to=${tomorrow}`)).toEqual(['user.create'])
    expect(await actionsOf(`?action=user.create&to=${day}`)).toEqual([])
    expect(await actionsOf(`?action=user.create&from=${tomorrow}`)).toEqual([])
  })

  test('does not treat a prefix as a pattern', async () => {
    await remember('user.create')

    expect((await read('?action=user%25*')).json.error.reason).toBe('parameter_not_allowed')
    expect((await read('?action=us_r.*')).json.error.reason).toBe('parameter_not_allowed')
  })

  test('is paginated by cursor while it grows', async () => {
    for (const object of ['a', 'b', 'c']) await remember('user.create', { object })
    const first = await read('?action=user.create&limit=2')
    await remember('user.create', { object: 'd' })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await api.get(next, { as: ADA })

    expect(first.json.map(({ object }: { object: string }) => object)).toEqual(['c', 'b'])
    expect(second.json.map(({ object }: { object: string }) => object)).toEqual(['a'])
    expect(second.headers['x-pagination-size']).toBe('4')
  })

  test('records who read it', async () => {
    await read('?action=user.*&limit=7')
    const { json } = await read('?action=audit.read')

    expect(json).toMatchObject([
      { actor: { username: 'ada' }, object: 'audit', after: { action: 'user.*' }, outcome: 'done' },
    ])
  })

  test('shows refused sign-ins without an unknown login', async () => {
    await api.get('/version', { headers: basic({ login: 'nobody' }, 'guess') })
    const { json, text } = await read('?action=sign_in&outcome=refused')

    expect(json).toMatchObject([{ actor: null, credential: null, reason: 'credentials_invalid' }])
    expect(text).not.toContain('guess')
  })

  test.each([
    ['?action=user.dance', 'parameter_not_allowed', 'action'],
    ['?action=nothing.*', 'parameter_not_allowed', 'action'],
    ['?outcome=maybe', 'parameter_not_allowed', 'outcome'],
    ['?actor=mara', 'parameter_invalid', 'actor'],
    ['?actor=0', 'parameter_out_of_range', 'actor'],
    ['?project=x', 'parameter_invalid', 'project'],
    ['?from=soon', 'parameter_invalid', 'from'],
    ['?limit=0', 'parameter_out_of_range', 'limit'],
    ['?limit=1001', 'parameter_out_of_range', 'limit'],
    ['?cursor=x', 'parameter_invalid', 'cursor'],
    ['?cursor=x&offset=1', 'parameter_conflict', 'cursor'],
  ])('refuses %s', async (query, reason, path) => {
    const { status, json } = await read(query)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
  })

  test('refuses other callers, and audits the attempt', async () => {
    const anonymous = await api.get('/audit')
    const olga = await api.get('/audit', { as: OLGA })

    expect(anonymous.status).toBe(401)
    expect(olga.status).toBe(403)
    expect(olga.json.error).toMatchObject({ reason: 'permission_denied', details: { who_may: ['site_admin'] } })
    expect((await read('?outcome=refused')).json).toMatchObject([
      { action: 'audit.read', actor: { username: 'olga' }, reason: 'permission_denied' },
    ])
  })

  test('cannot be changed by the server itself', async () => {
    await expect(sql`update audit set action = 'x'`.execute(db)).rejects.toThrow('permission denied')
    await expect(sql`delete from audit`.execute(db)).rejects.toThrow('permission denied')
  })
})
