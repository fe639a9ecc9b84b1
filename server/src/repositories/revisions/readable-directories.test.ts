import { beforeAll, expect, test } from 'vitest'
import { ADA, GUS, MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'

const { api, context, svnmucc, svnOrigin } = await startSvnWorld()
const receiver = await startReceiver()
const CORE = `${svnOrigin}/svn/orchard/core`
const NOT_FOR_ALL = '[/secret]\n* =\n@leads = rw'
// Feed readers stop before the oldest open transaction of the cluster, which other tests may hold.
const PATIENCE = { timeout: 60_000 }
let id: number
let revision = 1

beforeAll(async () => {
  const settings = { layout: ['trunk/web', 'secret'], access_file: NOT_FOR_ALL }
  id = (await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })).json.id
})

const setAccess = async (access_file: string) => {
  const { json } = await api.get(`/svn/${id}`, { as: MARA })
  const { status } = await api.put(`/svn/${id}`, {
    as: MARA,
    body: { settings: { ...json.settings, access_file } },
  })
  expect(status).toBe(200)
}
const commit = async (...directories: readonly string[]) => {
  const actions = directories.flatMap((each) => ['mkdir', each])
  const { error } = await svnmucc(UMA, '--root-url', CORE, '-m', 'More.', ...actions)
  expect(error).toBe('')
  return ++revision
}
const reportedCommit = async (of: number, as: TestPerson) => {
  const { json } = await api.get('/events?types=svn.commit&limit=1000', { as })
  return json.events.find((event: { revision: number }) => event.revision === of)
}
const UMA_MADE_IT = { id: UMA.id, username: 'uma' }

test('an event names only those directories of a commit that its reader may read', async () => {
  const made = await commit('trunk/web/a', 'trunk/web/b', 'secret/a')
  await expect
    .poll(() => reportedCommit(made, UMA), PATIENCE)
    .toMatchObject({ directories: ['/secret', '/trunk/web'], actor: UMA_MADE_IT })
  expect(await reportedCommit(made, GUS)).toMatchObject({ directories: ['/secret', '/trunk/web'] })
  expect(await reportedCommit(made, TOM)).toMatchObject({ directories: ['/trunk/web'], actor: UMA_MADE_IT })
})

test('a reader without access to any changed path sees only that there was a commit', async () => {
  const made = await commit('secret/b')
  await expect
    .poll(() => reportedCommit(made, UMA), PATIENCE)
    .toMatchObject({ directories: ['/secret'], actor: UMA_MADE_IT })
  expect(await reportedCommit(made, TOM)).toMatchObject({ revision: made, directories: [], actor: null })
  expect((await api.get(`/svn/${id}/revisions/${made}`, { as: TOM })).json).toMatchObject({ author: null, paths: null })
})

test('the rights on the changed paths count, not those on their directory', async () => {
  await setAccess(`${NOT_FOR_ALL}\n[/vault]\n* =\n@leads = rw`)
  const made = await commit('vault')
  await expect.poll(() => reportedCommit(made, UMA), PATIENCE).toMatchObject({ directories: ['/'], actor: UMA_MADE_IT })
  expect(await reportedCommit(made, TOM)).toMatchObject({ revision: made, directories: [], actor: null })
  const mixed = await commit('vault/a', 'open')
  await expect
    .poll(() => reportedCommit(mixed, TOM), PATIENCE)
    .toMatchObject({ directories: ['/'], actor: UMA_MADE_IT })
  await setAccess(NOT_FOR_ALL)
})

test('a changed access file applies to the next reader, also for older events', async () => {
  const made = await commit('trunk/c', 'trunk/web/c', 'secret/c')
  const seen = async (access_file: string) => {
    await setAccess(access_file)
    return (await reportedCommit(made, TOM))?.directories
  }
  await expect.poll(() => reportedCommit(made, TOM), PATIENCE).toMatchObject({ directories: ['/trunk', '/trunk/web'] })
  expect(await seen('')).toEqual(['/secret', '/trunk', '/trunk/web'])
  expect(await seen('[/trunk]\ntom =\n[/trunk/web]\ntom = r')).toEqual(['/secret', '/trunk/web'])
  expect(await seen('[/]\n* =\n@members =\n[/trunk/web]\ntom = r')).toEqual(['/trunk/web'])
  expect(await seen('[/]\n* =\n@members =')).toEqual([])
  expect(await seen(NOT_FOR_ALL)).toEqual(['/trunk', '/trunk/web'])
})

test('a webhook reports the directories that its viewer may read', async () => {
  await allowLoopback(api)
  for (const { id: as_user } of [TOM, UMA]) {
    const body = { url: receiver.url(`/${as_user}`), as_user, events: ['svn.commit'], format: 'json' }
    expect((await api.post(`/projects/${ORCHARD}/webhooks`, { as: ADA, body })).status).toBe(201)
  }
  const made = await commit('trunk/web/d', 'secret/d')
  await expect.poll(() => reportedCommit(made, UMA), PATIENCE).toBeDefined()
  await drainWorker(context)
  const requests = await receiver.received()
  const sentTo = ({ id: person }: TestPerson) => requests.filter(({ path }) => path === `/${person}`).map(payloadOf)
  expect(sentTo(TOM)).toMatchObject([{ revision: made, directories: ['/trunk/web'] }])
  expect(sentTo(UMA)).toMatchObject([{ revision: made, directories: ['/secret', '/trunk/web'] }])
})

test('the event of a large commit names the first hundred directories', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `trunk/n${at}`)
  const made = await commit(...many.flatMap((each) => [each, `${each}/deep`]))
  await expect.poll(async () => (await reportedCommit(made, TOM))?.directories.length, PATIENCE).toBe(100)
})

test('other events and events of deleted repositories have no directories', async () => {
  const made = await commit('trunk/web/e')
  await expect.poll(() => reportedCommit(made, TOM), PATIENCE).toMatchObject({ directories: ['/trunk/web'] })
  expect((await api.delete(`/svn/${id}`, { as: MARA })).status).toBe(202)
  expect(await reportedCommit(made, TOM)).toMatchObject({ directories: [], actor: null })
  const { json } = await api.get('/events?limit=1000', { as: MARA })
  const others = json.events.filter(({ type }: { type: string }) => type !== 'svn.commit')
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter((event: object) => 'directories' in event)).toEqual([])
})
