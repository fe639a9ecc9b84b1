import { expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'

const { api } = await startWorld()

test.each([undefined, OLGA])('GET /version shows product and version to every caller', async (person) => {
  const { status, json } = await api.get('/version', person && { as: person })

  expect(status).toBe(200)
  expect(json).toEqual({
    flavor_name: 'Waypost',
    version_number: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: null, // This server runs from its sources.
  })
})

test('GET /version refuses bad credentials', async () => {
  const { status, json } = await api.get('/version', { headers: { 'x-auth-accesskey': 'nonsense' } })

  expect(status).toBe(401)
  expect(json.error.reason).toBe('credentials_malformed')
})

test('GET /version requires credentials if the platform forbids anonymous access', async () => {
  await api.patch('/settings', { as: ADA, body: { anonymous_access: false } })

  expect((await api.get('/version')).status).toBe(401)
  expect((await api.get('/version', { as: OLGA })).status).toBe(200)
})
