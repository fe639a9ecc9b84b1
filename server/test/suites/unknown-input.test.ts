import { describe, expect, test } from 'vitest'
import { IGNORED_INPUT } from '../../src/ignored-input.ts'
import { bodySchema, lineSchema, querySchema } from '../../src/platform/http/input.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../src/routes.ts'
import { beginTestImport, finishTestImport } from '../fixtures/imports.ts'
import { ADA } from '../fixtures/people.ts'
import { BUGS, ORCHARD } from '../fixtures/seed-ids.ts'
import { Lines, type Response } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'

/**
 * Every route refuses parameters and members that it does not know, at every level of its body. These checks come
 * before any lookup, so most paths need no existing object.
 */
const { api } = await startWorld({ seedOnce: true })

const UNKNOWN = 'zzz_unknown'
const XML = { 'content-type': 'application/xml' }
const routes = ROUTES.map((route) => ({ route, name: `${route.method} ${route.path}` }))
const withBodies = routes.filter(({ route }) => !route.bulk)

interface Problem {
  readonly reason: string
  readonly path: string
  readonly nearest?: string
}

/** A plan lists the problems of a definition in its answer. */
const problemsOf = ({ json }: Response): Problem[] => {
  if (json.errors) return json.errors
  const { reason, details } = json.error
  return details?.all ?? [{ reason, ...details }]
}
const addressOf = ({ path }: Route) =>
  path.replace(/:\w+/, String(path.startsWith('/projects') ? ORCHARD : BUGS)).replaceAll(/:\w+/g, '1')
const send = (route: Route, query: string, more: object = {}) =>
  api.request(route.method, `${addressOf(route)}${query}`, { as: ADA, ...more })
/** Parameters that are checked before the body. */
const neededBy = (route: Route) => `?${(querySchema(route).required ?? []).map((name) => `${name}=forward`).join('&')}`

/** A value for each object of the schema, with nothing in it but an unknown member. */
function unknownMembers(schema: unknown, path = ''): { value: unknown; path: string }[] {
  if (!isRecord(schema)) return []
  const { anyOf, items, properties, patternProperties, additionalProperties } = schema
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => unknownMembers(each, path))
  if (isRecord(items))
    return unknownMembers(items, `${path}[0]`).map(({ value, path: at }) => ({ value: [value], path: at }))
  const below = (name: string, member: unknown) =>
    unknownMembers(member, path === '' ? name : `${path}.${name}`).map(({ value, path: at }) => ({
      value: { [name]: value },
      path: at,
    }))
  const own = path === '' ? UNKNOWN : `${path}.${UNKNOWN}`
  return [
    ...(additionalProperties === false ? [{ value: { [UNKNOWN]: 1 }, path: own }] : []),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, member]) => below(name, member)),
    ...(isRecord(patternProperties) ? Object.values(patternProperties).flatMap((each) => below('k', each)) : []),
  ]
}

const isDefinition = ({ bodyRules, method }: Route) => bodyRules?.isValidatedByHandler === true && method !== 'GET'
const isPlan = ({ operationId }: Route) => operationId === 'planTracker'
/** In XML, any element of such a body is an entry of the list. */
const isBareList = ({ bodyRules }: Route) => bodyRules?.wrapper === 'user_references'
const isCriteria = ({ bodyRules, method }: Route) => bodyRules?.isValidatedByHandler === true && method === 'GET'

describe('an unknown parameter', () => {
  test.each(routes)('is refused by $name', async ({ route }) => {
    const answer = await send(route, `?_=1&${UNKNOWN}=1&=`)
    expect([answer.status, problemsOf(answer)]).toEqual([400, [{ reason: 'parameter_unknown', path: UNKNOWN }]])
  })

  test.each(routes)('is refused without a value, too, by $name', async ({ route }) => {
    expect(problemsOf(await send(route, `?${UNKNOWN}`))).toEqual([{ reason: 'parameter_unknown', path: UNKNOWN }])
  })

  test.each(routes)('is answered with the nearest one by $name', async ({ route }) => {
    const [known] = Object.keys(querySchema(route).properties)
    if (known === undefined) return
    const misspelt = `${known}x`
    const [problem] = problemsOf(await send(route, `?${misspelt}=1`))
    expect(problem).toMatchObject({ reason: 'parameter_unknown', path: misspelt, nearest: known })
  })

  test.each(routes.filter(({ route }) => !route.writes))('is `dry_run` for the read $name', async ({ route }) => {
    expect(problemsOf(await send(route, '?dry_run=true'))).toMatchObject([{ reason: 'parameter_unknown' }])
  })
})

describe('an empty flag', () => {
  test.each(
    routes.flatMap(({ route, name }) =>
      Object.entries(querySchema(route).properties)
        .filter(([, schema]) => 'type' in schema && schema.type === 'boolean' && !('mayBeEmpty' in schema))
        .map(([flag]) => ({ route, flag, name })),
    ),
  )('$flag is refused by $name', async ({ route, flag }) => {
    for (const query of [`?${flag}=`, `?${flag}`]) {
      const [problem] = problemsOf(await send(route, query))
      expect(problem).toMatchObject({ reason: 'parameter_invalid', path: flag })
    }
  })
})

describe('an unknown member', () => {
  test.each(withBodies.filter(({ route }) => !isCriteria(route)))('is refused by $name', async ({ route }) => {
    const levels = isDefinition(route) ? [{ value: { [UNKNOWN]: 1 } }] : unknownMembers(bodySchema(route))
    for (const { value } of levels) {
      const answer = await send(route, neededBy(route), { body: value })
      const found = problemsOf(answer).find(({ reason }) => reason === 'member_unknown')
      expect([value, found?.path]).toEqual([value, expect.stringContaining(UNKNOWN)])
      expect(answer.status).toBe(isPlan(route) ? 200 : 400)
    }
  })

  test.each(withBodies.filter(({ route }) => isCriteria(route)))('is no criterion of $name', async ({ route }) => {
    const answer = await send(route, neededBy(route).replace('=forward', '=status'), { body: { [UNKNOWN]: 1 } })
    expect([answer.status, answer.json.error.reason]).toEqual([400, 'query_unknown_key'])
  })

  test.each(withBodies.filter(({ route }) => !isCriteria(route)))('is refused in XML by $name', async ({ route }) => {
    const element = `<request><${UNKNOWN}>1</${UNKNOWN}></request>`
    for (const body of [...(isBareList(route) ? [] : [element]), `<request ${UNKNOWN}="1"/>`]) {
      const answer = await send(route, neededBy(route), { body, headers: XML })
      const found = problemsOf(answer).find(({ reason }) => reason === 'member_unknown')
      expect([body, found?.path]).toEqual([body, expect.stringContaining(UNKNOWN)])
    }
  })

  test.each(withBodies)('is `__proto__` for $name', async ({ route }) => {
    const answer = await send(route, neededBy(route), { body: '{"__proto__":{"is_site_admin":true}}' })
    expect(problemsOf(answer)).toMatchObject([{ reason: 'member_unknown', path: '__proto__' }])
  })

  test('is refused in each line of a bulk write', async () => {
    const imports = await beginTestImport(api)
    for (const { route } of routes) {
      if (!route.bulk) continue
      const levels = unknownMembers(lineSchema(route.bulk.line, route))
      const address = route.path.startsWith('/imports') ? `/imports/${imports}/items` : addressOf(route)
      const body = new Lines(levels.map(({ value }) => Object(value)))
      const answer = await api.request(route.method, address, { as: ADA, body })
      const lines = answer.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      for (const [at] of levels.entries()) {
        const { details, reason } = lines[at].error
        const all: Problem[] = details.all ?? [{ reason, ...details }]
        expect(all.find((each) => each.reason === 'member_unknown')?.path).toContain(UNKNOWN)
      }
    }
    await finishTestImport(api, imports)
  })
})

describe('the list of exceptions', () => {
  test('names routes that exist, and input that they do not know', () => {
    const names = new Set(routes.map(({ name }) => name))
    for (const { on, parameters = [], members = [] } of IGNORED_INPUT) {
      expect(parameters.length + members.length).toBeGreaterThan(0)
      if (typeof on === 'string') continue
      for (const each of on) {
        const found = routes.find(({ name }) => name === each)
        expect([each, names.has(each)]).toEqual([each, true])
        const known = found ? Object.keys(querySchema(found.route).properties) : []
        expect(parameters.filter((name) => known.includes(name))).toEqual([])
      }
    }
  })
})
