import { beforeAll, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

/** The documents of the contract are in test/suites/examples.test.ts; here are the elements of each field type. */
const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let other: number
beforeAll(async () => {
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [...EVERY_FIELD.elements, { name: '1st-choice', type: 'string', label: 'First choice' }],
  })
  other = await makeTestArtifact(api, tracker, { summary: 'Another' })
})

const XML = { 'content-type': 'application/xml' }
const post = (content: string) =>
  api.post('/artifacts', {
    as: TOM,
    headers: XML,
    body: `<request><tracker><id>${tracker.id}</id></tracker>${content}</request>`,
  })
const put = (id: number, content: string) =>
  api.put(`/artifacts/${id}`, { as: TOM, headers: XML, body: `<request>${content}</request>` })
const item = (name: string, content: string) => `<item><field_id>${tracker.field(name)}</field_id>${content}</item>`
const shown = async (id: number) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: TOM })).json.values_by_field

const EVERYTHING = () =>
  [
    item('summary', '<value>7 &lt; 8</value>'),
    item('details', '<value><content>Words</content><format>text</format></value>'),
    item('points', '<value>5</value>'),
    item('effort', '<value>1.5</value>'),
    item('due', '<value>2026-03-20</value>'),
    item('status', `<bind_value_ids><item>${tracker.value('status', 'Open')}</item></bind_value_ids>`),
    item('assigned_to', `<bind_value_ids><item>${TOM.id}</item><item>${UMA.id}</item></bind_value_ids>`),
    item('team', `<bind_value_ids><item>${ORCHARD}_3</item></bind_value_ids>`),
    item('tags', '<bind_value_ids><item>cold</item><item>7</item></bind_value_ids>'),
    item('links', `<links><item><id>${other}</id><type>_is_child</type></item></links>`),
    item('seen_by', `<value><granted_groups><item>${ORCHARD}_3</item></granted_groups></value>`),
    item('remaining', '<manual_value>2.5</manual_value>'),
  ].join('')

test('values of every type are accepted as elements', async () => {
  const { status, json } = await post(`<values>${EVERYTHING()}</values>`)

  expect(status).toBe(201)
  expect(await shown(json.id)).toMatchObject({
    summary: { value: '7 < 8' },
    details: { value: 'Words', format: 'text' },
    points: { value: 5 },
    effort: { value: 1.5 },
    due: { value: '2026-03-20T00:00:00+00:00' },
    status: { bind_value_ids: [tracker.value('status', 'Open')] },
    assigned_to: { bind_value_ids: [TOM.id, UMA.id] },
    team: { bind_value_ids: [`${ORCHARD}_3`] },
    tags: { bind_value_ids: ['cold', '7'] },
    links: { links: [{ id: other, type: '_is_child' }] },
    seen_by: { granted_groups_ids: [`${ORCHARD}_3`] },
    remaining: { manual_value: 2.5, is_autocomputed: false },
  })
})

test('repeating the write changes nothing, and empty elements clear values', async () => {
  const { json } = await post(`<values>${EVERYTHING()}</values>`)
  const again = await put(json.id, `<values>${EVERYTHING()}</values>`)
  const cleared = await put(
    json.id,
    `<values>${[
      item('summary', '<value/>'),
      item('points', '<value></value>'),
      item('due', '<value/>'),
      item('status', '<bind_value_ids/>'),
      item('tags', '<bind_value_ids/>'),
      item('links', '<links/>'),
      item('seen_by', '<value><is_used_by_default>false</is_used_by_default></value>'),
      item('remaining', '<is_autocomputed>true</is_autocomputed>'),
    ].join('')}</values>`,
  )

  expect(again.status).toBe(200)
  expect(cleared.status).toBe(200)
  const { json: versions } = await api.get(`/artifacts/${json.id}/changesets`, { as: MARA })
  expect(versions).toHaveLength(2)
  expect(await shown(json.id)).toMatchObject({
    summary: { value: '' },
    points: { value: null },
    due: { value: null },
    status: { values: [] },
    tags: { bind_value_ids: [] },
    links: { links: [] },
    seen_by: { granted_groups_ids: [] },
    remaining: null,
  })
})

test('a missing value stays, an empty one is cleared', async () => {
  expect(await post(`<values>${item('summary', '')}</values>`)).toMatchObject(
    refused(400, 'value_invalid', { cause: 'value_missing' }),
  )
})

test('fields can be addressed by name, also by names that are not valid in XML', async () => {
  const named =
    '<summary><value>Crates</value></summary><status>open</status><assigned_to><item>tom</item></assigned_to>'
  const { status, json, headers } = await post(
    `<values_by_field>${named}<entry key="1st-choice"><value>Apple</value></entry></values_by_field>`,
  )

  expect(status).toBe(201)
  expect(headers.location).toContain('?values_format=by_field')
  expect(await shown(json.id)).toMatchObject({
    summary: { value: 'Crates' },
    status: { values: [{ label: 'Open' }] },
    assigned_to: { bind_value_ids: [TOM.id] },
    '1st-choice': { value: 'Apple' },
  })
})

test('a comment is accepted as elements, and the response has the requested format', async () => {
  const { status, text, headers } = await api.put(`/artifacts/${other}`, {
    as: TOM,
    headers: { ...XML, accept: 'application/xml' },
    body: '<request><comment><body>Hello</body><format>text</format></comment></request>',
  })

  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/xml')
  expect(text).toContain(`<response><id>${other}</id>`)
  const { json } = await api.get(`/artifacts/${other}/changesets?order=desc`, { as: TOM })
  expect(json[0]).toMatchObject({ last_comment: { body: 'Hello', format: 'text' } })
})

test.each([
  ['a document type', '<!DOCTYPE request><request/>', 'xml_doctype'],
  ['half a document', '<request>', 'body_malformed'],
  ['nothing to write', '<request/>', 'parameter_required'],
])('%s is refused', async (_, body, reason) => {
  expect(await api.put(`/artifacts/${other}`, { as: TOM, headers: XML, body })).toMatchObject(refused(400, reason))
})
