import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { namedParameter } from '../../src/platform/http/resolve-name.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { BUGS, OPEN_BUG, ORCHARD } from '../fixtures/seed-ids.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { PRINCIPALS, type Principal, type State } from '../fixtures/subjects.ts'
import type { Response } from '../harness/client.ts'
import { masked } from '../harness/refused.ts'
import { sampleItems } from '../harness/sampling.ts'
import { startWorld } from '../harness/start-world.ts'

const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)
await sql`
  with old as (insert into artifact_import (project_id, source, state, started_on, finished_on)
    values (${ORCHARD}, 'old.example', 'finished', now(), now()) returning id)
  insert into imported_artifact (artifact_id, project_id, import_id, source_key, versions, imported_on)
  select artifact.id, artifact.project_id, old.id, 'OLD-' || artifact.id, 1, now() from artifact, old`.execute(
  context.db,
)

/** The names of all objects, as `artifacts/12`. */
const { rows } = await sql<{ object: string; name: string }>`
  select 'artifacts/' || artifact_id as object, source_key as name from imported_artifact
  union all select 'projects/' || id, shortname from project
  union all select 'users/' || id, login from account
  union all select 'trackers/' || tracker.id, project.shortname || '.' || tracker.item_name
    from tracker join project on project.id = tracker.project_id`.execute(context.db)
const NAMES = new Map(rows.map(({ object, name }) => [object, name]))

/** Names stand for objects that exist: those in the trash are restored by id. */
const RESTORED: Readonly<Record<string, number>> = {
  restoreArtifact: OPEN_BUG,
  restoreProject: ORCHARD,
  restoreTracker: BUGS,
}

/** Each reading of an audit log adds an entry. */
const CHANGED_BY_READING: ReadonlySet<string> = new Set(['listProjectAudit'])

/** They check the permission before the object and refuse every id; a hidden name is 404, as an absent one. */
const PERMISSION_FIRST: ReadonlySet<string> = new Set(['eraseUser'])

type Case = readonly [Principal, State]
/** A stranger, and an administrator of the site; then an object that the stranger may not see. */
const USUAL: readonly Case[] = [
  ['P3', 'T1'],
  ['P8', 'T1'],
  ['P3', 'T2'],
]
const FURTHER: readonly Case[] = [
  ['P1', 'T1'],
  ['P5', 'T1'],
  ['P7', 'T1'],
  ['P1', 'T2'],
  ['P8', 'T2'],
  ['P5', 'T8'],
]

const below = ROUTES.flatMap((route) => {
  const named = namedParameter(route)
  return named ? [{ name: route.operationId, route, ...named }] : []
})

test('objects of four collections have names', () => {
  const collections = below.map(({ collection }) => collection)
  expect(new Set(collections)).toEqual(new Set(['artifacts', 'projects', 'trackers', 'users']))
  expect(below.length).toBeGreaterThan(60)
})

describe.each(below)('$name', ({ route, collection, parameter }) => {
  test('answers the name as the id', async () => {
    for (const [principal, state] of [...USUAL, ...sampleItems(FURTHER, route.operationId, 1)]) {
      const params = RIGHTS[route.operationId]?.subject.params(state, principal) ?? {}
      const id = RESTORED[route.operationId] ?? params[parameter] ?? ''
      const name = `@${NAMES.get(`${collection}/${id}`) ?? 'nothing'}`
      const byName = await ask(route, principal, { ...params, [parameter]: name })
      const byId = await ask(route, principal, { ...params, [parameter]: id })
      const isHiddenName = PERMISSION_FIRST.has(route.operationId) && byId.status === 403 && state === 'T2'
      expect([principal, state, name, byName.status, shown(route, byName)]).toEqual([
        principal,
        state,
        name,
        isHiddenName ? 404 : byId.status,
        isHiddenName ? shown(route, byName) : shown(route, byId),
      ])
    }
  })
})

function ask(route: Route, principal: Principal, params: Record<string, string | number>): Promise<Response> {
  const row = RIGHTS[route.operationId]
  const person = PRINCIPALS[principal]
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  const query = [row?.query, route.writes && 'dry_run=true'].filter(Boolean).join('&')
  const isStream = row?.formats?.includes('stream') === true
  return api.request(isStream ? 'HEAD' : route.method, `${path}?${query}`, {
    ...(person && { as: person }),
    headers: { accept: isStream ? 'text/event-stream' : 'application/json' },
    ...(row?.body !== undefined && { body: row.body }),
  })
}

/** Reads answer the same bytes, with the canonical `uri`; a dry run may name new ids. */
function shown(route: Route, answer: Response): string {
  return route.writes || CHANGED_BY_READING.has(route.operationId) ? '' : masked(answer)
}
