import { beforeAll, expect, test } from 'vitest'
import { ADA, GUS, MARA, type Person, TOM, UMA } from '../../../test/people.ts'
import { ORCHARD } from '../../../test/places.ts'
import { workOff } from '../../../test/run-jobs.ts'
import { startSvnWorld } from '../../../test/svn.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/webhook-receiver.ts'

const { api, context, svnmucc, svnOrigin } = await startSvnWorld()
const receiver = await startReceiver()
const CORE = `${svnOrigin}/svn/orchard/core`
const NOT_FOR_ALL = '[/secret]\n* =\n@leads = rw'
// Readers of the feed stop before the oldest transaction of the cluster, which other tests may hold up.
const PATIENCE = { timeout: 15_000 }
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
const told = async (of: number, as: Person) => {
  const { json } = await api.get('/events?types=svn.commit&limit=1000', { as })
  return json.events.find((event: { revision: number }) => event.revision === of)
}
const UMA_MADE_IT = { id: UMA.id, username: 'uma' }

test('an event names the directories of a commit that its reader may read, and no others', async () => {
  const made = await commit('trunk/web/a', 'trunk/web/b', 'secret/a')
  await expect
    .poll(() => told(made, UMA), PATIENCE)
    .toMatchObject({ directories: ['/secret', '/trunk/web'], actor: UMA_MADE_IT })
  expect(await told(made, GUS)).toMatchObject({ directories: ['/secret', '/trunk/web'] })
  expect(await told(made, TOM)).toMatchObject({ directories: ['/trunk/web'], actor: UMA_MADE_IT })
})

test('of a commit that somebody may read nothing of, he knows nothing but that there is one', async () => {
  const made = await commit('secret/b')
  await expect.poll(() => told(made, UMA), PATIENCE).toMatchObject({ directories: ['/secret'], actor: UMA_MADE_IT })
  expect(await told(made, TOM)).toMatchObject({ revision: made, directories: [], actor: null })
  expect((await api.get(`/svn/${id}/revisions/${made}`, { as: TOM })).json).toMatchObject({ author: null, paths: null })
})

test('what is changed decides, and not where it is', async () => {
  await setAccess(`${NOT_FOR_ALL}\n[/vault]\n* =\n@leads = rw`)
  const made = await commit('vault')
  await expect.poll(() => told(made, UMA), PATIENCE).toMatchObject({ directories: ['/'], actor: UMA_MADE_IT })
  expect(await told(made, TOM)).toMatchObject({ revision: made, directories: [], actor: null })
  const mixed = await commit('vault/a', 'open')
  await expect.poll(() => told(mixed, TOM), PATIENCE).toMatchObject({ directories: ['/'], actor: UMA_MADE_IT })
  await setAccess(NOT_FOR_ALL)
})

test('a changed access file is in force for the very next reader, also of what was told before', async () => {
  const made = await commit('trunk/c', 'trunk/web/c', 'secret/c')
  const seen = async (access_file: string) => {
    await setAccess(access_file)
    return (await told(made, TOM))?.directories
  }
  await expect.poll(() => told(made, TOM), PATIENCE).toMatchObject({ directories: ['/trunk', '/trunk/web'] })
  expect(await seen('')).toEqual(['/secret', '/trunk', '/trunk/web'])
  expect(await seen('[/trunk]\ntom =\n[/trunk/web]\ntom = r')).toEqual(['/secret', '/trunk/web'])
  expect(await seen('[/]\n* =\n@members =\n[/trunk/web]\ntom = r')).toEqual(['/trunk/web'])
  expect(await seen('[/]\n* =\n@members =')).toEqual([])
  expect(await seen(NOT_FOR_ALL)).toEqual(['/trunk', '/trunk/web'])
})

test('a webhook tells the directories that its eyes may read', async () => {
  await allowLoopback(api)
  for (const { id: as_user } of [TOM, UMA]) {
    const body = { url: receiver.url(`/${as_user}`), as_user, events: ['svn.commit'], format: 'json' }
    expect((await api.post(`/projects/${ORCHARD}/webhooks`, { as: ADA, body })).status).toBe(201)
  }
  const made = await commit('trunk/web/d', 'secret/d')
  await expect.poll(() => told(made, UMA), PATIENCE).toBeDefined()
  await workOff(context)
  const requests = await receiver.received()
  const sentTo = ({ id: person }: Person) => requests.filter(({ path }) => path === `/${person}`).map(payloadOf)
  expect(sentTo(TOM)).toMatchObject([{ revision: made, directories: ['/trunk/web'] }])
  expect(sentTo(UMA)).toMatchObject([{ revision: made, directories: ['/secret', '/trunk/web'] }])
})

test('of a large commit the first hundred directories are told', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `trunk/n${at}`)
  const made = await commit(...many.flatMap((each) => [each, `${each}/deep`]))
  await expect.poll(async () => (await told(made, TOM))?.directories.length, PATIENCE).toBe(100)
})

test('other events have no directories, and of a repository that is gone there are none', async () => {
  const made = await commit('trunk/web/e')
  await expect.poll(() => told(made, TOM), PATIENCE).toMatchObject({ directories: ['/trunk/web'] })
  expect((await api.delete(`/svn/${id}`, { as: MARA })).status).toBe(202)
  expect(await told(made, TOM)).toMatchObject({ directories: [], actor: null })
  const { json } = await api.get('/events?limit=1000', { as: MARA })
  const others = json.events.filter(({ type }: { type: string }) => type !== 'svn.commit')
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter((event: object) => 'directories' in event)).toEqual([])
})
