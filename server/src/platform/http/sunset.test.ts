import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ROUTES } from '../../routes.ts'
import { describeApi } from '../openapi/describe-api.ts'
import { ApiError } from '../messages/errors.ts'
import { readRoute } from './route.ts'

const endingRoute = readRoute({
  method: 'GET',
  path: '/ending',
  operationId: 'showEnding',
  summary: 'Show a route that ends.',
  access: 'everyone',
  deprecated: new Date('2026-01-01T00:00:00Z'),
  sunset: new Date('2027-06-01T00:00:00Z'),
  query: { fails: Type.Optional(Type.Boolean()) },
  answer: Type.Object({ ok: Type.Boolean() }),
  async handle({ query }) {
    if (query.fails) throw new ApiError('not_found')
    return { body: { ok: true } }
  },
})
const { api } = await startWorld({ routes: [endingRoute], seedOnce: true })

test.each(['/ending', '/ending?fails=true', '/ending?fails=maybe'])(
  '%s announces the end of the route, on errors as well',
  async (path) => {
    const { headers } = await api.get(path)

    expect(headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
      link: expect.stringContaining('rel="deprecation"'),
    })
  },
)

test('the API description names both headers', () => {
  expect(describeApi([endingRoute])).toMatchObject({
    paths: {
      '/ending': {
        get: { deprecated: true, responses: { 200: { headers: { Deprecation: {}, Sunset: {} } } } },
      },
    },
  })
})

/** Parts of the contract of v1, which never end: replaced by access keys, but kept. */
const WITHOUT_END = ['createToken', 'deleteToken', 'deleteTokens']

test('every other deprecated route has an end, at least a year after its deprecation', () => {
  const deprecated = ROUTES.filter((route) => route.deprecated)
  const endless = deprecated.filter(({ sunset }) => sunset === undefined).map(({ operationId }) => operationId)
  const short = deprecated.filter(
    ({ deprecated: since, sunset }) => since && sunset && sunset.getTime() - since.getTime() < 365 * 86_400_000,
  )

  expect(endless.toSorted()).toEqual(WITHOUT_END)
  expect(short).toEqual([])
  expect(ROUTES.filter((route) => route.sunset && !route.deprecated)).toEqual([])
})
