import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/routes.ts'
import { namedParameter } from '../../src/platform/http/resolve-name.ts'
import { HIDDEN_TRACKER, makeTestTracker } from '../fixtures/every-field.ts'
import { ADA, MARA, OLGA, TOM } from '../fixtures/people.ts'
import { BUGS, ORCHARD } from '../fixtures/seed-ids.ts'
import { masked, refused } from '../harness/refused.ts'
import { startWorld } from '../harness/start-world.ts'

const { api, context } = await startWorld()

async function shortnameOf(id: number): Promise<string> {
  return (await api.get(`/projects/${id}`, { as: ADA })).json.shortname
}

async function nameOfBugs(): Promise<string> {
  const { json } = await api.get(`/trackers/${BUGS}`, { as: ADA })
  return `${await shortnameOf(json.project.id)}.${json.item_name}`
}

/** A private project that only site administrators enter, and a tracker in it. */
async function makeHidden() {
  const { id: project } = (
    await api.post('/projects', {
      as: ADA,
      body: { label: 'Cellar', shortname: 'cellar', description: 'Deep', is_public: false, template_id: 100 },
    })
  ).json
  return project
}

describe('a name in an address', () => {
  test('gives the same response as the id, with the canonical uri', async () => {
    const [project, tracker] = [`@${await shortnameOf(ORCHARD)}`, `@${await nameOfBugs()}`]
    for (const [named, numbered] of [
      [`/projects/${project}`, `/projects/${ORCHARD}`],
      [`/projects/${project.toUpperCase()}`, `/projects/${ORCHARD}`],
      [`/projects/%40${project.slice(1)}`, `/projects/${ORCHARD}`],
      [`/projects/${project}/trackers`, `/projects/${ORCHARD}/trackers`],
      [`/projects/${project}/user_groups`, `/projects/${ORCHARD}/user_groups`],
      [`/trackers/${tracker}`, `/trackers/${BUGS}`],
      [`/trackers/${tracker}/artifacts`, `/trackers/${BUGS}/artifacts`],
      [`/trackers/${tracker}.xml`, `/trackers/${BUGS}.xml`],
      [`/users/@${TOM.login}`, `/users/${TOM.id}`],
      [`/users/@${MARA.login}/membership`, `/users/${MARA.id}/membership`],
    ]) {
      const [one, other] = [await api.get(named ?? '', { as: MARA }), await api.get(numbered ?? '', { as: MARA })]
      expect([named, one.status, one.text]).toEqual([named, 200, other.text])
      expect(one.headers['link']).toEqual(other.headers['link'])
    }
    expect((await api.get(`/projects/${project}`, { as: MARA })).json.uri).toBe(`projects/${ORCHARD}`)
  })

  test('works for writes, pages and idempotency keys as the id does', async () => {
    const project = `@${await shortnameOf(ORCHARD)}`
    const headers = { 'idempotency-key': 'banner-1' }
    const put = (path: string) => api.put(path, { as: MARA, headers, body: { message: 'Hello' } })
    expect((await put(`/projects/${project}/banner`)).status).toBe(200)
    expect((await put(`/projects/${ORCHARD}/banner`)).headers['idempotency-replayed']).toBe('true')
    const first = await api.get(`/projects/${project}/trackers?limit=1`, { as: MARA })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    expect(next).toContain(`/projects/${ORCHARD}/trackers`)
    expect((await api.get(next.replace(/^\/api/, ''), { as: MARA })).status).toBe(200)
  })

  test('that is hidden or absent gets the same 404, and 401 without an account', async () => {
    await makeHidden()
    await makeTestTracker(api, HIDDEN_TRACKER)
    const whisper = `/trackers/@${await shortnameOf(ORCHARD)}.${HIDDEN_TRACKER.item_name}`
    expect((await api.get(whisper, { as: MARA })).status).toBe(200)
    for (const path of [
      whisper,
      '/projects/@cellar',
      '/projects/@cellar/trackers',
      '/trackers/@cellar.bug',
      '/users/@nobody-there',
    ]) {
      const absent = path.replace(/cellar|whisper/, 'nothing')
      const [hidden, gone] = [await api.get(path, { as: OLGA }), await api.get(absent, { as: OLGA })]
      expect(hidden).toMatchObject(refused(404, 'not_found'))
      expect(masked(hidden)).toBe(masked(gone))
      expect(await api.get(path)).toMatchObject(refused(401, 'authentication_required'))
      expect(await api.get(absent)).toMatchObject(refused(401, 'authentication_required'))
    }
    expect((await api.get('/projects/@cellar', { as: ADA })).status).toBe(200)
  })

  test.each([
    { status: 'deleted', hiddenFrom: [OLGA, TOM, MARA, ADA] },
    { status: 'importing', hiddenFrom: [OLGA] },
    { status: 'suspended', hiddenFrom: [OLGA] },
    { status: 'pending', hiddenFrom: [OLGA, TOM] },
  ] as const)('of a project that is $status is as absent', async ({ status, hiddenFrom }) => {
    const paths = [`/projects/@${await shortnameOf(ORCHARD)}`, `/trackers/@${await nameOfBugs()}`]
    for (const path of paths) expect((await api.get(path, { as: OLGA })).status).toBe(200)
    await context.db
      .updateTable('project')
      .set((row) => ({ status, rights_epoch: row('rights_epoch', '+', 1) }))
      .where('id', '=', ORCHARD)
      .execute()
    for (const path of paths) {
      const absent = path.replace('@orchard', '@nothing')
      for (const as of hiddenFrom)
        expect([path, as.login, masked(await api.get(path, { as }))]).toEqual([
          path,
          as.login,
          masked(await api.get(absent, { as })),
        ])
      expect(await api.get(path, { as: OLGA })).toMatchObject(refused(404, 'not_found'))
      expect(await api.get(path)).toMatchObject(refused(401, 'authentication_required'))
    }
  })

  test('does not reveal a hidden project on any route', async () => {
    const id = await makeHidden()
    await context.db.updateTable('project').set({ access: 'private' }).where('id', '=', id).execute()
    const below = ROUTES.filter((route) => namedParameter(route)?.collection === 'projects' && route.method === 'GET')
    expect(below.length).toBeGreaterThan(10)
    for (const { path } of below) {
      const [hidden, absent] = ['@cellar', '@nothing'].map((name) => path.replace(':id', name).replaceAll(/:\w+/g, '1'))
      const headers = { accept: '*/*' }
      const answer = await api.get(hidden ?? '', { as: OLGA, headers })
      expect([path, masked(answer)]).toEqual([path, masked(await api.get(absent ?? '', { as: OLGA, headers }))])
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('resolves only for callers who may see the object', async () => {
    await makeHidden()
    await makeTestTracker(api, HIDDEN_TRACKER)
    const whisper = `${await shortnameOf(ORCHARD)}.${HIDDEN_TRACKER.item_name}`
    const find = (collection: string, name: string, viewer: object) =>
      context.namedObjects
        .find((each) => each.collection === collection)
        ?.findId(context, { language: null, time_zone: null, ...viewer }, name)
    for (const [collection, name] of [
      ['projects', 'cellar'],
      ['trackers', whisper],
    ] as const) {
      expect(await find(collection, name, { account_id: OLGA.id })).toBeUndefined()
      expect(await find(collection, name, {})).toBeUndefined()
      expect(await find(collection, name, { account_id: ADA.id, is_site_admin: true })).toEqual(expect.any(Number))
    }
    expect(await find('users', TOM.login, {})).toBeUndefined()
    expect(await find('users', TOM.login, { account_id: OLGA.id })).toBe(TOM.id)
  })

  test('other malformed ids are refused as before', async () => {
    expect(await api.get('/projects/orchard', { as: MARA })).toMatchObject(refused(400, 'id_malformed'))
    for (const path of [
      '/artifacts/@',
      '/artifacts/@ABC-1/links',
      '/projects/@',
      '/trackers/@orchard',
      '/trackers/@.bug',
      '/users/@%00',
      '/users/@me',
    ])
      expect([path, (await api.get(path, { as: MARA })).status]).toEqual([path, 404])
  })
})
