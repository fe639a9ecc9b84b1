import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import {
  CRATES,
  CRATE_FIELDS,
  FREEZE_ACTION,
  insertSampleTrackers,
  CRATE_TRANSITIONS,
} from '../../../test/fixtures/sample-tracker.ts'

const { api, context } = await startWorld()
beforeEach(() => insertSampleTrackers(context.db))

const path = (id: number) => `/tracker_workflow_transitions/${id}/actions`
const put = (id: number, post_actions: object[], as = UMA) => api.put(path(id), { as, body: { post_actions } })
const get = async (id: number) => (await api.get(path(id), { as: UMA })).json
const advance = () => api.patch(`/trackers/${CRATES}`, { as: UMA, body: { workflow: { is_advanced: true } } })

const DATE = { type: 'set_field_value', field_type: 'date', field_id: CRATE_FIELDS.due, value: 'current' }
const NUMBER = { type: 'set_field_value', field_type: 'int', field_id: CRATE_FIELDS.points, value: 5 }
const JOB = { type: 'run_job', job_url: 'https://ci.waypost.example/job/release' }
const FROZEN = { type: 'frozen_fields', field_ids: [CRATE_FIELDS.summary] }
const HIDDEN = { type: 'hidden_fieldsets', fieldset_ids: [CRATE_FIELDS.meta] }

describe('GET /tracker_workflow_transitions/{id}/actions', () => {
  test('shows the actions of a transition', async () => {
    expect(await get(CRATE_TRANSITIONS.close)).toEqual([{ id: FREEZE_ACTION, ...FROZEN }])
    expect(await get(CRATE_TRANSITIONS.work)).toEqual([])
  })
})

describe('PUT /tracker_workflow_transitions/{id}/actions', () => {
  test('sets every type of action, for all transitions to the value in simple mode', async () => {
    const answer = await put(CRATE_TRANSITIONS.begin, [DATE, NUMBER, JOB, FROZEN, HIDDEN])
    const stored = await get(CRATE_TRANSITIONS.begin)

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(stored).toEqual([DATE, NUMBER, JOB, FROZEN, HIDDEN].map((each) => ({ id: expect.any(Number), ...each })))
    expect(new Set(stored.map(({ id }: { id: number }) => id)).size).toBe(5)
    expect(await get(CRATE_TRANSITIONS.reopen)).toEqual(stored)
    expect(await get(CRATE_TRANSITIONS.work)).toEqual([])
  })

  test('sets the actions of one transition only in advanced mode', async () => {
    await advance()
    await put(CRATE_TRANSITIONS.begin, [NUMBER])

    expect(await get(CRATE_TRANSITIONS.begin)).toMatchObject([NUMBER])
    expect(await get(CRATE_TRANSITIONS.reopen)).toEqual([])
  })

  test('keeps actions by id, creates those without an id, and deletes the others', async () => {
    await put(CRATE_TRANSITIONS.begin, [DATE, JOB])
    const [date] = await get(CRATE_TRANSITIONS.begin)
    await put(CRATE_TRANSITIONS.begin, [
      { ...date, value: '' },
      { id: null, ...NUMBER },
    ])

    expect(await get(CRATE_TRANSITIONS.begin)).toEqual([
      { ...date, value: '' },
      { id: expect.any(Number), ...NUMBER },
    ])
    await put(CRATE_TRANSITIONS.begin, [])
    expect(await get(CRATE_TRANSITIONS.begin)).toEqual([])
  })

  test('accepts XML', async () => {
    const { status } = await api.put(path(CRATE_TRANSITIONS.begin), {
      as: UMA,
      headers: { 'content-type': 'application/xml' },
      body: `<request><post_actions><item><type>run_job</type><job_url>${JOB.job_url}</job_url></item></post_actions></request>`,
    })

    expect(status).toBe(200)
    expect(await get(CRATE_TRANSITIONS.begin)).toMatchObject([JOB])
  })

  test.each([
    {
      what: 'an unknown id',
      actions: [{ ...JOB, id: 999_999 }],
      reason: 'reference_unknown',
      path: 'post_actions[0].id',
    },
    { what: 'the id of another type', actions: [{ ...JOB, id: FREEZE_ACTION }], reason: 'reference_unknown' },
    {
      what: 'one field set twice',
      actions: [NUMBER, { ...NUMBER, value: 6 }],
      reason: 'duplicate_entry',
      cause: 'duplicate_action',
    },
    {
      what: 'one action twice',
      actions: [
        { ...FROZEN, id: FREEZE_ACTION },
        { ...FROZEN, id: FREEZE_ACTION },
      ],
      reason: 'duplicate_entry',
      cause: 'duplicate_action',
    },
    { what: 'two that freeze', actions: [FROZEN, FROZEN], reason: 'duplicate_entry', cause: 'duplicate_action' },
    {
      what: 'a type that cannot be set',
      actions: [{ ...NUMBER, field_type: undefined, field_id: CRATE_FIELDS.summary }],
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
      actions: [{ ...FROZEN, field_ids: [CRATE_FIELDS.status] }],
      reason: 'parameter_not_allowed',
    },
    {
      what: 'freezing a field that others depend on',
      actions: [{ ...FROZEN, field_ids: [CRATE_FIELDS.severity] }],
      reason: 'rule_violated',
      cause: 'field_in_use',
    },
    {
      what: 'freezing a fieldset',
      actions: [{ ...FROZEN, field_ids: [CRATE_FIELDS.meta] }],
      reason: 'reference_unknown',
    },
    { what: 'no fieldsets to hide', actions: [{ type: 'hidden_fieldsets' }], reason: 'parameter_required' },
    {
      what: 'hiding a field',
      actions: [{ ...HIDDEN, fieldset_ids: [CRATE_FIELDS.summary] }],
      reason: 'parameter_not_allowed',
    },
    { what: 'hiding what is nowhere', actions: [{ ...HIDDEN, fieldset_ids: [999_999] }], reason: 'reference_unknown' },
    { what: 'an unknown type', actions: [{ type: 'explode' }], reason: 'parameter_not_allowed' },
  ])('refuses $what', async ({ actions, reason, cause, path: place }) => {
    const { status, json } = await put(CRATE_TRANSITIONS.close, actions)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
    expect(json.error.details.cause).toBe(cause)
    expect(json.error.details.path).toContain(place ?? 'post_actions[')
    expect(await get(CRATE_TRANSITIONS.close)).toEqual([{ id: FREEZE_ACTION, ...FROZEN }])
  })

  test.each([FROZEN, HIDDEN])('refuses $type in advanced mode', async (action) => {
    await advance()
    const { status, json } = await put(CRATE_TRANSITIONS.begin, [action])

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'workflow_mode' } })
  })

  test('requires an administrator of the tracker', async () => {
    expect((await put(CRATE_TRANSITIONS.close, [], TOM)).status).toBe(403)
  })
})
