import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../../fixtures/people.ts'
import { KEEPERS, LEADS, NURSERY, ORCHARD, VAULT } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { comparable } from './attack.ts'
import { usualBody, clearSignInFailures, IN_PROJECTS, targetPath, withValueAt, TARGETS } from './inputs.ts'

const world = await startWorld({ seedOnce: true })
const { api, context } = world
await seedTestArtifacts(context.db)
const other = await world.startAnother()

const WITH_BODY = TARGETS.filter(({ route }) => route.writes && route.body)

describe('a project that is made private', () => {
  test.each(sampleTenth(IN_PROJECTS, 'Z02'))(
    'Z02 is gone for $name on the next request, on every process',
    async (target) => {
      const path = `${targetPath(target)}?${target.row.query ?? ''}${target.route.writes ? '&dry_run=true' : ''}`
      const absent = `${targetPath(target, { state: 'T7' })}?${target.row.query ?? ''}`
      const ask = (person: TestPerson | undefined, at = path) =>
        other.api.request(target.route.method, at, {
          ...(person && { as: person }),
          ...(target.row.body !== undefined && { body: usualBody(target) }),
        })
      expect((await ask(OLGA)).status).not.toBe(401)
      await setAccess('private')

      const gone = await ask(OLGA)
      expect(gone.status).toBe(404)
      expect(comparable(gone)).toBe(comparable(await ask(OLGA, absent)))
      const anonymous = await ask(undefined)
      await setAccess('public')
      expect(anonymous.status).toBe(401)
      expect(comparable(anonymous)).toBe(comparable(await ask(undefined, absent)))
    },
  )
})

async function setAccess(access: string): Promise<void> {
  await sql`update project set access = ${access}, rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(
    context.db,
  )
}

describe('members that only the platform may set', () => {
  const FOREIGN = {
    id: 1,
    account_id: ADA.id,
    user_id: ADA.id,
    owner_id: ADA.id,
    project_id: VAULT,
    created_by: ADA.id,
    created_on: '2000-01-01T00:00:00Z',
    is_site_admin: true,
    is_admin: true,
    permissions: { admin: true },
    rights_epoch: 1,
    version: 1,
    password_hash: 'x',
    digest: 'x',
  }

  test.each(sampleTenth(WITH_BODY, 'Z19'))('Z19 change no permissions through $name', async (target) => {
    const rights = async () => {
      const { rows } = await sql`
        select (select json_agg(row(id, is_site_admin, password_hash, created_on) order by id) from account where id < 1500) as accounts,
          (select json_agg(member order by member::text) from project_member member where project_id < 2500) as members,
          (select json_agg(row(id, access, status, created_by, created_on) order by id) from project where id < 2500) as projects,
          (select json_agg(row(id, project_id, bound_to) order by id) from user_group where id < 3500) as groups,
          (select json_agg(row(id, account_id, digest, scopes) order by id) from access_key where id < 4500) as keys`.execute(
        context.db,
      )
      return rows
    }
    const before = await rights()
    const usual = usualBody(target)
    for (const at of [[], ['values'], ['user_references', '0']]) {
      let body = usual
      for (const [name, value] of Object.entries(FOREIGN))
        if (!JSON.stringify(usual ?? null).includes(`"${name}"`)) body = withValueAt(body, [...at, name], value)
      await clearSignInFailures(context, target)
      // As callers with rights on their own objects: Mara administers Orchard, Tom owns an account.
      for (const as of [MARA, TOM]) {
        const answer = await api.request(target.route.method, targetPath(target), { as, body })
        expect(answer.status, answer.text).toBeLessThan(500)
      }
    }
    const after = await rights()
    // These routes are about memberships, and Mara may set them.
    if (target.name === 'replaceGroupUsers' || target.name === 'changeGroupUsers') return
    expect(after).toEqual(before)
  })

  test('Z19/self an account cannot make itself an administrator', async () => {
    for (const body of [{ is_site_admin: true }, { values: { is_site_admin: true } }, { status: 'R' }])
      expect(await api.patch('/users/self', { as: TOM, body })).toMatchObject(refused(403, 'permission_denied'))
    const foreign = { account_id: ADA.id, description: 'mine' }
    expect(await api.post('/access_keys', { as: TOM, body: foreign })).toMatchObject(
      refused(400, 'member_unknown', { path: 'account_id' }),
    )
    const made = await api.post('/access_keys', { as: TOM, body: { description: 'mine' } })
    expect(made.status).toBe(201)
    const as = { ...TOM, key: made.json.identifier }
    expect((await api.get('/users/self', { as, reader: TOM })).json.id).toBe(TOM.id)
  })

  test('Z19/stored permissions are checked on stored data, not on sent data', async () => {
    const body = { project_id: VAULT, short_name: 'spies' }
    expect(await api.post('/user_groups', { as: MARA, body })).toMatchObject(refused(400, 'reference_unknown'))
    const banner = { message: 'mine' }
    const path = `/projects/${VAULT}/banner`
    expect((await api.put(path, { as: MARA, body: banner })).status).toBe(404)
    expect((await api.put(`${path}?id=${ORCHARD}`, { as: MARA, body: banner })).status).toBe(400)
    expect((await api.put(path, { as: MARA, body: { ...banner, project_id: ORCHARD } })).status).toBe(400)
  })
})

test('Z20 a child is not found through another parent, by any caller', async () => {
  const absent = (person: TestPerson) => api.get('/user_groups/2001_3999', { as: person })
  for (const as of [ADA, VICTOR, MARA])
    for (const path of [`${VAULT}_${LEADS}`, `${ORCHARD}_${KEEPERS}`, `${NURSERY}_${LEADS}`, `999999_${LEADS}`]) {
      const answer = await api.get(`/user_groups/${path}`, { as })
      expect(answer, path).toMatchObject(refused(404, 'not_found'))
      expect(comparable(answer)).toBe(comparable(await absent(as)))
      expect((await api.put(`/user_groups/${path}/users`, { as, body: [{ username: 'mara' }] })).status).toBe(404)
    }
  expect((await api.get(`/user_groups/${ORCHARD}_${LEADS}`, { as: ADA })).status).toBe(200)
})

test('Z23 a hidden template is unknown', async () => {
  const make = (template_id: number, as: TestPerson) =>
    api.post('/projects', { as, body: { shortname: 'clearing', label: 'Clearing', is_public: true, template_id } })
  await sql`update project set is_template = true where id = ${VAULT}`.execute(context.db)
  for (const as of [TOM, MARA]) {
    const hidden = await make(VAULT, as)
    expect(hidden).toMatchObject(refused(400, 'reference_unknown', { path: 'template_id' }))
    expect(comparable(hidden)).toBe(comparable(await make(999_999, as)))
    expect(comparable(hidden)).toBe(comparable(await make(ORCHARD, as))) // It is not a template.
  }
  expect((await make(VAULT, VICTOR)).status).toBe(201)
})
