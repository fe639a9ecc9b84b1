import { expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { ADA, MARA, type TestPerson } from '../fixtures/people.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { BUGS, FOLDERS, OPEN_BUG, OPEN_FOLDER, ORCHARD } from '../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import {
  ANY_USER_SUBJECT,
  LINK_TYPE_SUBJECT,
  LOST_PROJECT_SUBJECT,
  LOST_REPOSITORY_SUBJECT,
  NO_SUBJECT,
  OWN_FILE_SUBJECT,
  OWN_KEY_SUBJECT,
  PRINCIPALS,
  type Principal,
  type Subject,
  USER_SUBJECT,
} from '../fixtures/subjects.ts'
import { masked } from '../harness/refused.ts'
import { startWorld } from '../harness/start-world.ts'

// A deleted project is hidden from every reader on every route, and a restoration brings back the same responses. Routes
// are taken from the list of routes.
const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)

const OUTSIDE = new Set<Subject>([
  ANY_USER_SUBJECT,
  LINK_TYPE_SUBJECT,
  LOST_PROJECT_SUBJECT,
  NO_SUBJECT,
  OWN_FILE_SUBJECT,
  OWN_KEY_SUBJECT,
  USER_SUBJECT,
])
const inside = ROUTES.filter(({ operationId }) => {
  const row = RIGHTS[operationId]
  return row && !OUTSIDE.has(row.subject) && row.subject.unknown === undefined
})
const readers = ['P1', 'P3', 'P5', 'P7', 'P8'] as const satisfies readonly Principal[]
const SLOW = { timeout: 240_000 }

async function ask(route: Route, principal: Principal) {
  const row = RIGHTS[route.operationId]
  const params = row?.subject.params('T1', principal) ?? {}
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  const person: TestPerson | undefined = PRINCIPALS[principal]
  const isStream = row?.formats?.includes('stream')
  return api.request(isStream ? 'HEAD' : route.method, `${path}?${row?.query ?? ''}`, {
    ...(person && { as: person }),
    headers: { accept: isStream ? 'text/event-stream' : 'application/json' },
    ...(row?.body !== undefined && { body: row.body }),
  })
}

/** Their responses change with the deletion itself. */
const RECORDS = ['listProjectAudit', 'listHeartbeats']
const reads = inside.filter(({ writes, operationId }) => !writes && !RECORDS.includes(operationId))

async function snapshot() {
  const found = new Map<string, string>()
  for (const route of reads)
    for (const principal of ['P3', 'P7', 'P8'] as const) {
      const answer = await ask(route, principal)
      found.set(`${route.operationId} ${principal}`, `${answer.status} ${masked(answer)}`)
    }
  return found
}

/** Pages and lists that name no object of the project in their path. */
const LISTS = [
  '/projects?limit=50',
  '/projects?limit=50&query={"shortname":"orchard"}',
  '/projects?limit=50&query={"with_status":"archived"}',
  '/events?limit=1000',
  '/artifacts?query={"id":[14001]}',
  '/trash?limit=1000&type=artifact',
  '/trash?limit=1000&type=tracker',
  '/notifications?limit=50',
  '/users/self/watches',
  '/search?query=orchard',
  '/search/artifacts?query=orchard',
  '/users/self/favourites',
  '/users/self/recently_seen',
] as const
/** Lists in which administrators of the project and of the site find it before. */
const EVERY_LIST = ['/projects?limit=50', '/events?limit=1000', '/artifacts?query={"id":[14001]}', '/search']
const SHOWN = new RegExp(
  `"(?:projects/${ORCHARD}|trackers/${BUGS}|trackers/${FOLDERS}|artifacts/${OPEN_BUG}|artifacts/${OPEN_FOLDER})"|Orchard`,
)

const isOfRepositoryTrash = ({ operationId }: Route) => RIGHTS[operationId]?.subject === LOST_REPOSITORY_SUBJECT

/** The lists that show something of the project to this person. */
async function shownIn(person: TestPerson | undefined): Promise<string[]> {
  const options = person ? { as: person } : {}
  const shown: string[] = []
  for (const list of LISTS) if (SHOWN.test((await api.get(encodeURI(list), options)).text)) shown.push(list)
  const found = await api.post('/search', { ...options, body: { keywords: 'orchard' } })
  return SHOWN.test(found.text) ? [...shown, '/search'] : shown
}

test(
  'everything of a deleted project is hidden from every reader, and comes back with its restoration',
  SLOW,
  async () => {
    expect(inside.length).toBeGreaterThan(90)
    await api.put(`/projects/${ORCHARD}/watch`, { as: MARA, body: { level: 'all' } })
    await api.put(`/projects/${ORCHARD}/favourite`, { as: MARA })
    await api.put(`/artifacts/${OPEN_BUG}/seen`, { as: MARA })
    const personal = ['/users/self/watches', '/users/self/favourites', '/users/self/recently_seen']
    expect(await shownIn(MARA)).toEqual(expect.arrayContaining([...EVERY_LIST, ...personal]))
    expect(await shownIn(ADA)).toEqual(expect.arrayContaining(EVERY_LIST))
    const before = await snapshot()
    expect([...before.values()].filter((each) => each.startsWith('200')).length).toBeGreaterThan(100)
    expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)

    const wrong: string[] = []
    for (const route of inside)
      for (const principal of readers) {
        const { status, text } = await ask(route, principal)
        // Restoring a repository checks the permission first, which reveals nothing.
        const expected = principal === 'P1' ? 401 : isOfRepositoryTrash(route) && principal !== 'P8' ? 403 : 404
        if (status !== expected) wrong.push(`${route.operationId} ${principal}: ${status} ${text.slice(0, 200)}`)
      }
    for (const reader of readers) for (const list of await shownIn(PRINCIPALS[reader])) wrong.push(`${reader} ${list}`)
    expect(wrong).toEqual([])

    expect((await api.post(`/projects/${ORCHARD}/restoration`, { as: ADA })).status).toBe(200)
    expect(Object.fromEntries(await snapshot())).toEqual(Object.fromEntries(before))
  },
)
