import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
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

const path = (id: number) => `/tracker_workflow_transitions/${id}`
const create = (
  from_id: number | null,
  to_id: number,
  { tracker_id = CRATES, as = UMA }: { tracker_id?: number; as?: typeof UMA } = {},
) => api.post('/tracker_workflow_transitions', { as, body: { tracker_id, from_id, to_id } })
const get = async (id: number) => (await api.get(path(id), { as: UMA })).json

describe('POST /tracker_workflow_transitions', () => {
  test('creates a transition', async () => {
    const { status, json, headers } = await create(CRATE_VALUES.open, CRATE_VALUES.closed)

    expect(status).toBe(201)
    expect(json).toEqual({ id: expect.any(Number), uri: `tracker_workflow_transitions/${json.id}` })
    expect(headers.location).toBe(`https://waypost.example/api/tracker_workflow_transitions/${json.id}`)
    expect(await get(json.id)).toMatchObject({ from_id: CRATE_VALUES.open, to_id: CRATE_VALUES.closed })
  })

  test('uses 0 as the source for new artifacts', async () => {
    const { json } = await create(0, CRATE_VALUES.working)

    expect(await get(json.id)).toMatchObject({ from_id: null, to_id: CRATE_VALUES.working })
  })

  test('inherits the terms of the state in simple mode, and none in advanced mode', async () => {
    const simple = await create(CRATE_VALUES.open, CRATE_VALUES.closed)
    await api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })
    const advanced = await create(0, CRATE_VALUES.closed)

    expect(await get(simple.json.id)).toMatchObject({
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [CRATE_FIELDS.points, CRATE_FIELDS.places],
      is_comment_required: true,
    })
    expect(await get(advanced.json.id)).toMatchObject({
      authorized_user_group_ids: [],
      not_empty_field_ids: [],
      is_comment_required: false,
    })
  })

  test('accepts XML', async () => {
    const { status, text } = await api.post('/tracker_workflow_transitions', {
      as: UMA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><tracker_id>${CRATES}</tracker_id><from_id>0</from_id><to_id>${CRATE_VALUES.closed}</to_id></request>`,
    })

    expect(status).toBe(201)
    expect(text).toContain('<uri>tracker_workflow_transitions/')
  })

  test.each([
    {
      what: 'the same value',
      from: CRATE_VALUES.open,
      to: CRATE_VALUES.open,
      status: 400,
      cause: 'transition_same_value',
    },
    {
      what: 'an existing step',
      from: CRATE_VALUES.open,
      to: CRATE_VALUES.working,
      status: 400,
      cause: 'transition_exists',
    },
    { what: 'an existing beginning', from: 0, to: CRATE_VALUES.open, status: 400, cause: 'transition_exists' },
    { what: 'an unknown source', from: 999_999, to: CRATE_VALUES.open, status: 404, cause: undefined },
    { what: 'a value of another field', from: CRATE_VALUES.open, to: CRATE_VALUES.low, status: 404, cause: undefined },
  ])('refuses $what', async ({ from, to, status, cause }) => {
    const answer = await create(from, to)

    expect(answer.status).toBe(status)
    expect(answer.json.error.details?.cause).toBe(cause)
    expect(answer.json.error.reason).toBe(status === 400 ? 'duplicate_entry' : 'not_found')
  })

  test.each([
    { tracker_id: 999_999, who: UMA, status: 404 },
    { tracker_id: HARVESTS, who: MARA, status: 404 }, // It has no workflow.
    { tracker_id: HARVESTS, who: TOM, status: 404 },
    { tracker_id: -3, who: TOM, status: 404 },
    { tracker_id: CRATES, who: TOM, status: 403 },
  ])('refuses $who.login in $tracker_id with $status', async ({ tracker_id, who, status }) => {
    expect((await create(0, CRATE_VALUES.closed, { tracker_id, as: who })).status).toBe(status)
  })
})

describe('GET /tracker_workflow_transitions/{id}', () => {
  test('shows the conditions', async () => {
    expect(await get(CRATE_TRANSITIONS.close)).toEqual({
      id: CRATE_TRANSITIONS.close,
      from_id: CRATE_VALUES.working,
      to_id: CRATE_VALUES.closed,
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [CRATE_FIELDS.points, CRATE_FIELDS.places],
      is_comment_required: true,
      resources: [{ type: 'actions', uri: `tracker_workflow_transitions/${CRATE_TRANSITIONS.close}/actions` }],
    })
  })

  test('supports XML', async () => {
    const { text } = await api.get(path(CRATE_TRANSITIONS.begin), { as: UMA, headers: { accept: 'application/xml' } })

    expect(text).toContain('<from_id></from_id>')
    expect(text).toContain(`<to_id>${CRATE_VALUES.open}</to_id>`)
  })

  test.each([
    { id: CRATE_TRANSITIONS.begin, who: TOM, status: 403 },
    { id: CRATE_FIELDS.status, who: UMA, status: 404 }, // An id of another kind of part.
    { id: 999_999, who: UMA, status: 404 },
  ])('refuses $who.login at $id with $status', async ({ id, who, status }) => {
    expect((await api.get(path(id), { as: who })).status).toBe(status)
    expect((await api.get(`${path(id)}/actions`, { as: who })).status).toBe(status)
  })

  test('asks anonymous callers to sign in', async () => {
    expect((await api.get(path(CRATE_TRANSITIONS.begin))).status).toBe(401)
  })
})

describe('PATCH /tracker_workflow_transitions/{id}', () => {
  const patch = (id: number, body: object, as = UMA) => api.patch(path(id), { as, body })

  test('sets the conditions of all transitions to the value in simple mode', async () => {
    const answer = await patch(CRATE_TRANSITIONS.begin, {
      authorized_user_group_ids: [`${ORCHARD}_3`, String(LEADS)],
      not_empty_field_ids: [CRATE_FIELDS.points],
      is_comment_required: true,
    })
    const conditions = {
      authorized_user_group_ids: [`${ORCHARD}_3`, String(LEADS)],
      not_empty_field_ids: [CRATE_FIELDS.points],
      is_comment_required: true,
    }

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(await get(CRATE_TRANSITIONS.begin)).toMatchObject(conditions)
    expect(await get(CRATE_TRANSITIONS.reopen)).toMatchObject(conditions)
    expect(await get(CRATE_TRANSITIONS.work)).toMatchObject({ is_comment_required: false })
  })

  test('sets the conditions of one transition only in advanced mode', async () => {
    await api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })
    await patch(CRATE_TRANSITIONS.begin, { authorized_user_group_ids: ['2'] })

    expect(await get(CRATE_TRANSITIONS.begin)).toMatchObject({ authorized_user_group_ids: ['2'] })
    expect(await get(CRATE_TRANSITIONS.reopen)).toMatchObject({ authorized_user_group_ids: [] })
  })

  test('keeps omitted members', async () => {
    await patch(CRATE_TRANSITIONS.close, { is_comment_required: false })

    expect(await get(CRATE_TRANSITIONS.close)).toMatchObject({
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [CRATE_FIELDS.points, CRATE_FIELDS.places],
      is_comment_required: false,
    })
  })

  test.each([
    {
      body: { authorized_user_group_ids: [] },
      reason: 'rule_violated',
      cause: 'no_authorised_group',
      at: CRATE_TRANSITIONS.close,
    },
    {
      body: { is_comment_required: true },
      reason: 'rule_violated',
      cause: 'no_authorised_group',
      at: CRATE_TRANSITIONS.begin,
    },
    { body: { authorized_user_group_ids: ['3002'] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
    { body: { authorized_user_group_ids: ['2002_3'] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
    { body: { authorized_user_group_ids: ['abc'] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
    { body: { not_empty_field_ids: [CRATE_FIELDS.harvest] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
    { body: { not_empty_field_ids: [CRATE_FIELDS.old] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
    { body: { not_empty_field_ids: [CRATE_FIELDS.main] }, reason: 'reference_unknown', at: CRATE_TRANSITIONS.close },
  ])('refuses $body with $reason', async ({ body, reason, cause, at }) => {
    const { status, json } = await patch(at, body)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
    expect(json.error.details.cause).toBe(cause)
  })

  test('requires an administrator of the tracker', async () => {
    const { status, json } = await patch(CRATE_TRANSITIONS.close, { is_comment_required: false }, TOM)

    expect(status).toBe(403)
    expect(json.error).toMatchObject({
      reason: 'permission_denied',
      details: { cause: 'not_tracker_admin', who_may: ['tracker_admin', 'project_admin'] },
    })
  })
})

describe('DELETE /tracker_workflow_transitions/{id}', () => {
  test('deletes a transition', async () => {
    const answer = await api.delete(path(CRATE_TRANSITIONS.work), { as: UMA })

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect((await api.get(path(CRATE_TRANSITIONS.work), { as: UMA })).status).toBe(404)
    expect((await api.delete(path(CRATE_TRANSITIONS.work), { as: UMA })).status).toBe(404)
  })

  test('requires an administrator of the tracker in an active project', async () => {
    const refused = await api.delete(path(CRATE_TRANSITIONS.work), { as: TOM })
    await context.db.updateTable('project').set({ status: 'suspended' }).where('id', '=', ORCHARD).execute()
    const late = await api.delete(path(CRATE_TRANSITIONS.work), { as: ADA })

    expect(refused.status).toBe(403)
    expect(late.json.error.details.cause).toBe('project_not_active')
  })
})
