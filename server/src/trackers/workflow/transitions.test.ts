import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/people.ts'
import { LEADS, ORCHARD } from '../../../test/places.ts'
import { CRATES, FIELDS, HARVESTS, insertSampleTrackers, STEPS, VALUES } from '../../../test/sample-tracker.ts'

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
  test('makes a transition', async () => {
    const { status, json, headers } = await create(VALUES.open, VALUES.closed)

    expect(status).toBe(201)
    expect(json).toEqual({ id: expect.any(Number), uri: `tracker_workflow_transitions/${json.id}` })
    expect(headers.location).toBe(`https://waypost.example/api/tracker_workflow_transitions/${json.id}`)
    expect(await get(json.id)).toMatchObject({ from_id: VALUES.open, to_id: VALUES.closed })
  })

  test('begins with a new artifact where it comes from 0', async () => {
    const { json } = await create(0, VALUES.working)

    expect(await get(json.id)).toMatchObject({ from_id: null, to_id: VALUES.working })
  })

  test('takes over what the state demands in simple mode, and nothing in advanced mode', async () => {
    const simple = await create(VALUES.open, VALUES.closed)
    await api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })
    const advanced = await create(0, VALUES.closed)

    expect(await get(simple.json.id)).toMatchObject({
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [FIELDS.points, FIELDS.places],
      is_comment_required: true,
    })
    expect(await get(advanced.json.id)).toMatchObject({
      authorized_user_group_ids: [],
      not_empty_field_ids: [],
      is_comment_required: false,
    })
  })

  test('takes XML', async () => {
    const { status, text } = await api.post('/tracker_workflow_transitions', {
      as: UMA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><tracker_id>${CRATES}</tracker_id><from_id>0</from_id><to_id>${VALUES.closed}</to_id></request>`,
    })

    expect(status).toBe(201)
    expect(text).toContain('<uri>tracker_workflow_transitions/')
  })

  test.each([
    { what: 'the same value', from: VALUES.open, to: VALUES.open, status: 400, cause: 'transition_same_value' },
    { what: 'an existing step', from: VALUES.open, to: VALUES.working, status: 400, cause: 'transition_exists' },
    { what: 'an existing beginning', from: 0, to: VALUES.open, status: 400, cause: 'transition_exists' },
    { what: 'an unknown source', from: 999_999, to: VALUES.open, status: 404, cause: undefined },
    { what: 'a value of another field', from: VALUES.open, to: VALUES.low, status: 404, cause: undefined },
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
    expect((await create(0, VALUES.closed, { tracker_id, as: who })).status).toBe(status)
  })
})

describe('GET /tracker_workflow_transitions/{id}', () => {
  test('shows the conditions', async () => {
    expect(await get(STEPS.close)).toEqual({
      id: STEPS.close,
      from_id: VALUES.working,
      to_id: VALUES.closed,
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [FIELDS.points, FIELDS.places],
      is_comment_required: true,
    })
  })

  test('speaks XML', async () => {
    const { text } = await api.get(path(STEPS.begin), { as: UMA, headers: { accept: 'application/xml' } })

    expect(text).toContain('<from_id></from_id>')
    expect(text).toContain(`<to_id>${VALUES.open}</to_id>`)
  })

  test.each([
    { id: STEPS.begin, who: TOM, status: 403 },
    { id: FIELDS.status, who: UMA, status: 404 }, // An id, but not of a transition.
    { id: 999_999, who: UMA, status: 404 },
  ])('refuses $who.login at $id with $status', async ({ id, who, status }) => {
    expect((await api.get(path(id), { as: who })).status).toBe(status)
    expect((await api.get(`${path(id)}/actions`, { as: who })).status).toBe(status)
  })

  test('asks strangers to sign in', async () => {
    expect((await api.get(path(STEPS.begin))).status).toBe(401)
  })
})

describe('PATCH /tracker_workflow_transitions/{id}', () => {
  const patch = (id: number, body: object, as = UMA) => api.patch(path(id), { as, body })

  test('sets the conditions, of every transition to that value in simple mode', async () => {
    const answer = await patch(STEPS.begin, {
      authorized_user_group_ids: [`${ORCHARD}_3`, String(LEADS)],
      not_empty_field_ids: [FIELDS.points],
      is_comment_required: true,
    })
    const conditions = {
      authorized_user_group_ids: [`${ORCHARD}_3`, String(LEADS)],
      not_empty_field_ids: [FIELDS.points],
      is_comment_required: true,
    }

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(await get(STEPS.begin)).toMatchObject(conditions)
    expect(await get(STEPS.reopen)).toMatchObject(conditions)
    expect(await get(STEPS.work)).toMatchObject({ is_comment_required: false })
  })

  test('sets those of one transition alone in advanced mode', async () => {
    await api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })
    await patch(STEPS.begin, { authorized_user_group_ids: ['2'] })

    expect(await get(STEPS.begin)).toMatchObject({ authorized_user_group_ids: ['2'] })
    expect(await get(STEPS.reopen)).toMatchObject({ authorized_user_group_ids: [] })
  })

  test('keeps what is left out', async () => {
    await patch(STEPS.close, { is_comment_required: false })

    expect(await get(STEPS.close)).toMatchObject({
      authorized_user_group_ids: [`${ORCHARD}_4`],
      not_empty_field_ids: [FIELDS.points, FIELDS.places],
      is_comment_required: false,
    })
  })

  test.each([
    { body: { authorized_user_group_ids: [] }, reason: 'rule_violated', cause: 'no_authorised_group', at: STEPS.close },
    { body: { is_comment_required: true }, reason: 'rule_violated', cause: 'no_authorised_group', at: STEPS.begin },
    { body: { authorized_user_group_ids: ['3002'] }, reason: 'reference_unknown', at: STEPS.close },
    { body: { authorized_user_group_ids: ['2002_3'] }, reason: 'reference_unknown', at: STEPS.close },
    { body: { authorized_user_group_ids: ['abc'] }, reason: 'reference_unknown', at: STEPS.close },
    { body: { not_empty_field_ids: [FIELDS.harvest] }, reason: 'reference_unknown', at: STEPS.close },
    { body: { not_empty_field_ids: [FIELDS.old] }, reason: 'reference_unknown', at: STEPS.close },
    { body: { not_empty_field_ids: [FIELDS.main] }, reason: 'reference_unknown', at: STEPS.close },
  ])('refuses $body with $reason', async ({ body, reason, cause, at }) => {
    const { status, json } = await patch(at, body)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
    expect(json.error.details.cause).toBe(cause)
  })

  test('is for administrators of the tracker', async () => {
    const { status, json } = await patch(STEPS.close, { is_comment_required: false }, TOM)

    expect(status).toBe(403)
    expect(json.error).toMatchObject({
      reason: 'permission_denied',
      details: { cause: 'not_tracker_admin', who_may: ['tracker_admin', 'project_admin'] },
    })
  })
})

describe('DELETE /tracker_workflow_transitions/{id}', () => {
  test('removes a transition', async () => {
    const answer = await api.delete(path(STEPS.work), { as: UMA })

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect((await api.get(path(STEPS.work), { as: UMA })).status).toBe(404)
    expect((await api.delete(path(STEPS.work), { as: UMA })).status).toBe(404)
  })

  test('is for administrators of the tracker, in a project that is active', async () => {
    const refused = await api.delete(path(STEPS.work), { as: TOM })
    await context.db.updateTable('project').set({ status: 'suspended' }).where('id', '=', ORCHARD).execute()
    const late = await api.delete(path(STEPS.work), { as: ADA })

    expect(refused.status).toBe(403)
    expect(late.json.error.details.cause).toBe('project_not_active')
  })
})
