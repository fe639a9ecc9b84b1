import { expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { NURSERY } from '../../test/fixtures/seed-ids.ts'
import { audited } from '../../test/harness/audited.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'

const { api, context } = await startWorld()

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const status = { type: 'static', values: [{ label: 'Open' }, { label: 'Done' }] }
const settings = { instantiate_for_new_projects: true, submit_instructions: 'Weigh it first.' }
const PLANTS = {
  label: 'Plants',
  item_name: 'plant',
  settings,
  permissions: { full: ['@members'], admin: ['gardeners'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: status }),
    field('keeper', 'sb', { bind: { type: 'users', sources: ['@members'], default: ['mara'] } }),
  ],
  semantics: { title: 'summary' },
  workflow: {
    field: 'status',
    states: [
      { to: 'open', from: ['@new'], actions: [{ type: 'run_job', job_url: 'https://ci.waypost.example/job/1' }] },
    ],
  },
  canned_responses: [{ title: 'Late', body: 'It is on its way.' }],
  webhooks: [{ url: 'https://hooks.waypost.example/token' }],
}
const BEDS = {
  label: 'Beds',
  item_name: 'bed',
  settings,
  elements: [field('summary', 'string'), field('status', 'sb', { bind: status })],
}
const trigger = {
  target: { field: 'status', value: 'done' },
  condition: 'all_of',
  when: [{ tracker: 'plant', field: 'status', value: 'done' }],
}
const GROVE = { shortname: 'grove', label: 'Olive Grove', is_public: true, template_id: NURSERY }

const make = async (body: object) => {
  const made = await api.post(`/projects/${NURSERY}/trackers`, { as: MARA, body })
  if (made.status !== 201) throw new Error(made.text)
  return made.json.id
}
const definitionOf = async (id: number) => (await api.get(`/trackers/${id}/definition`, { as: TOM })).json
async function growGrove(): Promise<{ project: number; trackers: Map<string, number> }> {
  const { status: code, text, json } = await api.post('/projects', { as: TOM, body: GROVE })
  if (code !== 201) throw new Error(text)
  const { json: made } = await api.get(`/projects/${json.id}/trackers?limit=50`, { as: TOM })
  return {
    project: json.id,
    trackers: new Map(made.map((each: { item_name: string; id: number }) => [each.item_name, each.id])),
  }
}

test('a new project gets the trackers of its template that ask for it, with their relations', async () => {
  await api.post('/user_groups', { as: MARA, body: { project_id: NURSERY, short_name: 'gardeners' } })
  const plant = await make(PLANTS)
  const bed = await make({ ...BEDS, triggers: [trigger] })
  await make({ ...BEDS, label: 'Tools', item_name: 'tool', settings: {} })
  const { json: stored } = await api.get(`/trackers/${plant}/definition`, { as: MARA })
  const put = await api.put(`/trackers/${plant}/definition`, {
    as: MARA,
    body: { ...stored, hierarchy: { parent: 'bed' } },
  })
  expect(put.status).toBe(200)
  await api.delete(`/trackers/${await make({ ...BEDS, label: 'Gone', item_name: 'gone' })}`, { as: MARA })

  const { project, trackers } = await growGrove()
  expect([...trackers.keys()].toSorted()).toEqual(['bed', 'plant'])
  const copy = await definitionOf(trackers.get('plant') ?? 0)
  expect(copy).toMatchObject({
    label: 'Plants',
    settings,
    hierarchy: { parent: 'bed' },
    permissions: { full: ['@members'], admin: ['@admins'] },
    semantics: { title: 'summary' },
    canned_responses: PLANTS.canned_responses,
    webhooks: [],
  })
  expect(copy.workflow.states[0].actions).toEqual([])
  expect(copy.elements[2].bind).toEqual({ type: 'users', sources: ['@members'], default: [] })
  expect((await definitionOf(trackers.get('bed') ?? 0)).triggers).toEqual([trigger])
  expect(await audited(context, 'project.create')).toMatchObject([
    { object: `projects/${project}`, project_id: project },
    { object: `trackers/${trackers.get('plant')}`, project_id: project },
    { object: `trackers/${trackers.get('bed')}`, project_id: project },
    { object: `trackers/${trackers.get('plant')}`, project_id: project },
    { object: `trackers/${trackers.get('bed')}`, project_id: project },
  ])
  const created = await recordedEvents(context, 'tracker.created')
  expect(created.filter((event) => event.project_id === project)).toHaveLength(2)
  expect([plant, bed]).not.toContain(trackers.get('plant'))
})

test('shared fields and fields of other trackers do not tie the project to its template', async () => {
  await make(BEDS)
  await make({
    ...BEDS,
    label: 'Rows',
    item_name: 'row',
    elements: [field('summary', 'string'), { name: 'status', label: 'Status', shared_from: 'bed.status' }],
  })
  const { trackers } = await growGrove()
  const { elements } = await definitionOf(trackers.get('row') ?? 0)
  expect(elements[1]).toMatchObject({ name: 'status', type: 'sb', shared_from: null })
  expect(elements[1].bind.values.map(({ label }: { label: string }) => label)).toEqual(['Open', 'Done'])
})

test('a dry run creates nothing, and trackers in a private project stay hidden', async () => {
  await make(BEDS)
  expect((await api.post('/projects?dry_run=true', { as: TOM, body: GROVE })).status).toBe(204)
  expect(await recordedEvents(context, 'tracker.created')).toHaveLength(1)
  const { json } = await api.post('/projects', { as: TOM, body: { ...GROVE, is_public: false } })
  expect((await api.get(`/projects/${json.id}/trackers`, { as: OLGA })).status).toBe(404)
})
