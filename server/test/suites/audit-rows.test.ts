import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/routes.ts'
import { startWorld } from '../harness/start-world.ts'
import { ADA, MARA, PASSWORD, TOM } from '../fixtures/people.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'

// Every audited write leaves its row in its transaction. Routes are taken from the list of routes.
const { api, context } = await startWorld()
const audited = ROUTES.filter(({ writes, action }) => writes && action !== null)
/**
 * Writes that are not audited: own preferences, uploads, watches, lists and inbox, and artifacts, whose history is their
 * changesets.
 */
const UNAUDITED = [
  'setPreference',
  'removePreference',
  'createArtifact',
  'updateArtifact',
  'copyArtifact',
  'setLinks',
  'updateComment',
  'addReaction',
  'removeReaction',
  'rankArtifacts',
  'writeArtifacts',
  'importItems',
  'announceFile',
  'createTemporaryFile',
  'appendChunk',
  'deleteTemporaryFile',
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
  'setOwnDashboard',
  'updateNotificationSettings',
  'updateNotification',
  'updateNotifications',
  'deleteNotification',
  'readNotifications',
  'unsubscribe',
]
beforeEach(() => seedTestArtifacts(context.db))

test('every write without an audit action is in the list of unaudited ones', () => {
  const others = ROUTES.filter(({ writes, action }) => writes && action === null).map(({ operationId }) => operationId)
  expect(others.toSorted()).toEqual(UNAUDITED.toSorted())
})

describe.each(audited.map((route) => ({ route, name: route.operationId, row: RIGHTS[route.operationId] })))(
  '$name',
  ({ route, row }) => {
    test.skipIf(row?.needsMore !== undefined)(
      `leaves a row ${row?.needsMore === undefined ? '' : `(shown in its own test, for it needs ${row.needsMore})`}`,
      async () => {
        const writer = row?.right('P8', 'T1') ? ADA : row?.right('P7', 'T1') ? MARA : TOM
        const principal = writer === ADA ? 'P8' : writer === MARA ? 'P7' : 'P5'
        const params = row?.subject.params('T1', principal) ?? {}
        const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
        const before = await count()
        const answer = await api.request(route.method, `${path}?${row?.query ?? ''}`, {
          as: writer,
          ...(row?.body !== undefined && { body: row.body }),
          headers: { 'x-request-id': 'the-write' },
        })
        expect(answer.status).toBe(route.status ?? 200)
        const { rows } = await sql<{ action: string }>`
        select action from audit where request_id = 'the-write' and outcome = 'done'`.execute(context.db)
        expect(rows.map(({ action }) => action)).toContain(route.action)
        expect(await count()).toBeGreaterThan(before)
      },
    )
  },
)

test('deleteToken leaves a row too', async () => {
  const { json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
  await api.delete(`/tokens/${json.token}`, { as: TOM, headers: { 'x-request-id': 'the-write' } })
  const { rows } = await sql`select action from audit where request_id = 'the-write'`.execute(context.db)
  expect(rows).toEqual([{ action: 'token.delete' }])
})

async function count(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from audit`.execute(context.db)
  return rows[0]?.count ?? 0
}
