import { beforeEach, describe, expect, test } from 'vitest'
import { makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { CRATES, CRATE_FIELDS, insertSampleTrackers, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import type { TrackerId } from '../tracker.ts'

const { api, context } = await startWorld()
beforeEach(() => insertSampleTrackers(context.db))

const path = (id: number) => `/tracker_fields/${id}`
const patch = (id: number, body: object, as = UMA) => api.patch(path(id), { as, body })
const tracker = async () => (await api.get(`/trackers/${CRATES}`, { as: ADA })).json
const names = async () => (await tracker()).fields.map(({ name }: { name: string }) => name)

describe('PATCH /tracker_fields/{id}', () => {
  test('renames and describes a field, and returns it without permissions', async () => {
    const { status, json } = await patch(CRATE_FIELDS.points, {
      label: ' Effort ',
      name: 'effort',
      description: 'In hours',
    })

    expect(status).toBe(200)
    expect(json).toMatchObject({
      field_id: CRATE_FIELDS.points,
      label: 'Effort',
      name: 'effort',
      description: 'In hours',
      type: 'int',
      permissions: [],
      permissions_for_groups: null,
      is_used: true,
    })
    expect(await names()).toContain('effort')
  })

  test('also renames it in reports', async () => {
    await patch(CRATE_FIELDS.points, { name: 'effort' })
    const { json } = await api.get(`/trackers/${CRATES}/definition`, { as: MARA })

    expect(json.reports).toMatchObject([
      { label: 'By points', renderers: [{ columns: ['effort'], sort: [{ field: 'effort', direction: 'asc' }] }] },
    ])
  })

  test('also renames it in the widths and groups of the table of a report', async () => {
    const renderers = [
      {
        type: 'table',
        column_widths: [{ field: 'points', width: 90 }],
        grouped_by: { field: 'points' },
      },
    ]
    const body = { label: 'Wide', renderers }
    const { json: made } = await api.post(`/trackers/${CRATES}/tracker_reports`, { as: TOM, body })
    await patch(CRATE_FIELDS.points, { name: 'effort' })
    const { json } = await api.get(`/tracker_reports/${made.id}?representation=full`, { as: TOM })
    expect(json.definition.renderers[0]).toMatchObject({
      column_widths: [{ field: 'effort', width: 90 }],
      grouped_by: { field: 'effort' },
    })
  })

  test('appends values', async () => {
    const { json } = await patch(CRATE_FIELDS.severity, { new_values: ['Huge', 'Low'] })
    const row = await context.db.selectFrom('tracker').select('structure').where('id', '=', CRATES).executeTakeFirst()
    const bind = row?.structure.elements.find(({ id }) => id === CRATE_FIELDS.severity)?.bind

    expect(json.values.map(({ label }: { label: string }) => label)).toEqual(['Low', 'High', 'Huge', 'Low'])
    expect(json.values[0].id).toBe(CRATE_VALUES.low)
    expect(new Set(json.values.map(({ id }: { id: number }) => id)).size).toBe(4)
    expect(bind?.type === 'static' && bind.values.map(({ key }) => key)).toEqual(['low', 'high', 'huge', 'low_2'])
  })

  test('limits values on boards, keeps the other limits, and shows them to everyone who reads the field', async () => {
    const { low, high } = CRATE_VALUES
    const limits = async () => {
      const { json } = await api.get(`/trackers/${CRATES}`, { as: TOM })
      const severity = json.fields.find(({ name }: { name: string }) => name === 'severity')
      return severity.values.map(({ id, limit }: { id: number; limit?: number }) => [id, limit])
    }
    const set = (value_id: number, limit: number | null) =>
      patch(CRATE_FIELDS.severity, { limits: [{ value_id, limit }] })

    expect((await set(low, 4)).status).toBe(200)
    await set(high, 1)
    expect(await limits()).toEqual([
      [low, 4],
      [high, 1],
    ])
    await set(high, null)
    expect(await limits()).toEqual([
      [low, 4],
      [high, undefined],
    ])
    expect(await patch(CRATE_FIELDS.severity, { limits: [] }, TOM)).toMatchObject(refused(403, 'permission_denied'))
  })

  test('a limit is part of the definition, which changes nothing if it is written again', async () => {
    const bind = { type: 'static', values: [{ label: 'Open', limit: 3 }, { label: 'Done' }] }
    const { id } = await makeTestTracker(api, {
      label: 'Limited',
      item_name: 'limited',
      permissions: { full: ['@members'] },
      elements: [{ name: 'state', type: 'sb', label: 'State', bind }],
    })
    const { json } = await api.get(`/trackers/${id}/definition`, { as: MARA })
    expect(json.elements[0].bind.values).toMatchObject([{ key: 'open', limit: 3 }, { key: 'done' }])
    expect(json.elements[0].bind.values[1]).not.toHaveProperty('limit')
    const again = await api.put(`/trackers/${id}/definition?dry_run=true`, { as: MARA, body: json })
    expect(again.json.changes).toEqual([])
  })

  test('unuses a field, and takes it back into use at the end of its container', async () => {
    const off = await patch(CRATE_FIELDS.budget, { use_it: true })
    expect(off.status).toBe(200)
    await api.patch(`/trackers/${CRATES}`, {
      as: UMA,
      body: { workflow: { set_transitions_rules: { is_used: true } } },
    })
    const back = await patch(CRATE_FIELDS.old, { use_it: true })
    const { structure } = await tracker()

    expect(back.json.is_used).toBe(true)
    expect(structure[0].content.at(-1).id).toBe(CRATE_FIELDS.old)
    expect((await patch(CRATE_FIELDS.old, { use_it: false })).json.is_used).toBe(false)
    expect(await names()).not.toContain('old')
  })

  test('refuses to use a second field of a type that a tracker has once', async () => {
    const links = (name: string) => ({ name, label: name, type: 'art_link' })
    const { id } = await makeTestTracker(api, {
      label: 'Ladders',
      item_name: 'ladder',
      elements: [links('links')],
      unused_elements: [links('others')],
      permissions: { full: ['@anonymous'] },
    })
    const row = await context.db
      .selectFrom('tracker')
      .select('structure')
      .where('id', '=', toId<TrackerId>(id))
      .executeTakeFirst()
    const others = row?.structure.elements.find(({ name }) => name === 'others')?.id ?? 0
    const refusal = refused(400, 'duplicate_entry', { path: 'use_it', rule: 'unique' })
    expect(await patch(others, { use_it: true }, MARA)).toMatchObject(refusal)
  })

  test.each([
    {
      move: { parent_id: CRATE_FIELDS.left, next_sibling_id: CRATE_FIELDS.summary },
      content: [CRATE_FIELDS.budget, CRATE_FIELDS.summary],
    },
    {
      move: { parent_id: CRATE_FIELDS.left, next_sibling_id: null },
      content: [CRATE_FIELDS.summary, CRATE_FIELDS.budget],
    },
  ])('moves a field to $move', async ({ move, content }) => {
    expect((await patch(CRATE_FIELDS.budget, { move })).status).toBe(200)
    const { structure } = await tracker()

    expect(structure[0].content[0].content.map(({ id }: { id: number }) => id)).toEqual(content)
  })

  test('moves a container with its content', async () => {
    await patch(CRATE_FIELDS.left, { move: { parent_id: CRATE_FIELDS.meta, next_sibling_id: CRATE_FIELDS.number } })
    await patch(CRATE_FIELDS.meta, { move: { parent_id: null, next_sibling_id: CRATE_FIELDS.main } })
    const { structure, fields } = await tracker()

    expect(structure[0]).toEqual({
      id: CRATE_FIELDS.meta,
      content: [
        { id: CRATE_FIELDS.left, content: [{ id: CRATE_FIELDS.summary, content: null }] },
        { id: CRATE_FIELDS.number, content: null },
        { id: CRATE_FIELDS.submitted, content: null },
      ],
    })
    expect(fields.slice(0, 3).map(({ field_id }: { field_id: number }) => field_id)).toEqual([
      CRATE_FIELDS.meta,
      CRATE_FIELDS.left,
      CRATE_FIELDS.summary,
    ])
  })

  test('accepts XML', async () => {
    const { status, text } = await api.patch(path(CRATE_FIELDS.summary), {
      as: UMA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><label>Title</label></request>',
    })

    expect(status).toBe(200)
    expect(text).toContain('<label>Title</label>')
  })

  test.each([
    { id: CRATE_FIELDS.points, body: { label: ' ' }, reason: 'parameter_out_of_range' },
    { id: CRATE_FIELDS.points, body: { name: '' }, reason: 'parameter_out_of_range' },
    { id: CRATE_FIELDS.points, body: { name: 'Mehr Punkte' }, reason: 'name_invalid' },
    { id: CRATE_FIELDS.points, body: { name: 'status' }, reason: 'name_taken' },
    { id: CRATE_FIELDS.points, body: { name: 'old' }, reason: 'name_taken' },
    { id: CRATE_FIELDS.places, body: { new_values: ['Shed'] }, reason: 'parameter_not_allowed' },
    { id: CRATE_FIELDS.points, body: { new_values: ['1'] }, reason: 'parameter_not_allowed' },
    { id: CRATE_FIELDS.severity, body: { new_values: [''] }, reason: 'parameter_out_of_range' },
    {
      id: CRATE_FIELDS.severity,
      body: { limits: [{ value_id: CRATE_VALUES.open, limit: 1 }] },
      reason: 'reference_unknown',
    },
    {
      id: CRATE_FIELDS.severity,
      body: { limits: [{ value_id: CRATE_VALUES.low, limit: 0 }] },
      reason: 'parameter_out_of_range',
    },
    { id: CRATE_FIELDS.points, body: { limits: [] }, reason: 'parameter_not_allowed' },
    { id: CRATE_FIELDS.points, body: { move: { parent_id: 999_999 } }, reason: 'reference_unknown' },
    { id: CRATE_FIELDS.points, body: { move: { parent_id: CRATE_FIELDS.summary } }, reason: 'parameter_not_allowed' },
    { id: CRATE_FIELDS.meta, body: { move: { parent_id: CRATE_FIELDS.main } }, reason: 'parameter_not_allowed' },
    { id: CRATE_FIELDS.meta, body: { move: { parent_id: CRATE_FIELDS.meta } }, reason: 'reference_unknown' },
    {
      id: CRATE_FIELDS.points,
      body: { move: { parent_id: null, next_sibling_id: CRATE_FIELDS.due } },
      reason: 'reference_unknown',
    },
    { id: CRATE_FIELDS.old, body: { move: { parent_id: null } }, reason: 'parameter_conflict' },
  ])('refuses $body on $id with $reason', async ({ id, body, reason }) => {
    const { status, json } = await patch(id, body)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
  })

  test.each([
    { id: CRATE_FIELDS.summary, used_by: [{ type: 'semantic', id: 'title', label: 'title' }, { type: 'transition' }] },
    { id: CRATE_FIELDS.budget, used_by: [{ type: 'semantic', id: 'initial_effort' }] },
    {
      id: CRATE_FIELDS.status,
      used_by: [
        { type: 'semantic', id: 'status' },
        { type: 'workflow', label: 'Status' },
      ],
    },
    {
      id: CRATE_FIELDS.points,
      used_by: [
        { type: 'transition', label: 'Closed' },
        { type: 'report', id: 22_701, label: 'By points' },
      ],
    },
    { id: CRATE_FIELDS.submitted, used_by: [{ type: 'date_rule', id: CRATE_FIELDS.due, label: 'Due' }] },
    {
      id: CRATE_FIELDS.severity,
      used_by: [
        { type: 'list_rule', id: CRATE_FIELDS.places },
        { type: 'trigger', label: 'Harvests' },
      ],
    },
    { id: CRATE_FIELDS.left, used_by: [{ type: 'field', id: CRATE_FIELDS.summary }] },
  ])('keeps $id while it is in use elsewhere', async ({ id, used_by }) => {
    const unused = await patch(id, { use_it: false })
    const deleted = await api.delete(path(id), { as: UMA })

    for (const { status, json } of [unused, deleted]) {
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'field_in_use' } })
      expect(json.error.details.used_by).toMatchObject(used_by)
    }
  })

  test('keeps a field that another tracker shares, and deletes it once none does', async () => {
    const bind = { type: 'static', values: [{ label: 'Red' }, { label: 'Green' }] }
    const { json: ripe } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: { label: 'Ripe', item_name: 'ripe', elements: [{ name: 'colour', type: 'sb', label: 'Colour', bind }] },
    })
    const copies = [{ name: 'colour', shared_from: 'ripe.colour', label: 'Colour' }]
    const { json: sour } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: { label: 'Sour', item_name: 'sour', elements: copies },
    })
    const [original, copy] = [ripe.fields[0].field_id, sour.fields[0].field_id]
    const { status, json } = await api.delete(path(original), { as: MARA })

    expect([status, json.error.details.cause]).toEqual([400, 'field_in_use'])
    expect(json.error.details.used_by).toEqual([{ type: 'shared_field', id: original, label: 'Colour' }])
    expect((await api.delete(path(copy), { as: MARA })).status).toBe(204)
    expect((await api.delete(path(original), { as: MARA })).status).toBe(204)
  })

  test.each([
    { who: TOM, id: CRATE_FIELDS.points, status: 403 },
    { who: TOM, id: CRATE_FIELDS.harvest, status: 404 },
    { who: UMA, id: CRATE_VALUES.open, status: 404 }, // An id of another kind of part.
    { who: UMA, id: 999_999, status: 404 },
  ])('refuses $who.login at $id with $status', async ({ who, id, status }) => {
    expect((await patch(id, { label: 'X' }, who)).status).toBe(status)
    expect((await api.delete(path(id), { as: who })).status).toBe(status)
  })

  test('refuses writes in an inactive project', async () => {
    await context.db.updateTable('project').set({ status: 'suspended' }).where('id', '=', ORCHARD).execute()
    const { status, json } = await patch(CRATE_FIELDS.points, { label: 'X' }, ADA)

    expect(status).toBe(400)
    expect(json.error.details.cause).toBe('project_not_active')
  })

  test('records the changes in the audit log, and nothing if nothing changes', async () => {
    await patch(CRATE_FIELDS.points, { label: 'Points' })
    await patch(CRATE_FIELDS.points, { label: 'Effort' })
    const rows = await context.db
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .where('object', '=', `trackers/${CRATES}`)
      .execute()

    expect(rows).toEqual([
      {
        action: 'tracker.field',
        before: { field_id: CRATE_FIELDS.points, label: 'Points' },
        after: { field_id: CRATE_FIELDS.points, label: 'Effort' },
      },
    ])
  })

  test('loses no update under concurrent changes', async () => {
    const ids = [CRATE_FIELDS.points, CRATE_FIELDS.due, CRATE_FIELDS.started, CRATE_FIELDS.severity]
    const answers = await Promise.all(ids.map((id) => patch(id, { description: 'Seen' }, MARA)))
    const { fields } = await tracker()

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(fields.filter(({ description }: { description: string }) => description === 'Seen')).toHaveLength(4)
  })
})

describe('DELETE /tracker_fields/{id}', () => {
  test('deletes an element and frees its name', async () => {
    const answer = await api.delete(path(CRATE_FIELDS.old), { as: UMA })

    expect(answer).toMatchObject({ status: 204, text: '' })
    expect((await api.delete(path(CRATE_FIELDS.old), { as: UMA })).status).toBe(404)
    expect((await patch(CRATE_FIELDS.points, { name: 'old' })).status).toBe(200)
  })

  test('reports the planned changes in a dry run', async () => {
    const { status, json } = await api.delete(`${path(CRATE_FIELDS.number)}?dry_run=true`, { as: UMA })

    expect(status).toBe(200)
    expect(json.dry_run.changes).toMatchObject([{ object: `trackers/${CRATES}`, op: 'update' }])
    expect(await names()).toContain('number')
  })
})
