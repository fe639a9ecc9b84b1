import { expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../src/routes.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../fixtures/people.ts'
import { makeTestTracker } from '../fixtures/every-field.ts'
import { linking, TREES } from '../fixtures/linked-trackers.ts'
import { beginTestImport, finishTestImport } from '../fixtures/imports.ts'
import { leaveJob } from '../fixtures/sample-jobs.ts'
import { HOARD, ORCHARD } from '../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { basic } from '../harness/client.ts'
import { runJobs } from '../harness/run-jobs.ts'
import { startWorld } from '../harness/start-world.ts'

const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)

/** Readable things that no address leads to, each with the reason. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  searchUsers: 'needs words to search for',
  quickSearch: 'needs words to search for',
  searchArtifacts: 'needs words to search for',
  getPreference: 'needs the key that a client has chosen',
  getComment: 'its address is that of a version, followed by `/comment`',
  getArtifacts: 'needs the ids of artifacts, each of which has its own address',
  queryAcrossTrackers: 'needs a query',
  getSession: 'exists for callers with a session cookie only; the index names it to them',
  getPasswordReset: 'its address is a secret, known by mail alone',
  getInvitation: 'its address is a secret, known by mail alone',
  getUnsubscription: 'its address is a secret, known by mail alone',
  listGitRepositories: 'always empty: clients of the original call it without asking',
  listMilestones: 'always empty: clients of the original call it without asking',
  listPlannings: 'always empty: clients of the original call it without asking',
  listBacklog: 'always empty: clients of the original call it without asking',
}

const reads = ROUTES.filter(({ method }) => method === 'GET').map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Enough of each kind to come across all shapes of it. */
const MAX_VISITS_PER_ROUTE = 40

/** Literal paths come before those with parameters. */
function findRoute(uri: string): Route | undefined {
  const path = `/${uri.split('?', 1)[0]}`
  const found = reads.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route)
  return found.toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]
}

interface Address {
  readonly uri: string
  /** One of `resources`, which names only what the caller may read. */
  readonly isResource: boolean
}

/** All members `uri` and `…_uri` of an answer. */
function addressesIn(value: unknown, isResource = false): Address[] {
  if (Array.isArray(value)) return value.flatMap((each) => addressesIn(each, isResource))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' && /(^|_)uri$/.test(name)
      ? [{ uri: each, isResource }]
      : addressesIn(each, name === 'resources'),
  )
}

async function walk(person?: TestPerson) {
  const reached = new Set<string>()
  const refused: string[] = []
  const visits = new Map<string, number>()
  const known = new Map<string, boolean>([['', true]])
  for (const [uri, isResource] of known) {
    const route = findRoute(uri)
    if (!route || route.operationId in UNREACHABLE) continue
    const count = (visits.get(route.operationId) ?? 0) + 1
    visits.set(route.operationId, count)
    if (count > MAX_VISITS_PER_ROUTE) continue
    const isStream = route.formats?.stream?.isOnly === true
    const answer = await api.request(isStream ? 'HEAD' : 'GET', `/${uri}`, {
      ...(person && { as: person }),
      headers: { accept: isStream ? 'text/event-stream' : '*/*' },
    })
    if (answer.status === 200) reached.add(route.operationId)
    else if (isResource) refused.push(`${answer.status} ${uri}`)
    if (answer.status === 200 && String(answer.headers['content-type']).startsWith('application/json'))
      for (const each of addressesIn(answer.json)) if (!known.has(each.uri)) known.set(each.uri, each.isResource)
  }
  return { reached, refused }
}

/** One of everything that the seed lacks. */
async function fillWorld(): Promise<void> {
  await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Harvest' } })
  await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
  await leaveJob(context.db)
  await api.post('/identity_providers', {
    as: ADA,
    body: {
      name: 'company',
      label: 'Company',
      issuer: 'https://login.orchard.test',
      client_id: 'waypost',
      client_secret: 'a',
    },
  })
  await api.post('/directories', {
    as: ADA,
    body: { name: 'company', label: 'Company', urls: ['ldaps://ldap.orchard.test'], people_base: 'dc=orchard,dc=test' },
  })
  await finishTestImport(api, await beginTestImport(api))
  const trees = await makeTestTracker(api, TREES)
  const { plant } = linking(api, () => trees)
  await plant({ links: [{ id: await plant(), type: '_is_child' }] })
  await api.delete(`/artifacts/${await plant()}`, { as: MARA })
  for (const person of [ADA, MARA]) await api.post('/users/self/export', { headers: basic(person), reader: person })
  await runJobs(context)
}

/** The access file decides who browses a repository; site administrators are no members of this one. */
const BY_ACCESS_FILE = new RegExp(`^404 svn/${HOARD}/`)

test('a walk from GET /api by addresses alone reaches every readable thing', async () => {
  await fillWorld()
  const walks = [await walk(ADA), await walk(MARA)]
  const reached = new Set(walks.flatMap((each) => [...each.reached]))
  const missing = reads.map(({ route }) => route.operationId).filter((id) => !reached.has(id) && !(id in UNREACHABLE))
  expect(missing).toEqual([])
  expect(Object.keys(UNREACHABLE).filter((id) => !reads.some(({ route }) => route.operationId === id))).toEqual([])
  expect(walks.flatMap(({ refused }) => refused).filter((each) => !BY_ACCESS_FILE.test(each))).toEqual([])
})

test('resources name only what the caller may read', async () => {
  expect((await walk()).refused).toEqual([])
  expect((await walk(OLGA)).refused).toEqual(['404 users/self/export']) // None was requested.
})

test('the index names entry points by the permissions of the caller, in JSON and XML', async () => {
  const types = async (as?: TestPerson): Promise<string[]> => {
    const { status, json } = await api.get('', as ? { as } : {})
    expect(status).toBe(200)
    return json.resources.map(({ type }: { type: string }) => type)
  }
  const open = [
    'projects',
    'link_types',
    'tracker_templates',
    'registrations',
    'sign_in_options',
    'events',
    'version',
    'openapi',
  ]
  expect(await types()).toEqual(open)
  expect(await types(TOM)).toEqual(expect.arrayContaining([...open, 'user', 'notifications', 'assigned_artifacts']))
  expect(await types(TOM)).not.toContain('settings')
  expect(await types(ADA)).toEqual(expect.arrayContaining([...open, 'settings', 'audit', 'jobs', 'trash', 'archives']))

  const xml = await api.get('', { headers: { accept: 'application/xml' } })
  expect(xml.text).toContain('<resources><item><type>projects</type><uri>projects</uri></item>')
  for (const path of ['/', '?']) expect((await api.get(path)).json).toEqual((await api.get('')).json)
  const refusal = await api.post('', { as: TOM, body: {} })
  expect([refusal.status, refusal.headers['allow']]).toEqual([405, 'OPTIONS, GET'])
})
