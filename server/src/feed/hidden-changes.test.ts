import { beforeAll, expect, test } from 'vitest'
import { pollEventsAfter, currentFeedCursor } from '../../test/harness/event-stream.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../test/fixtures/people.ts'
import { ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'

const { api, clock } = await startWorld({ seedOnce: true })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const ADMINS = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const LEDGER = {
  label: 'Ledger',
  item_name: 'ledger',
  settings: { private_comments: true },
  permissions: { full: ['@anonymous'] },
  elements: [field('summary', 'string'), field('amount', 'string', { permissions: ADMINS })],
  semantics: { title: 'summary' },
}

let ledger: MadeTracker
beforeAll(async () => {
  ledger = await makeTestTracker(api, LEDGER)
})
const change = async (id: number, values_by_field: object, comment?: object) => {
  clock.advance(60_000)
  const body = { values_by_field, ...(comment && { comment }) }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, body })).status).toBe(200)
}
const updates = async (place: string, as: TestPerson) =>
  (await api.get(`/events?after=${place}&types=artifact.updated`, { as })).json.events.map(
    ({ changed, has_comment }: { changed: string[]; has_comment: boolean }) => [
      ...changed,
      ...(has_comment ? ['!'] : []),
    ],
  )

test('R04 the feed has no event of a change to hidden fields only', async () => {
  const id = await makeTestArtifact(api, ledger, { summary: 'Crates', amount: '1' })
  const place = await currentFeedCursor(api)
  await change(id, { amount: '2' })
  await change(id, { amount: '3' }, { body: 'For all' })
  await change(id, { amount: '4' }, { body: 'For few', ugroups: [`${ORCHARD}_4`] })
  await change(id, { summary: 'Boxes', amount: '5' })
  await pollEventsAfter(api, place, (events) => events.length >= 4, { as: ADA, query: '&types=artifact.updated' })

  expect(await updates(place, ADA)).toEqual([['amount'], ['amount', '!'], ['amount', '!'], ['summary', 'amount']])
  expect(await updates(place, TOM)).toEqual([['!'], ['summary']])
})

test('R05 a version with nothing visible to the caller is not found, neither by number nor by time', async () => {
  const id = await makeTestArtifact(api, ledger, { summary: 'Crates', amount: '1' })
  await change(id, { summary: 'Boxes' })
  await change(id, { amount: '2' })
  const hiddenTail = clock.now().toISOString()
  const get = async (query: string, as: TestPerson) => {
    const { status, json } = await api.get(`/artifacts/${id}?${query}`, { as })
    return [status, json.version, json.is_current, json.last_modified_date]
  }

  expect(await api.get(`/artifacts/${id}?version=3`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  expect((await api.get(`/artifacts/${id}?version=3`, { as: TOM })).text.replaceAll(/"request_id":"[^"]*"/g, '')).toBe(
    (await api.get(`/artifacts/${id}?version=99`, { as: TOM })).text.replaceAll(/"request_id":"[^"]*"/g, ''),
  )
  expect(await get('version=2', TOM)).toEqual([200, 2, true, expect.any(String)])
  expect(await get(`at=${hiddenTail}`, TOM)).toEqual(await get('version=2', TOM))
  expect(await get('version=3', MARA)).toEqual([200, 3, true, expect.any(String)])
  expect(await get('version=2', MARA)).toEqual([200, 2, false, expect.any(String)])
})
