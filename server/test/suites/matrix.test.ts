import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import type { Response } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import type { Format, PermissionRow } from '../fixtures/permission-rules.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { sampleItems } from '../harness/sampling.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import { PRINCIPALS, type Principal, STATES, type State } from '../fixtures/subjects.ts'

const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)
const principals = Object.keys(PRINCIPALS).filter((key): key is Principal => key in PRINCIPALS)
const USUAL: readonly Principal[] = ['P1', 'P3', 'P5']
const states = Object.keys(STATES).filter((key): key is State => key in STATES)

test('every route has a row in the permission table, and every row a route', () => {
  expect(Object.keys(RIGHTS).toSorted()).toEqual(ROUTES.map(({ operationId }) => operationId).toSorted())
})

describe.each(ROUTES.map((route) => ({ route, row: RIGHTS[route.operationId], name: route.operationId })))(
  '$name',
  ({ route, row }) => {
    test.skipIf(!row).each(askedOf(route))(
      'Z01 answers %s by the permission table, in every state and format',
      async (principal) => {
        if (!row) return
        const wrong: string[] = []
        for (const format of row.formats ?? (['json', 'xml'] as const)) {
          const hidden = new Set<string>()
          for (const state of statesFor(route, principal, format)) {
            const answer = await ask(route, row, principal, state, format)
            const wanted = oracle(route, row, principal, state)
            if (answer.status !== wanted)
              wrong.push(`${state} ${format}: ${answer.status} instead of ${wanted}: ${answer.text.slice(0, 300)}`)
            if (isRefused(route, row, principal, state)) hidden.add(masked(answer))
          }
          if (hidden.size > 1) wrong.push(`${format}: hidden and absent differ:\n${[...hidden].join('\n')}`)
        }
        expect(wrong).toEqual([])
      },
    )
  },
)

/** The principals with the most different permissions, and another one. */
function askedOf({ operationId }: Route): readonly Principal[] {
  const drawn = sampleItems(principals, operationId, 1)
  return principals.filter((principal) => drawn.includes(principal) || USUAL.includes(principal))
}

/** The most different states for principals with different permissions, in JSON; of the rest a sample per route. */
function statesFor({ operationId }: Route, principal: Principal, format: Format): readonly State[] {
  const isUsual = format === 'json' && USUAL.includes(principal)
  const drawn = sampleItems(states, `${operationId} ${principal} ${format}`, 1)
  return states.filter((state) => drawn.includes(state) || (isUsual && ['T1', 'T2'].includes(state)))
}

async function ask(
  route: Route,
  row: PermissionRow,
  principal: Principal,
  state: State,
  format: Format,
): Promise<Response> {
  if (row.counts) await context.db.deleteFrom('sign_in_failure').execute()
  const person = PRINCIPALS[principal]
  const params = row.subject.params(state, principal)
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  const query = [row.query, route.writes && 'dry_run=true'].filter(Boolean).join('&')
  return api.request(format === 'stream' ? 'HEAD' : route.method, `${path}?${query}`, {
    ...(person && { as: person }),
    headers: { accept: format === 'stream' ? 'text/event-stream' : `application/${format}` },
    ...(row.body !== undefined && { body: row.body }),
  })
}

/** The expected status by the contract, computed without the server. */
function oracle(route: Route, row: PermissionRow, principal: Principal, state: State): number {
  const isAnonymous = principal === 'P1'
  if (principal === 'P9' && route.access !== 'no_credentials') return 403
  if (isAnonymous && route.access === 'signed_in') return 401
  if (isRefused(route, row, principal, state)) return isAnonymous ? 401 : 404
  if (!row.right(principal, state) && route.access !== 'no_credentials') {
    const special = row.otherwise?.(principal, state)
    return special ?? (isAnonymous ? 401 : 403)
  }
  const special = row.otherwise?.(principal, state)
  if (special !== undefined) return special
  if (row.subject.unknown !== undefined) return row.subject.unknown
  return route.writes ? (route.dryRun?.emptyStatus ?? 200) : (route.status ?? 200)
}

/**
 * Hidden or absent: these responses must not differ. Members of a suspended project get the reason, so they are a
 * separate case.
 */
function isRefused(route: Route, row: PermissionRow, principal: Principal, state: State): boolean {
  if (principal === 'P9' || (principal === 'P1' && route.access === 'signed_in')) return false
  if (state === 'T8' && ['P5', 'P6', 'P7'].includes(principal) && !row.subject.sees(principal, state)) return true
  return !row.subject.sees(principal, state)
}

/** Status, body and headers without request-specific parts. */
function masked({ status, headers, text }: Response): string {
  const kept = Object.entries<IncomingHttpHeaders[string]>(headers).filter(
    ([name]) => !['date', 'x-request-id'].includes(name),
  )
  const body = text
    .replace(/"request_id":"[^"]*"|<request_id>[^<]*<\/request_id>/, '')
    .replaceAll('project_suspended', 'not_found')
    .replaceAll('This project is suspended.', 'It does not exist, or you may not see it.')
  return `${status} ${JSON.stringify(kept.filter(([name]) => name !== 'content-length'))} ${body}`
}
