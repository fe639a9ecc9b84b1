import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, ALL_PEOPLE, TOM } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, OPEN_BUG, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, context } = await startWorld()

/** Paths that list or look up users, or might. */
const PLACES = [
  `/users/${MARA.id}`,
  '/users?query=mara',
  `/users/${MARA.id}/membership`,
  `/user_groups/${ORCHARD}_3/users`,
  `/projects/${ORCHARD}/heartbeats`,
  `/projects/${ORCHARD}/user_groups`,
  `/projects/${ORCHARD}`,
  `/trackers/${BUGS}`,
  `/projects/${ORCHARD}/trackers?representation=full`,
  `/artifacts/${OPEN_BUG}/watchers`,
  '/events',
]

test.each(PLACES)('N12 anonymous callers find no users at %s', async (path) => {
  await makeTraces()
  const { text } = await api.get(path)

  for (const { login } of ALL_PEOPLE) expect(text).not.toMatch(new RegExp(`\\b${login}\\b`))
})

test('N12/signed in callers find them', async () => {
  await makeTraces()
  const found = await Promise.all(PLACES.map((path) => api.get(path, { as: MARA })))

  expect(found.filter(({ text }) => /\bmara\b/.test(text)).length).toBeGreaterThan(5)
})

test('N12/artifact names of users are shown as part of public artifacts', async () => {
  const made = await api.post('/artifacts', {
    as: TOM,
    body: { tracker: { id: BUGS }, values: [{ field_id: BUG.summary, value: 'Gate squeaks' }] },
  })
  const { json } = await api.get(`/artifacts/${made.json.id}`)

  expect(json.submitted_by_user).toMatchObject({ username: 'tom' })
})

test('N12/login searches do not reveal which logins exist', async () => {
  const ask = (login: string) =>
    api.get(`/trackers/${BUGS}/artifacts?query=${encodeURIComponent(JSON.stringify({ assigned_to: login }))}`)
  const [known, unknown] = [await ask('tom'), await ask('nobody-here')]

  expect(known.text.replaceAll(/tom|"request_id":"[^"]*"/g, '')).toBe(
    unknown.text.replaceAll(/nobody-here|"request_id":"[^"]*"/g, ''),
  )
})

test('anonymous_directory opens it', async () => {
  expect(await api.get(`/users/${TOM.id}`)).toMatchObject(refused(401, 'authentication_required'))
  await sql`update setting set version = version + 1, chosen = '{"anonymous_directory": true}'`.execute(context.db)

  expect((await api.get(`/users/${TOM.id}`)).json.username).toBe('tom')
  expect((await api.get(`/trackers/${BUGS}`)).text).toContain('"username":"tom"')
})

/** Adds a watch, a change and a field default of a user, so that there is a name to find. */
async function makeTraces(): Promise<void> {
  await api.put(`/artifacts/${OPEN_BUG}/watch`, { as: MARA, body: { level: 'all' } })
  await api.put(`/artifacts/${OPEN_BUG}`, {
    as: MARA,
    body: { values: [{ field_id: BUG.assigned_to, bind_value_ids: [TOM.id] }] },
  })
  await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Harvest' } })
}
