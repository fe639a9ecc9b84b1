import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/routes.ts'
import { ADA, MARA } from '../fixtures/people.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { BUGS, ORCHARD } from '../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import {
  ANY_USER_SUBJECT,
  LINK_TYPE_SUBJECT,
  NO_SUBJECT,
  OWN_FILE_SUBJECT,
  OWN_KEY_SUBJECT,
  OWN_NOTIFICATION_SUBJECT,
  type Subject,
  USER_SUBJECT,
} from '../fixtures/subjects.ts'
import { startWorld } from '../harness/start-world.ts'

// Every write in an archived project is refused with one reason. Routes are taken from the list of routes.
const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)
await sql`update project set status = 'archived', rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(
  context.db,
)

/** Writes that are about no project, or about the caller's own settings. */
const OUTSIDE = new Set<Subject>([
  ANY_USER_SUBJECT,
  LINK_TYPE_SUBJECT,
  NO_SUBJECT,
  OWN_FILE_SUBJECT,
  OWN_KEY_SUBJECT,
  OWN_NOTIFICATION_SUBJECT,
  USER_SUBJECT,
])
const PERSONAL = [
  'setArtifactWatch',
  'setTrackerWatch',
  'setProjectWatch',
  'deleteArtifactWatch',
  'deleteTrackerWatch',
  'deleteProjectWatch',
  'addArtifactFavourite',
  'addTrackerFavourite',
  'addProjectFavourite',
  'removeArtifactFavourite',
  'removeTrackerFavourite',
  'removeProjectFavourite',
  'recordArtifactSeen',
  'recordTrackerSeen',
  'recordProjectSeen',
]
/** These change the status itself; `writeArtifacts` reports each line; the others need a comment. */
const TESTED_ELSEWHERE = [
  'updateProject',
  'deleteProject',
  'restoreProject',
  'writeArtifacts',
  'updateComment',
  'deleteComment',
  'addReaction',
  'removeReaction',
]
const guarded = ROUTES.filter(({ writes, operationId }) => {
  const row = RIGHTS[operationId]
  return writes && row && !OUTSIDE.has(row.subject) && row.subject.unknown === undefined && row.right('P8', 'T1')
}).filter(({ operationId }) => ![...PERSONAL, ...TESTED_ELSEWHERE].includes(operationId))

test('the list has writes in trackers, artifacts, repositories and webhooks', () => {
  expect(guarded.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([
      'updateArtifact',
      'putTrackerDefinition',
      'updateRepository',
      'deleteWebhook',
      'setBanner',
    ]),
  )
})

test('writeArtifacts reports every line as refused', async () => {
  const { body } = RIGHTS['writeArtifacts'] ?? {}
  const { text } = await api.post(`/trackers/${BUGS}/artifacts/bulk`, { as: MARA, body })
  expect(text).toContain('project_archived')
})

describe.each(guarded.map((route) => ({ route, name: route.operationId })))('$name', ({ route }) => {
  test.each([MARA, ADA])('is refused to $login', async (person) => {
    const row = RIGHTS[route.operationId]
    const principal = person === ADA ? 'P8' : 'P7'
    if (!row?.right(principal, 'T1')) return
    const params = row.subject.params('T1', principal)
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
    const { status, json } = await api.request(route.method, `${path}?${row.query ?? ''}`, {
      as: person,
      ...(row.body !== undefined && { body: row.body }),
    })
    expect({ status, reason: json?.error?.reason }).toEqual({ status: 403, reason: 'project_archived' })
  })
})
