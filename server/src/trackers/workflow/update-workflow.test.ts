import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import {
  CRATES,
  CRATE_FIELDS,
  HARVESTS,
  insertSampleTrackers,
  CRATE_TRANSITIONS,
  CRATE_VALUES,
} from '../../../test/fixtures/sample-tracker.ts'

const { api, context } = await startWorld()
beforeEach(() => insertSampleTrackers(context.db))

const asked = (workflow: object) => `query=${encodeURIComponent(JSON.stringify({ workflow }))}`
const change = (workflow: object, { id = CRATES, as = UMA } = {}) =>
  api.patch(`/trackers/${id}?${asked(workflow)}`, { as })
const actionsOf = async (step: number) =>
  (await api.get(`/tracker_workflow_transitions/${step}/actions`, { as: UMA })).json

describe('PATCH /trackers/{id}', () => {
  test('switches the workflow off and on, and keeps its transitions', async () => {
    const off = await change({ set_transitions_rules: { is_used: false } })
    const on = await change({ set_transitions_rules: { is_used: true } })

    expect(off.status).toBe(200)
    expect(off.json.workflow).toMatchObject({ is_used: '0' })
    expect(on.json.workflow).toMatchObject({ is_used: '1' })
    expect(on.json.workflow.transitions).toHaveLength(4)
  })

  test('accepts the same in the body, in JSON and XML', async () => {
    const json = await api.patch(`/trackers/${CRATES}`, {
      as: UMA,
      body: { workflow: { set_transitions_rules: { is_used: false } } },
    })
    const xml = await api.patch(`/trackers/${CRATES}`, {
      as: UMA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><workflow><set_transitions_rules><is_used>1</is_used></set_transitions_rules></workflow></request>',
    })

    expect(json.json.workflow.is_used).toBe('0')
    expect(xml.text).toContain('<is_used>1</is_used>')
  })

  test('deletes the workflow and creates another: simple, empty and unused', async () => {
    const gone = await change({ delete_transitions_rules: true })
    const made = await change({ set_transitions_rules: { field_id: CRATE_FIELDS.severity } })

    expect(gone.json.workflow).toMatchObject({ field_id: 0, is_used: '' })
    expect(made.json.workflow).toMatchObject({
      field_id: CRATE_FIELDS.severity,
      is_used: '0',
      is_advanced: false,
      transitions: [],
    })
  })

  test('drops state actions when switching to advanced mode', async () => {
    const { json } = await change({ is_advanced: true })

    expect(json.workflow.is_advanced).toBe(true)
    expect(await actionsOf(CRATE_TRANSITIONS.close)).toEqual([])
  })

  test('gives each transition its own actions when switching to advanced mode', async () => {
    await api.post('/tracker_workflow_transitions', {
      as: UMA,
      body: { tracker_id: CRATES, from_id: CRATE_VALUES.working, to_id: CRATE_VALUES.open },
    })
    const post_actions = [{ type: 'set_field_value', field_type: 'int', field_id: CRATE_FIELDS.points, value: 1 }]
    await api.put(`/tracker_workflow_transitions/${CRATE_TRANSITIONS.begin}/actions`, {
      as: UMA,
      body: { post_actions },
    })
    const [shared] = await actionsOf(CRATE_TRANSITIONS.reopen)
    await change({ is_advanced: true })
    const [first] = await actionsOf(CRATE_TRANSITIONS.begin)
    const [other] = await actionsOf(CRATE_TRANSITIONS.reopen)

    expect(first.id).toBe(shared.id)
    expect(other).toMatchObject({ type: 'set_field_value', value: 1 })
    expect(other.id).not.toBe(first.id)
  })

  test('applies the first transition to each value to all of them when switching to simple mode', async () => {
    await change({ is_advanced: true })
    await api.patch(`/tracker_workflow_transitions/${CRATE_TRANSITIONS.begin}`, {
      as: UMA,
      body: { authorized_user_group_ids: [`${ORCHARD}_3`], is_comment_required: true },
    })
    await change({ is_advanced: false })
    const { json } = await api.get(`/tracker_workflow_transitions/${CRATE_TRANSITIONS.reopen}`, { as: UMA })

    expect(json).toMatchObject({ authorized_user_group_ids: [`${ORCHARD}_3`], is_comment_required: true })
  })

  test('writes a version, an audit row and an event, and nothing if nothing changes', async () => {
    const before = await api.get(`/trackers/${CRATES}`, { as: UMA })
    const same = await change({ is_legacy: false })
    const other = await change({ set_transitions_rules: { is_used: false } })
    const rows = await context.db
      .selectFrom('audit')
      .select('action')
      .where('object', '=', `trackers/${CRATES}`)
      .execute()
    const events = await context.db
      .selectFrom('event')
      .select('type')
      .where('object', '=', `trackers/${CRATES}`)
      .execute()

    expect(same.headers.etag).toBe(before.headers.etag)
    expect(other.headers.etag).not.toBe(before.headers.etag)
    expect(rows).toEqual([{ action: 'tracker.workflow' }])
    expect(events).toEqual([{ type: 'tracker.changed' }])
  })

  test.each([
    {
      what: 'setting and deleting at once',
      workflow: { delete_transitions_rules: true, set_transitions_rules: { is_used: true } },
      reason: 'parameter_conflict',
      cause: 'set_and_delete_workflow',
    },
    {
      what: 'a second workflow',
      workflow: { set_transitions_rules: { field_id: CRATE_FIELDS.severity } },
      reason: 'rule_violated',
      cause: 'workflow_exists',
    },
    { what: 'legacy mode', workflow: { is_legacy: true }, reason: 'parameter_not_allowed', cause: undefined },
    { what: 'no known key', workflow: { sure: true }, reason: 'query_unknown_key', cause: undefined },
  ])('refuses $what', async ({ workflow, reason, cause }) => {
    const { status, json } = await change(workflow)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
    expect(json.error.details?.cause).toBe(cause)
  })

  test.each([
    { delete_transitions_rules: true },
    { set_transitions_rules: { is_used: true } },
    { is_advanced: true },
    { is_legacy: false },
  ])('refuses %j without a workflow', async (workflow) => {
    const { status, json } = await change(workflow, { id: HARVESTS, as: MARA })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'workflow_missing' } })
  })

  test('refuses a field type that workflows do not support', async () => {
    await change({ delete_transitions_rules: true })
    const many = await change({ set_transitions_rules: { field_id: CRATE_FIELDS.places } })
    const unknown = await change({ set_transitions_rules: { field_id: 999_999 } })
    const unused = await change({ set_transitions_rules: { field_id: CRATE_FIELDS.old } })

    expect(many.json.error).toMatchObject({
      reason: 'parameter_not_allowed',
      details: { allowed: [CRATE_FIELDS.status, CRATE_FIELDS.severity] },
    })
    expect([many.status, unknown.status, unused.status]).toEqual([400, 404, 404])
  })

  test.each([
    { query: '', reason: 'parameter_required' },
    { query: 'query=abc', reason: 'query_malformed' },
    { query: 'query=%7B%22flow%22%3A1%7D', reason: 'query_unknown_key' },
  ])('refuses `$query` with $reason', async ({ query, reason }) => {
    const { status, json } = await api.patch(`/trackers/${CRATES}?${query}`, { as: UMA })

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
  })

  test('refuses a write based on an older version', async () => {
    const { headers } = await api.get(`/trackers/${CRATES}`, { as: UMA })
    const ifMatch = { 'if-match': headers.etag }
    const body = (is_used: boolean) => ({ workflow: { set_transitions_rules: { is_used } } })
    const first = await api.patch(`/trackers/${CRATES}`, { as: UMA, headers: ifMatch, body: body(false) })
    const second = await api.patch(`/trackers/${CRATES}`, { as: UMA, headers: ifMatch, body: body(true) })

    expect(first.status).toBe(200)
    expect(second.status).toBe(412)
    expect(second.json.error.reason).toBe('version_mismatch')
  })

  test('refuses a body that contradicts the query', async () => {
    const { json } = await api.patch(`/trackers/${CRATES}?${asked({ is_advanced: true })}`, {
      as: UMA,
      body: { workflow: { is_advanced: false } },
    })

    expect(json.error.reason).toBe('parameter_conflict')
  })

  test.each([
    { who: TOM, id: CRATES, status: 403, reason: 'permission_denied' },
    { who: TOM, id: HARVESTS, status: 404, reason: 'not_found' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await change({ is_advanced: true }, { id, as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('refuses writes in an inactive project', async () => {
    await context.db.updateTable('project').set({ status: 'suspended' }).where('id', '=', ORCHARD).execute()
    const { status, json } = await change({ is_advanced: true }, { as: ADA })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'project_not_active' } })
  })
})
