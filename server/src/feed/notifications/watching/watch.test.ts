import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, RITA, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { BUGS, LEDGER, OPEN_BUG, ORCHARD, VAULT } from '../../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../../test/harness/refused.ts'
import { drainWorker } from '../../../../test/harness/run-jobs.ts'
import { seedTestArtifacts } from '../../../../test/fixtures/seed-artifacts.ts'

const { api, context } = await startWorld()
beforeEach(() => seedTestArtifacts(context.db))

const ARTIFACT = `/artifacts/${OPEN_BUG}/watch`
const TRACKER = `/trackers/${BUGS}/watch`
const PROJECT = `/projects/${ORCHARD}/watch`

const levelAt = async (path: string, as = TOM) => (await api.get(path, { as })).json
const set = (path: string, level: string, as = TOM) => api.put(path, { as, body: { level } })

describe('watching', () => {
  test('begins with the default of the account', async () => {
    for (const path of [ARTIFACT, TRACKER, PROJECT])
      expect(await levelAt(path)).toEqual({
        level: 'mentions',
        inherited_from: 'users/self/notification_settings',
      })
  })

  test('takes the nearest level: artifact, tracker, project, account', async () => {
    await api.patch('/users/self/notification_settings', { as: TOM, body: { default_level: 'none' } })
    expect((await levelAt(ARTIFACT)).level).toBe('none')
    await set(PROJECT, 'all')
    expect(await levelAt(ARTIFACT)).toEqual({ level: 'all', inherited_from: `projects/${ORCHARD}` })
    await set(TRACKER, 'status')
    expect(await levelAt(ARTIFACT)).toEqual({ level: 'status', inherited_from: `trackers/${BUGS}` })
    const answer = await set(ARTIFACT, 'mentions')
    expect([answer.status, answer.json]).toEqual([200, { level: 'mentions', inherited_from: null }])
    expect(await levelAt(ARTIFACT)).toEqual({ level: 'mentions', inherited_from: null })
    expect(await levelAt(PROJECT)).toEqual({ level: 'all', inherited_from: null })
  })

  test('returns to the inherited level', async () => {
    await set(PROJECT, 'all')
    await set(ARTIFACT, 'none')
    for (let time = 0; time < 2; time++) {
      const answer = await api.delete(ARTIFACT, { as: TOM })
      expect([answer.status, answer.json]).toEqual([200, { level: 'all', inherited_from: `projects/${ORCHARD}` }])
    }
  })

  test('is separate for each account', async () => {
    await set(ARTIFACT, 'all')
    expect((await levelAt(ARTIFACT, UMA)).level).toBe('mentions')
  })

  test.each([ARTIFACT, TRACKER, PROJECT])('%s requires sign-in', async (path) => {
    expect(await api.get(path)).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.put(path, { body: { level: 'all' } })).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.delete(path)).toMatchObject(refused(401, 'authentication_required'))
  })

  test.each([`/trackers/${LEDGER}/watch`, `/projects/${VAULT}/watch`, '/artifacts/999999/watch'])(
    '%s is not found for Tom',
    async (path) => {
      expect(await api.get(path, { as: TOM })).toMatchObject(refused(404, 'not_found'))
      expect(await set(path, 'all')).toMatchObject(refused(404, 'not_found'))
      expect(await api.delete(path, { as: TOM })).toMatchObject(refused(404, 'not_found'))
    },
  )

  test('has four levels', async () => {
    expect(await set(ARTIFACT, 'loud')).toMatchObject(refused(400, 'parameter_not_allowed'))
    expect(await api.put(ARTIFACT, { as: TOM, body: {} })).toMatchObject(refused(400, 'parameter_required'))
  })

  test('changes nothing in a dry run', async () => {
    const answer = await api.put(`${ARTIFACT}?dry_run=true`, { as: TOM, body: { level: 'all' } })
    expect(answer.json.dry_run.would_answer).toEqual({ level: 'all', inherited_from: null })
    expect((await levelAt(ARTIFACT)).level).toBe('mentions')
  })
})

describe('GET /users/self/watches', () => {
  test('lists the chosen levels of readable objects', async () => {
    await set(ARTIFACT, 'all', UMA)
    await set(TRACKER, 'none', UMA)
    await set(PROJECT, 'status', UMA)
    const { json } = await api.get('/users/self/watches', { as: UMA })
    const [artifact, project, tracker] = [`artifacts/${OPEN_BUG}`, `projects/${ORCHARD}`, `trackers/${BUGS}`]
    const { json: bug } = await api.get(`/${artifact}`, { as: UMA })
    expect(json).toEqual([
      { object: artifact, level: 'all', label: bug.title, xref: bug.xref, html_url: `/${artifact}` },
      { object: project, level: 'status', label: 'Orchard', xref: null, html_url: '/projects/orchard' },
      { object: tracker, level: 'none', label: 'Bugs', xref: null, html_url: `/${tracker}` },
    ])
    await sql`update artifact set deleted_on = now() where id = ${OPEN_BUG}`.execute(context.db)
    const left = await api.get('/users/self/watches', { as: UMA })
    expect(left.json).toHaveLength(2)
    expect((await api.get('/users/self/watches', { as: OLGA })).json).toEqual([])
  })
})

test('a purged artifact has no watchers', async () => {
  await set(ARTIFACT, 'all', UMA)
  await set(TRACKER, 'all', UMA)
  expect((await api.delete(`/artifacts/${OPEN_BUG}`, { as: ADA })).status).toBe(200)
  expect((await api.delete(`/artifacts/${OPEN_BUG}?purge=true`, { as: ADA })).status).toBe(200)
  await drainWorker(context)
  expect(await context.db.selectFrom('watch').select('kind').execute()).toEqual([{ kind: 'tracker' }])
})

describe('GET /artifacts/{id}/watchers', () => {
  const watchers = async (as = TOM) =>
    (await api.get(`/artifacts/${OPEN_BUG}/watchers`, { as })).json.map(
      ({ username }: { username: string }) => username,
    )

  test('lists the watchers, without those who have muted it', async () => {
    await set(ARTIFACT, 'all', UMA)
    await set(ARTIFACT, 'mentions', MARA)
    await set(ARTIFACT, 'none', GUS)
    expect(await watchers()).toEqual(['mara', 'uma'])
  })

  test('requires permission to read the artifact', async () => {
    expect(await api.get(`/artifacts/${OPEN_BUG}/watchers`, { as: RITA })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('notification settings', () => {
  const PATH = '/users/self/notification_settings'

  test('begin with the defaults, and change one by one', async () => {
    const defaults = {
      default_level: 'mentions',
      mail: 'immediate',
      digest_hour: 8,
      own_changes: false,
      assigned: true,
      submitted: true,
      mute_mentions: true,
      short_mails: false,
    }
    expect((await api.get(PATH, { as: ADA })).json).toEqual(defaults)
    const answer = await api.patch(PATH, { as: ADA, body: { mail: 'daily', digest_hour: 17 } })
    expect([answer.status, answer.json]).toEqual([200, { ...defaults, mail: 'daily', digest_hour: 17 }])
    await api.patch(PATH, { as: ADA, body: { assigned: false } })
    expect((await api.get(PATH, { as: ADA })).json).toEqual({
      ...defaults,
      mail: 'daily',
      digest_hour: 17,
      assigned: false,
    })
    expect((await api.get(PATH, { as: TOM })).json).toEqual(defaults)
  })

  test.each([
    { body: { digest_hour: 24 }, reason: 'parameter_out_of_range' },
    { body: { mail: 'sometimes' }, reason: 'parameter_not_allowed' },
    { body: { loud: true }, reason: 'member_unknown' },
    { body: { assigned: 'perhaps' }, reason: 'parameter_invalid' },
  ])('refuse $body', async ({ body, reason }) => {
    expect(await api.patch(PATH, { as: TOM, body })).toMatchObject(refused(400, reason))
  })
})
