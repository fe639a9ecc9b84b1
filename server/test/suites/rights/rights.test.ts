import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { OPERATION_EXAMPLES } from '../../../src/platform/openapi/operation-examples.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import { ROUTES } from '../../../src/routes.ts'
import { EXAMPLE_STATES } from '../../fixtures/example-states.ts'
import { ADA, GUS, MARA, RITA, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import { GATED, OPEN_BUG, ORCHARD } from '../../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../../fixtures/seeded-on-disk.ts'
import { sendExample, toLiveRequest } from '../../fixtures/send-example.ts'
import { startWorld } from '../../harness/start-world.ts'
import { startMailPeer } from '../../peers/mail-peer.ts'
import { compareLooks, createLookFigures, findViewers } from './compare-looks.ts'
import { compareWorlds } from './rights-worlds.ts'
import { takeUnstampedChanges, unwatchStamps, watchStamps } from './watch-stamps.ts'

// An artifact is looked up by rights in memory or by SQL (`artifacts/reading/find-artifact.ts`): both must agree, always.
const { url, mails } = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: url } })
const owner = openDatabase({ connectionString: ownerUrl(context), max: 1 })
await putSeededOnDisk(context.config)
await watchStamps(owner)
afterAll(async () => {
  await unwatchStamps(owner)
  await owner.destroy()
})
beforeEach(() => seedTestArtifacts(context.db))

describe('random worlds', () => {
  test('are the same by rights in memory and by SQL', async () => {
    const figures = await compareWorlds({ api, context }, { seed: '1', worlds: 25, worldsPerSite: 13 })
    expect(figures.differences).toEqual([])
    expect(figures.compared - figures.hidden).toBeGreaterThan(50)
    expect(Math.min(figures.hidden, figures.undecided)).toBeGreaterThan(0)
  }, 300_000)

  test('reveal that a restriction is ignored', async () => {
    const { trackerVisibility } = context
    const ignoring: Context = {
      ...context,
      trackerVisibility: {
        async at(...given) {
          const rights = await trackerVisibility.at(...given)
          return rights && new Map([...rights].map(([id, one]) => [id, { ...one, sees: ignoreRestriction(one.sees) }]))
        },
      },
    }
    const figures = await compareWorlds({ api, context: ignoring }, { seed: '2', worlds: 25, worldsPerSite: 13 })
    expect(figures.differences.length).toBeGreaterThan(0)
  }, 300_000)
})

function ignoreRestriction<Sees extends string>(sees: Sees): Sees | 'all' {
  return sees === 'unrestricted' ? 'all' : sees
}

const WRITING = ROUTES.filter(({ writes, operationId }) => writes && OPERATION_EXAMPLES[operationId])

describe('after a write', () => {
  const look = async (note: string) => {
    const { rows } = await sql<{ id: ArtifactId }>`select id from artifact order by id`.execute(context.db)
    const ids = rows.map(({ id }) => id)
    const few = ids.filter((id, at) => id === OPEN_BUG || id === GATED || at % Math.ceil(ids.length / 4) === 0)
    const viewers = await findViewers(context, [ADA, MARA, TOM, UMA, GUS, RITA, VICTOR], [])
    const figures = createLookFigures()
    await compareLooks(context, viewers, few, figures, note)
    return figures.differences
  }

  test.each(WRITING.map((route) => ({ route, name: route.operationId })))(
    '$name: rights in memory are those of the database, and what decides them has a new access version',
    async ({ route, name }) => {
      const example = OPERATION_EXAMPLES[name]
      if (!example) return
      const state = (await EXAMPLE_STATES[name]?.({ api, context, mails })) ?? {}
      await look(`before ${name}`)
      await takeUnstampedChanges(owner)
      const { status } = await sendExample(api, route, toLiveRequest(example, state), state)
      expect(status).toBe(example.status)
      expect(await takeUnstampedChanges(owner)).toEqual([])
      expect(await look(`after ${name}`)).toEqual([])
    },
  )

  test.each([
    [
      'a membership',
      sql`update project_member set is_admin = true where project_id = ${ORCHARD} and account_id = ${TOM.id}`,
    ],
    ['the access to a project', sql`update project set access = 'private' where id = ${ORCHARD}`],
    ['a grant', sql`delete from tracker_grant where project_id = ${ORCHARD}`],
  ])('that leaves the access version, stale rights are found: %s', async (_, change) => {
    await look('before')
    await takeUnstampedChanges(owner)
    await change.execute(context.db)
    expect(await takeUnstampedChanges(owner)).not.toEqual([])
    expect(await look('after')).not.toEqual([])
  })
})

function ownerUrl({ config }: Context): string {
  return config.WAYPOST_DATABASE_URL.replace('waypost_app', 'waypost_owner')
}
