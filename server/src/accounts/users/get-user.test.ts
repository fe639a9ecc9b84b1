import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, PIA, RITA, SAM, TOM, VICTOR } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const minimal = ({ id, login, real_name }: TestPerson) => ({
  id,
  uri: `users/${id}`,
  user_url: `/users/${login}`,
  real_name,
  display_name: `${real_name} (${login})`,
  username: login,
  ldap_id: '',
  avatar_url: `https://waypost.example/users/${login}/avatar.png`,
  is_anonymous: false,
  has_avatar: false,
})
const own = { time_zone: null, language: null, text_format: 'commonmark', pending_email: null, is_site_admin: false }

describe('GET /users/{id}', () => {
  test('shows the minimal form to anonymous callers if the directory is open to them', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_directory": true}'`.execute(context.db)
    const { status, json } = await api.get(`/users/${MARA.id}`)

    expect(status).toBe(200)
    expect(json).toEqual(minimal(MARA))
  })

  test('shows address and status to signed-in callers', async () => {
    const { json } = await api.get(`/users/${MARA.id}`, { as: TOM })

    expect(json).toEqual({ ...minimal(MARA), email: MARA.email, status: 'A' })
  })

  test('shows preferences to the owner and to site administrators', async () => {
    expect((await api.get(`/users/${MARA.id}`, { as: MARA })).json).toMatchObject(own)
    expect((await api.get(`/users/${MARA.id}`, { as: ADA })).json).toEqual({
      ...minimal(MARA),
      email: MARA.email,
      status: 'A',
      ...own,
    })
    expect((await api.get('/users/self', { as: ADA })).json.is_site_admin).toBe(true)
  })

  test.each(['self', 'me'])('%s is the caller', async (alias) => {
    expect((await api.get(`/users/${alias}`, { as: RITA })).json).toEqual({
      ...minimal(RITA),
      email: RITA.email,
      status: 'R',
      ...own,
    })
    const anonymous = await api.get(`/users/${alias}`)
    expect(anonymous.status).toBe(401)
    expect(anonymous.json.error.reason).toBe('authentication_required')
  })

  test('hides address and status from restricted callers', async () => {
    const { json } = await api.get(`/users/${VICTOR.id}`, { as: RITA })

    expect(json).toEqual({ ...minimal(VICTOR), email: null, status: null })
  })

  test.each([
    { who: 'anonymous', as: undefined, seen: [], hidden: [MARA, RITA, SAM, PIA], status: 401 },
    { who: 'olga', as: OLGA, seen: [MARA, RITA, SAM], hidden: [PIA], status: 404 },
    { who: 'rita', as: RITA, seen: [RITA, VICTOR], hidden: [MARA, SAM, PIA, ADA], status: 404 },
    { who: 'ada', as: ADA, seen: [MARA, RITA, SAM, PIA], hidden: [], status: 404 },
  ])('$who sees users by the visibility rules; hidden and absent look alike', async ({ as, seen, hidden, status }) => {
    const options = as && { as }
    const absent = await api.get('/users/1999', options)
    const masked = (text: string) => text.replace(/"request_id":"[^"]*"/, '')

    expect(absent.status).toBe(status)
    for (const { id } of seen) expect((await api.get(`/users/${id}`, options)).status).toBe(200)
    for (const { id } of hidden) {
      const answer = await api.get(`/users/${id}`, options)
      expect(answer.status).toBe(status)
      expect(masked(answer.text)).toBe(masked(absent.text))
    }
  })

  test('hides members of a project from a restricted caller who may not enter it', async () => {
    await sql`update project set access = 'private-wo-restr' where shortname = 'quarry'`.execute(context.db)
    expect((await api.get(`/users/${VICTOR.id}`, { as: RITA })).status).toBe(404)

    await sql`update project set access = 'private', status = 'suspended' where shortname = 'quarry'`.execute(
      context.db,
    )
    expect((await api.get(`/users/${VICTOR.id}`, { as: RITA })).status).toBe(404)
  })

  test.each(['abc', '1.5', 'SELF', '0x3e9'])('refuses %s as an id', async (id) => {
    const { status, json } = await api.get(`/users/${id}`, { as: TOM })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'id_malformed', details: { path: 'id' } })
  })

  test('is refused to anonymous callers if the platform forbids anonymous access', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)

    expect((await api.get(`/users/${MARA.id}`)).status).toBe(401)
  })

  test('has an ETag for conditional requests', async () => {
    const first = await api.get('/users/self', { as: TOM })
    const headers = { 'if-none-match': String(first.headers.etag) }

    expect(first.headers.etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/)
    expect((await api.get('/users/self', { as: TOM, headers })).status).toBe(304)
    expect((await api.get(`/users/${TOM.id}`, { as: MARA, headers })).status).toBe(200)
  })

  test('returns XML', async () => {
    const { text } = await api.get(`/users/${VICTOR.id}.xml`, { as: RITA })

    expect(text).toContain(`<response><id>${VICTOR.id}</id><uri>users/${VICTOR.id}</uri>`)
    expect(text).toContain('<is_anonymous>false</is_anonymous>')
    expect(text).toContain('<email></email><status></status>')
  })
})
