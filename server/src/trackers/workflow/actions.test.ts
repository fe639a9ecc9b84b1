import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { TOM, UMA } from '../../../test/people.ts'
import { CRATES, FIELDS, FREEZE, insertSampleTrackers, STEPS } from '../../../test/sample-tracker.ts'

const { api, context } = await startWorld()
beforeEach(() => insertSampleTrackers(context.db))

const path = (id: number) => `/tracker_workflow_transitions/${id}/actions`
const put = (id: number, post_actions: object[], as = UMA) => api.put(path(id), { as, body: { post_actions } })
const get = async (id: number) => (await api.get(path(id), { as: UMA })).json
const advance = () => api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })

const DATE = { type: 'set_field_value', field_type: 'date', field_id: FIELDS.due, value: 'current' }
const NUMBER = { type: 'set_field_value', field_type: 'int', field_id: FIELDS.points, value: 5 }
const JOB = { type: 'run_job', job_url: 'https://ci.waypost.example/job/release' }
const FROZEN = { type: 'frozen_fields', field_ids: [FIELDS.summary] }
const HIDDEN = { type: 'hidden_fieldsets', fieldset_ids: [FIELDS.meta] }

describe('GET /tracker_workflow_transitions/{id}/actions', () => {
  test('shows what a transition does', async () => {
    expect(await get(STEPS.close)).toEqual([{ id: FREEZE, ...FROZEN }])
    expect(await get(STEPS.work)).toEqual([])
  })
})

describe('PUT /tracker_workflow_transitions/{id}/actions', () => {
  test('sets every kind of action, of every transition to that value in simple mode', async () => {
    const answer = await put(STEPS.begin, [DATE, NUMBER, JOB, FROZEN, HIDDEN])
    const stored = await get(STEPS.begin)

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(stored).toEqual([DATE, NUMBER, JOB, FROZEN, HIDDEN].map((each) => ({ id: expect.any(Number), ...each })))
    expect(new Set(stored.map(({ id }: { id: number }) => id)).size).toBe(5)
    expect(await get(STEPS.reopen)).toEqual(stored)
    expect(await get(STEPS.work)).toEqual([])
  })

  test('sets those of one transition alone in advanced mode', async () => {
    await advance()
    await put(STEPS.begin, [NUMBER])

    expect(await get(STEPS.begin)).toMatchObject([NUMBER])
    expect(await get(STEPS.reopen)).toEqual([])
  })

  test('keeps those that it names, makes those without an id, and removes the others', async () => {
    await put(STEPS.begin, [DATE, JOB])
    const [date] = await get(STEPS.begin)
    await put(STEPS.begin, [
      { ...date, value: '' },
      { id: null, ...NUMBER },
    ])

    expect(await get(STEPS.begin)).toEqual([
      { ...date, value: '' },
      { id: expect.any(Number), ...NUMBER },
    ])
    await put(STEPS.begin, [])
    expect(await get(STEPS.begin)).toEqual([])
  })

  test('takes XML', async () => {
    const { status } = await api.put(path(STEPS.begin), {
      as: UMA,
      headers: { 'content-type': 'application/xml' },
      body: `<request><post_actions><item><type>run_job</type><job_url>${JOB.job_url}</job_url></item></post_actions></request>`,
    })

    expect(status).toBe(200)
    expect(await get(STEPS.begin)).toMatchObject([JOB])
  })

  test.each([
    {
      what: 'an unknown id',
      actions: [{ ...JOB, id: 999_999 }],
      reason: 'reference_unknown',
      path: 'post_actions[0].id',
    },
    { what: 'the id of another type', actions: [{ ...JOB, id: FREEZE }], reason: 'reference_unknown' },
    {
      what: 'one field set twice',
      actions: [NUMBER, { ...NUMBER, value: 6 }],
      reason: 'duplicate_entry',
      cause: 'duplicate_action',
    },
    {
      what: 'one action twice',
      actions: [
        { ...FROZEN, id: FREEZE },
        { ...FROZEN, id: FREEZE },
      ],
      reason: 'duplicate_entry',
      cause: 'duplicate_action',
    },
    { what: 'two that freeze', actions: [FROZEN, FROZEN], reason: 'duplicate_entry', cause: 'duplicate_action' },
    {
      what: 'a type that cannot be set',
      actions: [{ ...NUMBER, field_type: undefined, field_id: FIELDS.summary }],
      reason: 'parameter_not_allowed',
    },
    {
      what: 'another type than the field has',
      actions: [{ ...NUMBER, field_type: 'date' }],
      reason: 'parameter_not_allowed',
      path: 'post_actions[0].field_type',
    },
    { what: 'a field of nowhere', actions: [{ ...NUMBER, field_id: 999_999 }], reason: 'reference_unknown' },
    { what: 'a date that is no action', actions: [{ ...DATE, value: '2026-03-01' }], reason: 'parameter_not_allowed' },
    { what: 'a number that is none', actions: [{ ...NUMBER, value: 'many' }], reason: 'parameter_invalid' },
    { what: 'half a whole number', actions: [{ ...NUMBER, value: 0.5 }], reason: 'parameter_invalid' },
    { what: 'no value', actions: [{ ...NUMBER, value: undefined }], reason: 'parameter_required' },
    { what: 'no field', actions: [{ ...NUMBER, field_id: undefined }], reason: 'parameter_required' },
    { what: 'no address', actions: [{ type: 'run_job' }], reason: 'parameter_required' },
    {
      what: 'an address of another kind',
      actions: [{ ...JOB, job_url: 'file:///etc/passwd' }],
      reason: 'parameter_invalid',
    },
    { what: 'no fields to freeze', actions: [{ type: 'frozen_fields' }], reason: 'parameter_required' },
    {
      what: 'freezing the field of the workflow',
      actions: [{ ...FROZEN, field_ids: [FIELDS.status] }],
      reason: 'parameter_not_allowed',
    },
    {
      what: 'freezing a field that others depend on',
      actions: [{ ...FROZEN, field_ids: [FIELDS.severity] }],
      reason: 'rule_violated',
      cause: 'field_in_use',
    },
    { what: 'freezing a fieldset', actions: [{ ...FROZEN, field_ids: [FIELDS.meta] }], reason: 'reference_unknown' },
    { what: 'no fieldsets to hide', actions: [{ type: 'hidden_fieldsets' }], reason: 'parameter_required' },
    {
      what: 'hiding a field',
      actions: [{ ...HIDDEN, fieldset_ids: [FIELDS.summary] }],
      reason: 'parameter_not_allowed',
    },
    { what: 'hiding what is nowhere', actions: [{ ...HIDDEN, fieldset_ids: [999_999] }], reason: 'reference_unknown' },
    { what: 'an unknown type', actions: [{ type: 'explode' }], reason: 'parameter_not_allowed' },
  ])('refuses $what', async ({ actions, reason, cause, path: place }) => {
    const { status, json } = await put(STEPS.close, actions)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
    expect(json.error.details.cause).toBe(cause)
    expect(json.error.details.path).toContain(place ?? 'post_actions[')
    expect(await get(STEPS.close)).toEqual([{ id: FREEZE, ...FROZEN }])
  })

  test.each([FROZEN, HIDDEN])('refuses $type in advanced mode', async (action) => {
    await advance()
    const { status, json } = await put(STEPS.begin, [action])

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'workflow_mode' } })
  })

  test('is for administrators of the tracker', async () => {
    expect((await put(STEPS.close, [], TOM)).status).toBe(403)
  })
})
