import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, RITA, TOM, UMA } from '../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import {
  CRATES,
  CRATE_FIELDS,
  HARVESTS,
  insertSampleTrackers,
  CRATE_TRANSITIONS,
  CRATE_VALUES,
} from '../../test/fixtures/sample-tracker.ts'

const { api, context } = await startWorld()
beforeEach(() => insertSampleTrackers(context.db))

const PROJECT = { id: ORCHARD, uri: `projects/${ORCHARD}`, label: 'Orchard', icon: '🌳' }

describe('GET /trackers/{id}', () => {
  test('shows the tracker with exactly these members', async () => {
    const { status, json } = await api.get(`/trackers/${CRATES}`, { as: TOM })

    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual([
      'id',
      'uri',
      'html_url',
      'project',
      'label',
      'description',
      'item_name',
      'fields',
      'structure',
      'semantics',
      'workflow',
      'permissions_for_groups',
      'parent',
      'resources',
      'color_name',
      'notifications',
      'rank_version',
      'in_new_dropdown',
      'instructions',
    ])
    expect(json).toMatchObject({
      id: CRATES,
      uri: `trackers/${CRATES}`,
      html_url: `/trackers/${CRATES}`,
      project: PROJECT,
      label: 'Crates',
      item_name: 'crate',
      permissions_for_groups: null,
      parent: null,
      resources: [
        { type: 'reports', uri: `trackers/${CRATES}/tracker_reports` },
        { type: 'artifacts', uri: `trackers/${CRATES}/artifacts` },
        { type: 'used_artifact_links', uri: `trackers/${CRATES}/used_artifact_links` },
        { type: 'parent_artifacts', uri: `trackers/${CRATES}/parent_artifacts` },
        { type: 'rank', uri: `trackers/${CRATES}/rank` },
        { type: 'changes', uri: `trackers/${CRATES}/changes` },
        { type: 'artifact_groups', uri: `trackers/${CRATES}/artifacts/groups?by=is_open` },
        { type: 'live_artifacts', uri: `trackers/${CRATES}/artifacts/live` },
        { type: 'canned_responses', uri: `trackers/${CRATES}/canned_responses` },
        { type: 'watch', uri: `trackers/${CRATES}/watch` },
      ],
      color_name: 'fiesta-red',
      notifications: { enabled: true },
      in_new_dropdown: true,
      instructions: { submit: '', browse: '' },
    })
  })

  test('shows a field with exactly these members', async () => {
    const { json } = await api.get(`/trackers/${CRATES}`, { as: TOM })

    expect(json.fields.find(({ name }: { name: string }) => name === 'status')).toEqual({
      field_id: CRATE_FIELDS.status,
      label: 'Status',
      name: 'status',
      type: 'sb',
      values: [
        { id: CRATE_VALUES.open, label: 'Open', is_hidden: false, value_color: '' },
        { id: CRATE_VALUES.working, label: 'Working', is_hidden: false, value_color: '' },
        { id: CRATE_VALUES.closed, label: 'Closed', is_hidden: false, value_color: '' },
        { id: CRATE_VALUES.duplicate, label: 'Duplicate', is_hidden: true, value_color: '' },
      ],
      required: false,
      collapsed: false,
      bindings: { type: 'static', list: [] },
      permissions: ['read', 'update', 'create'],
      permissions_for_groups: null,
      default_value: [{ id: CRATE_VALUES.open, label: 'Open' }],
      has_notifications: false,
      is_used: true,
      description: '',
      specific_properties: {},
      label_decorators: [],
    })
  })

  test.each([
    { who: OLGA, summary: ['read', 'create'], budget: undefined },
    { who: TOM, summary: ['read', 'update', 'create'], budget: undefined },
    { who: MARA, summary: ['read', 'update', 'create'], budget: ['read', 'update', 'create'] },
    { who: ADA, summary: ['read', 'update', 'create'], budget: ['read', 'update', 'create'] },
  ])('shows $who.login the permissions on readable fields, and omits the other fields', async (row) => {
    const { json, text } = await api.get(`/trackers/${CRATES}`, { as: row.who })
    const rights = new Map(
      json.fields.map((field: { name: string; permissions: string[] }) => [field.name, field.permissions]),
    )

    expect(rights.get('summary')).toEqual(row.summary)
    expect(rights.get('budget')).toEqual(row.budget)
    expect(rights.get('main')).toEqual(['read'])
    expect(rights.get('number')).toEqual(['read'])
    expect(rights.has('old')).toBe(false)
    expect(text.includes('Budget')).toBe(row.budget !== undefined)
    expect(json.semantics.initial_effort !== undefined).toBe(row.budget !== undefined)
  })

  test('shows the form as a tree of ids, regardless of permissions', async () => {
    const { json } = await api.get(`/trackers/${CRATES}`, { as: OLGA })
    const leaf = (id: number) => ({ id, content: null })

    expect(json.structure).toEqual([
      {
        id: CRATE_FIELDS.main,
        content: [
          { id: CRATE_FIELDS.left, content: [leaf(CRATE_FIELDS.summary)] },
          ...[
            CRATE_FIELDS.status,
            CRATE_FIELDS.severity,
            CRATE_FIELDS.places,
            CRATE_FIELDS.points,
            CRATE_FIELDS.due,
            CRATE_FIELDS.started,
            CRATE_FIELDS.budget,
          ].map(leaf),
        ],
      },
      { id: CRATE_FIELDS.meta, content: [leaf(CRATE_FIELDS.number), leaf(CRATE_FIELDS.submitted)] },
    ])
  })

  test('shows the semantics in order', async () => {
    const { json } = await api.get(`/trackers/${CRATES}`, { as: MARA })

    expect(Object.entries(json.semantics)).toEqual([
      ['title', { field_id: CRATE_FIELDS.summary }],
      ['status', { field_id: CRATE_FIELDS.status, value_ids: [CRATE_VALUES.open, CRATE_VALUES.working] }],
      ['timeframe', { start_date_field_id: CRATE_FIELDS.started, end_date_field_id: CRATE_FIELDS.due }],
      ['initial_effort', { field_id: CRATE_FIELDS.budget }],
      ['done', { value_ids: [CRATE_VALUES.closed] }],
    ])
  })

  test.each([
    { who: OLGA, steps: [CRATE_TRANSITIONS.begin] },
    { who: TOM, steps: [CRATE_TRANSITIONS.begin, CRATE_TRANSITIONS.work, CRATE_TRANSITIONS.reopen] },
    {
      who: UMA,
      steps: [CRATE_TRANSITIONS.begin, CRATE_TRANSITIONS.work, CRATE_TRANSITIONS.close, CRATE_TRANSITIONS.reopen],
    },
  ])('shows $who.login the permitted transitions', async ({ who, steps }) => {
    const { json } = await api.get(`/trackers/${CRATES}`, { as: who })

    expect(json.workflow).toMatchObject({
      field_id: CRATE_FIELDS.status,
      is_used: '1',
      is_legacy: false,
      is_advanced: false,
      rules: {
        dates: [
          { source_field_id: CRATE_FIELDS.started, target_field_id: CRATE_FIELDS.due, comparator: '≤' },
          { source_field_id: CRATE_FIELDS.due, target_field_id: CRATE_FIELDS.submitted, comparator: '≥' },
        ],
      },
    })
    expect(json.workflow.rules.lists).toHaveLength(3)
    expect(json.workflow.transitions.map(({ id }: { id: number }) => id)).toEqual(steps)
    expect(json.workflow.transitions[0]).toEqual({
      ...(who === UMA && { uri: `tracker_workflow_transitions/${CRATE_TRANSITIONS.begin}` }),
      id: CRATE_TRANSITIONS.begin,
      from_id: null,
      to_id: CRATE_VALUES.open,
    })
  })

  test('has an empty workflow if none is defined', async () => {
    const { json } = await api.get(`/trackers/${HARVESTS}`, { as: UMA })

    expect(json.semantics).toEqual({})
    expect(json.workflow).toEqual({
      field_id: 0,
      is_used: '',
      is_legacy: false,
      is_advanced: false,
      rules: { dates: [], lists: [] },
      transitions: [],
    })
  })

  test('has no workflow for viewers who may not read its field', async () => {
    await context.db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('tracker').select('structure').where('id', '=', CRATES).executeTakeFirstOrThrow()
      const elements = row.structure.elements.map((element) =>
        element.id === CRATE_FIELDS.status ? { ...element, rights: { read: [4], submit: [2], update: [4] } } : element,
      )
      const structure = JSON.stringify({ ...row.structure, elements })
      await tx.updateTable('tracker').set({ structure, version: 2 }).where('id', '=', CRATES).execute()
    })

    expect((await api.get(`/trackers/${CRATES}`, { as: TOM })).json.workflow).toBeNull()
    expect((await api.get(`/trackers/${CRATES}`, { as: MARA })).json.workflow).not.toBeNull()
  })

  test('shows permissions to administrators of the tracker, and the parent to viewers who may see it', async () => {
    const { json } = await api.get(`/trackers/${CRATES}`, { as: UMA })
    const leads = {
      id: String(LEADS),
      uri: `user_groups/${LEADS}`,
      label: 'leads',
      users_uri: `user_groups/${LEADS}/users`,
      short_name: 'leads',
      key: 'leads',
    }
    const summary = json.fields.find(({ name }: { name: string }) => name === 'summary')

    expect(Object.keys(json.permissions_for_groups)).toEqual([
      'can_access',
      'can_access_submitted_by_user',
      'can_access_assigned_to_group',
      'can_access_submitted_by_group',
      'can_admin',
    ])
    expect(json.permissions_for_groups.can_admin).toEqual([leads])
    expect(Object.keys(summary.permissions_for_groups)).toEqual(['can_submit', 'can_read', 'can_update'])
    expect(summary.permissions_for_groups.can_update).toMatchObject([{ id: `${ORCHARD}_3` }])
    expect(json.fields[0].permissions_for_groups).toBeNull()
    expect(json.parent).toEqual({
      id: HARVESTS,
      uri: `trackers/${HARVESTS}`,
      label: 'Harvests',
      color: 'fiesta-red',
      project: PROJECT,
    })
  })

  test.each([
    { who: undefined, id: CRATES, status: 401, reason: 'authentication_required' },
    { who: undefined, id: 999_999, status: 401, reason: 'authentication_required' },
    { who: RITA, id: CRATES, status: 404, reason: 'not_found' },
    { who: TOM, id: HARVESTS, status: 404, reason: 'not_found' },
    { who: TOM, id: 999_999, status: 404, reason: 'not_found' },
    { who: TOM, id: 'abc', status: 400, reason: 'id_malformed' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.get(`/trackers/${id}`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ error: { code: status, reason } })
  })

  test('hides a deleted tracker from everyone', async () => {
    await context.db.updateTable('tracker').set({ deleted_on: new Date() }).where('id', '=', CRATES).execute()

    expect((await api.get(`/trackers/${CRATES}`, { as: ADA })).status).toBe(404)
  })

  test('identifies the version by its ETag', async () => {
    const first = await api.get(`/trackers/${CRATES}`, { as: TOM })
    const headers = { 'if-none-match': first.headers.etag }

    expect((await api.get(`/trackers/${CRATES}`, { as: TOM, headers })).status).toBe(304)
  })

  test('returns only the requested members', async () => {
    const { json } = await api.get(`/trackers/${CRATES}?fields=label,semantics.title`, { as: TOM })

    expect(json).toEqual({
      id: CRATES,
      uri: `trackers/${CRATES}`,
      label: 'Crates',
      semantics: { title: { field_id: CRATE_FIELDS.summary } },
    })
  })

  test('supports XML', async () => {
    const { status, text } = await api.get(`/trackers/${CRATES}`, { as: TOM, headers: { accept: 'application/xml' } })

    expect(status).toBe(200)
    expect(text).toContain(`<id>${CRATES}</id>`)
    expect(text).toContain('<item_name>crate</item_name>')
  })
})
