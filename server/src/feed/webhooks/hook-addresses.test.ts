import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, context } = await startWorld()
const lookedUp: string[] = []
beforeEach(() => {
  lookedUp.length = 0
  Object.defineProperty(context, 'addressesOf', {
    value: async (name: string) => {
      lookedUp.push(name)
      return ['93.184.216.34']
    },
  })
})

const url = 'https://hooks.example.org/services/T0/SECRET-PATH?token=SECRET-QUERY#SECRET-HASH'
const ofBugs = `/trackers/${BUGS}/webhooks`
const audited = async () => {
  const { rows } = await sql<{ text: string }>`select audit::text as text from audit order by id`.execute(context.db)
  return rows.map(({ text }) => text)
}

test('R10 the audit log has scheme and host of a webhook, and neither path nor query', async () => {
  const { json } = await api.post(ofBugs, { as: MARA, body: { url } })
  await api.patch(`/webhooks/${json.id}`, { as: MARA, body: { url: `${url}2` } })
  await api.delete(`/webhooks/${json.id}`, { as: MARA })
  const definition = (await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json
  const body = { ...definition, webhooks: [{ url }] }
  expect((await api.put(`/trackers/${BUGS}/definition`, { as: MARA, body })).status).toBe(200)

  const rows = await audited()
  expect(rows.filter((row) => row.includes('https://hooks.example.org/…#')).length).toBeGreaterThanOrEqual(4)
  expect(rows.join()).not.toMatch(/SECRET/)
})

test('R10 the audit log shows that the rest of an address has changed', async () => {
  const { json } = await api.post(ofBugs, { as: MARA, body: { url } })
  await api.patch(`/webhooks/${json.id}`, { as: MARA, body: { url: `${url}2` } })

  const { rows } = await sql<{ before: { url: string }; after: { url: string } }>`
    select before, after from audit where action = 'webhook.update' and object = ${`webhooks/${json.id}`}`.execute(
    context.db,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.before.url).not.toBe(rows[0]?.after.url)
})

test('R11 the name of a webhook is looked up only for a caller who may save it', async () => {
  const { json } = await api.post(ofBugs, { as: MARA, body: { url } })
  expect(lookedUp).toEqual(['hooks.example.org'])
  lookedUp.length = 0

  const other = { url: 'https://probe.example.net/' }
  expect(await api.post(ofBugs, { as: TOM, body: other })).toMatchObject(refused(403, 'permission_denied'))
  expect(await api.post(`/projects/${ORCHARD}/webhooks`, { as: TOM, body: other })).toMatchObject(
    refused(403, 'permission_denied'),
  )
  expect(await api.post('/trackers/999999/webhooks', { as: OLGA, body: other })).toMatchObject(
    refused(404, 'not_found'),
  )
  expect((await api.patch(`/webhooks/${json.id}`, { as: TOM, body: other })).status).toBeGreaterThanOrEqual(403)
  expect((await api.post(`${ofBugs}?dry_run=true`, { as: TOM, body: other })).status).toBe(403)
  expect(lookedUp).toEqual([])
})
