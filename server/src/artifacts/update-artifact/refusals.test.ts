import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'

/**
 * All causes that refuse a write of values, each alone and all at once. Tested elsewhere:
 * - `tracker_missing`, `value_source_missing`, `value_sources_conflict`, `title_missing`, `submit`: create-artifact.test.ts
 * - `values_not_array`, `field_id_not_integer`, `project_not_active`, `update`: order-of-checks.test.ts
 * - `comment_too_long`: comment.test.ts
 * - `field_not_submittable`, `field_not_updatable`, `field_required`: field-rights.test.ts
 * - `field_read_only`: replay.test.ts; `label_ambiguous`: update-artifact.test.ts
 * - `comment_required`, `date_rule`, `field_frozen`, `dependency`, `transition_*`: rules/workflow.test.ts
 * - `link_*`: links/plan-links.test.ts; `at_and_version`: history; `move_*`: moving; `not_tracker_admin`,
 *   `deletion_*`: trash; `too_many_ids`, `not_self`, `query_malformed`: the list tests
 * - `file_already_attached`, `file_not_found`: attachments
 */
const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let hidden: number
let id: number

beforeAll(async () => {
  const values = [{ label: 'Open' }, { label: 'Gone', hidden: true }]
  const elements = [
    ...EVERY_FIELD.elements,
    { name: 'rot', type: 'sb', label: 'rot', bind: { type: 'static', values } },
  ]
  const short = { name: 'short', type: 'string', label: 'short', properties: { maxchars: 5 } }
  tracker = await makeTestTracker(api, { ...EVERY_FIELD, elements: [...elements, short] })
  hidden = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Psst' })
  id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
})

interface Case {
  readonly field: string
  readonly item: () => object
  readonly reason: string
  readonly cause: string
  /** Relative to the item. */
  readonly path?: string
  readonly allowed?: object
}

const INVALID = 'value_invalid'
const UNKNOWN = 'reference_unknown'
const NOT_ALLOWED = 'value_not_allowed'
const ids = (...bind_value_ids: unknown[]) => ({ bind_value_ids })
const groups = (...granted_groups: unknown[]) => ({ value: { granted_groups, is_used_by_default: true } })

const CASES: readonly Case[] = [
  { field: 'summary', item: () => ({}), reason: INVALID, cause: 'value_missing' },
  { field: 'summary', item: () => ({ value: null }), reason: INVALID, cause: 'value_missing' },
  { field: 'summary', item: () => ({ value: 7 }), reason: INVALID, cause: 'not_a_string', path: 'value' },
  { field: 'summary', item: () => ({ value: 'a\r\nb' }), reason: INVALID, cause: 'line_break', path: 'value' },
  { field: 'short', item: () => ({ value: '123456' }), reason: INVALID, cause: 'too_long', allowed: { maximum: 5 } },
  { field: 'details', item: () => ({ value: null }), reason: INVALID, cause: 'value_missing' },
  { field: 'details', item: () => ({ value: [] }), reason: INVALID, cause: 'not_a_string' },
  {
    field: 'details',
    item: () => ({ value: { content: 'x'.repeat(65_536) } }),
    reason: INVALID,
    cause: 'too_long',
    path: 'value.content',
    allowed: { maximum: 65_535 },
  },
  { field: 'points', item: () => ({ value: null }), reason: INVALID, cause: 'value_missing' },
  { field: 'points', item: () => ({ value: 'many' }), reason: INVALID, cause: 'not_a_number', path: 'value' },
  { field: 'points', item: () => ({ value: 1.5 }), reason: INVALID, cause: 'not_a_number' },
  {
    field: 'points',
    item: () => ({ value: '9007199254740993' }),
    reason: INVALID,
    cause: 'number_out_of_range',
    allowed: { minimum: -9007199254740991, maximum: 9007199254740991 },
  },
  { field: 'effort', item: () => ({ value: true }), reason: INVALID, cause: 'not_a_number' },
  { field: 'spent', item: () => ({ value: '2 days' }), reason: INVALID, cause: 'not_a_duration', path: 'value' },
  { field: 'due', item: () => ({ value: '2026-02-30' }), reason: INVALID, cause: 'not_a_date', path: 'value' },
  { field: 'started', item: () => ({ value: 'soon' }), reason: INVALID, cause: 'not_a_date' },
  { field: 'status', item: () => ({}), reason: INVALID, cause: 'value_missing', path: 'bind_value_ids' },
  { field: 'status', item: () => ({ bind_value_ids: 'x' }), reason: INVALID, cause: 'not_an_array' },
  {
    field: 'status',
    item: () => ids(tracker.value('status', 'Open'), tracker.value('status', 'Closed')),
    reason: NOT_ALLOWED,
    cause: 'list_single_value',
    path: 'bind_value_ids[1]',
  },
  { field: 'status', item: () => ids(1), reason: UNKNOWN, cause: 'list_value_unknown', path: 'bind_value_ids[0]' },
  {
    field: 'rot',
    item: () => ids(tracker.value('rot', 'Gone')),
    reason: NOT_ALLOWED,
    cause: 'list_value_hidden',
    path: 'bind_value_ids[0]',
  },
  { field: 'fruits', item: () => ids('Apple'), reason: UNKNOWN, cause: 'list_value_unknown' },
  { field: 'assigned_to', item: () => ids(TOM.id, OLGA.id), reason: UNKNOWN, cause: 'user_unknown' },
  { field: 'assigned_to', item: () => ids(SAM.id), reason: UNKNOWN, cause: 'user_unknown' },
  { field: 'team', item: () => ids(`${ORCHARD}_2000`), reason: UNKNOWN, cause: 'group_unknown' },
  { field: 'team', item: () => ids(String(KEEPERS)), reason: UNKNOWN, cause: 'group_unknown' },
  { field: 'tags', item: () => ids('  '), reason: INVALID, cause: 'value_missing', path: 'bind_value_ids[0]' },
  {
    field: 'tags',
    item: () => ({ value: { bind_value_objects: [{ id: 1 }] } }),
    reason: UNKNOWN,
    cause: 'list_value_unknown',
  },
  { field: 'links', item: () => ({}), reason: INVALID, cause: 'link_form_missing' },
  { field: 'links', item: () => ({ links: [], all_links: [] }), reason: INVALID, cause: 'link_forms_conflict' },
  {
    field: 'links',
    item: () => ({ links: [{ id: hidden }] }),
    reason: UNKNOWN,
    cause: 'link_target_unknown',
    path: 'links[0].id',
  },
  { field: 'seen_by', item: () => ({ value: {} }), reason: INVALID, cause: 'value_missing' },
  { field: 'seen_by', item: () => groups(), reason: NOT_ALLOWED, cause: 'perm_groups_missing' },
  { field: 'seen_by', item: () => groups(String(KEEPERS)), reason: UNKNOWN, cause: 'group_unknown' },
  { field: 'seen_by', item: () => groups(LEADS), reason: NOT_ALLOWED, cause: 'perm_locks_out_caller' },
  { field: 'remaining', item: () => ({ value: 7 }), reason: INVALID, cause: 'computed_value_refused' },
  { field: 'remaining', item: () => ({ is_autocomputed: false }), reason: INVALID, cause: 'manual_value_missing' },
  { field: 'remaining', item: () => ({ manual_value: 'much' }), reason: INVALID, cause: 'not_a_number' },
]

const onPost = (values: object[]) => api.post('/artifacts', { as: TOM, body: { tracker: { id: tracker.id }, values } })
const onPut = (values: object[]) => api.put(`/artifacts/${id}`, { as: TOM, body: { values } })
const entryOf = ({ field, reason, cause, path, allowed }: Case, at: number) => ({
  reason,
  cause,
  field_id: tracker.field(field),
  name: field,
  label: field,
  message: expect.stringMatching(/\w/),
  path: path === undefined ? expect.stringContaining(`values[${at}]`) : `values[${at}].${path}`,
  ...(allowed && { allowed }),
})

describe.each(CASES)('$field: $cause', (one) => {
  test.each([
    ['POST', onPost],
    ['PUT', onPut],
  ])('is reported for a value by %s', async (_, write) => {
    const answer = await write([{ field_id: tracker.field(one.field), ...one.item() }])

    expect(answer).toMatchObject({
      status: 400,
      json: { error: { reason: one.reason, details: { cause: one.cause } } },
    })
    expect(answer.json.error.details.all).toMatchObject([entryOf(one, 0)])
    expect(answer.json.error.message).toBe(`Bad Request: ${answer.json.error.details.all[0].message}`)
  })
})

test('all of them are reported at once, in form order, and nothing is written', async () => {
  const some = [...new Map(CASES.toReversed().map((each) => [each.field, each])).values()]
  const values = some.map((each) => ({ field_id: tracker.field(each.field), ...each.item() }))
  const before = (await api.get(`/artifacts/${id}`, { as: TOM })).text
  const answer = await onPut(values)

  const order = [...EVERY_FIELD.elements.map(({ name }) => name), 'rot', 'short']
  const expected = some
    .map((each, at) => ({ field: each.field, entry: entryOf(each, at) }))
    .toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
  expect(answer.status).toBe(400)
  expect(answer.json.error.details.all).toMatchObject(expected.map(({ entry }) => entry))
  expect(answer.json.error.reason).toBe(answer.json.error.details.all[0].reason)
  expect(answer.json.error.message.split('\n')).toHaveLength(some.length)
  expect((await api.get(`/artifacts/${id}`, { as: TOM })).text).toBe(before)
})

test('XML reports the same', async () => {
  const body = `<request><values><item><field_id>${tracker.field('points')}</field_id><value>many</value></item></values></request>`
  const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
  const { status, text } = await api.put(`/artifacts/${id}`, { as: MARA, headers, body })

  expect(status).toBe(400)
  expect(text).toContain('<reason>value_invalid</reason>')
  expect(text).toContain('<cause>not_a_number</cause>')
  expect(text).toContain('<path>values[0].value</path>')
})
