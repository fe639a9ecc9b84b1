import { describe, expect, test } from 'vitest'
import { TrackerDefinition } from '../../src/trackers/definition/schemas.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { NURSERY, ORCHARD } from '../fixtures/seed-ids.ts'
import { startWorld } from '../harness/start-world.ts'

const { api } = await startWorld()

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const status = { type: 'static', values: [{ label: 'Open' }, { label: 'Done' }] }
const PLAIN = {
  label: 'Plain',
  item_name: 'plain',
  permissions: { full: ['@members'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: status }),
    field('part', 'sb', { bind: status }),
    field('start', 'date'),
    field('end', 'date'),
  ],
}

type Definition = typeof PLAIN

/** A changed member, and what a client observes of it. */
interface Proof {
  readonly to: unknown
  readonly observe: (tracker: MadeTracker, definition: Definition) => Promise<unknown>
}

const shown = (member: string) => async (tracker: MadeTracker) =>
  (await api.get(`/trackers/${tracker.id}`, { as: MARA })).json[member]
const listed = (path: string) => async (tracker: MadeTracker) =>
  (await api.get(`/trackers/${tracker.id}/${path}`, { as: MARA })).json
const onArtifact = (act: (id: number, tracker: MadeTracker) => Promise<{ status: number }>) => {
  return async (tracker: MadeTracker) =>
    (await act(await makeTestArtifact(api, tracker, { summary: 'Plum' }), tracker)).status
}

/** A new project from a template that has a tracker of this definition. */
async function listInstances({ item_name, ...definition }: Definition): Promise<unknown> {
  await api.post(`/projects/${NURSERY}/trackers`, { as: MARA, body: { ...definition, item_name } })
  const body = { shortname: `grove-${item_name}`, label: 'Olive Grove', is_public: true, template_id: NURSERY }
  const { json } = await api.post('/projects', { as: TOM, body })
  const { json: trackers } = await api.get(`/projects/${json.id}/trackers`, { as: TOM })
  return trackers.map(({ label }: { label: string }) => label)
}

const SETTINGS: Record<string, Proof> = {
  submit_instructions: { to: 'Weigh it first.', observe: shown('instructions') },
  browse_instructions: { to: 'Ripe ones first.', observe: shown('instructions') },
  allow_copy: { to: false, observe: onArtifact((id) => api.post(`/artifacts/${id}/copy`, { as: MARA })) },
  instantiate_for_new_projects: { to: true, observe: (_, definition) => listInstances(definition) },
  log_priority_changes: {
    to: true,
    async observe(tracker) {
      const [one, two] = [
        await makeTestArtifact(api, tracker, { summary: 'One' }),
        await makeTestArtifact(api, tracker, { summary: 'Two' }),
      ]
      await api.put(`/trackers/${tracker.id}/rank`, { as: MARA, body: { ids: [two], before: one } })
      return (await api.get(`/artifacts/${two}/rank_changes`, { as: TOM })).json.length
    },
  },
  notifications_level: { to: 'none', observe: shown('notifications') },
  private_comments: {
    to: true,
    observe: onArtifact((id) => {
      const comment = { body: 'Between us.', ugroups: [`${ORCHARD}_4`] }
      return api.put(`/artifacts/${id}`, { as: MARA, body: { comment } })
    }),
  },
  in_new_dropdown: {
    to: false,
    async observe({ id }) {
      const { json } = await api.get(`/projects/${ORCHARD}/trackers?representation=minimal`, { as: TOM })
      return json.find((each: { id: number }) => each.id === id).in_new_dropdown
    },
  },
  allow_move: {
    to: false,
    observe: onArtifact(async (id, { id: own }) => {
      const other = await makeTestTracker(api, { ...PLAIN, item_name: `other_than_${own}` })
      return api.patch(`/artifacts/${id}`, { as: MARA, body: { move: { tracker_id: other.id } } })
    }),
  },
  allow_deletion: { to: false, observe: onArtifact((id) => api.delete(`/artifacts/${id}`, { as: MARA })) },
  require_precondition: {
    to: true,
    observe: onArtifact((id, tracker) => {
      const values = [{ field_id: tracker.field('summary'), value: 'Pear' }]
      return api.put(`/artifacts/${id}`, { as: MARA, body: { values } })
    }),
  },
}

const MEMBERS: Record<string, Proof> = {
  label: { to: 'Fancy', observe: shown('label') },
  item_name: { to: 'fancy', observe: shown('item_name') },
  description: { to: 'Of plums.', observe: shown('description') },
  color_name: { to: 'fiesta-red', observe: shown('color_name') },
  hierarchy: { to: { parent: 'bug' }, observe: shown('parent') },
  permissions: {
    to: { full: ['@admins'] },
    observe: async ({ id }) => (await api.get(`/trackers/${id}`, { as: TOM })).status,
  },
  elements: { to: [...PLAIN.elements, field('weight', 'int')], observe: shown('structure') },
  unused_elements: {
    to: [field('weight', 'int')],
    // The name of an unused element is taken.
    observe: async (tracker) => {
      const body = { name: 'weight' }
      return (await api.patch(`/tracker_fields/${tracker.field('summary')}`, { as: MARA, body })).status
    },
  },
  semantics: { to: { title: 'summary' }, observe: shown('semantics') },
  workflow: { to: { field: 'status', states: [{ to: 'open', from: ['@new'] }] }, observe: shown('workflow') },
  rules: { to: { dates: [{ source: 'start', comparator: '<', target: 'end' }] }, observe: shown('workflow') },
  triggers: {
    to: [
      {
        target: { field: 'part', value: 'done' },
        condition: 'all_of',
        when: [{ tracker: 'bug', field: 'status', value: 'fixed' }],
      },
    ],
    // A field that a trigger sets cannot be removed.
    observe: async (tracker) =>
      (await api.delete(`/tracker_fields/${tracker.field('part')}`, { as: MARA, body: {} })).status,
  },
  reports: { to: [{ label: 'Ripe', public: true }], observe: listed('tracker_reports') },
  canned_responses: { to: [{ title: 'Late', body: 'It is on its way.' }], observe: listed('canned_responses') },
  webhooks: { to: [{ url: 'https://hooks.waypost.example/plain' }], observe: listed('webhooks') },
}

/** The version of the format, and the settings above. */
const NOT_A_SETTING = ['format', 'settings']

async function observe({ observe: look }: Proof, definition: Definition): Promise<string> {
  const seen = await look(await makeTestTracker(api, definition), definition)
  return JSON.stringify(seen)?.replaceAll(/"(?:id|uri|from_id|to_id|field_id)":[^,}]*/g, '')
}

/** The same definition looks the same twice; the changed one looks different. */
async function expectDifference(proof: Proof | undefined, name: string, change: object): Promise<void> {
  if (!proof) throw new Error(`No test shows what ${name} does.`)
  const before = await observe(proof, PLAIN)
  const again = name === 'item_name' ? before : await observe(proof, { ...PLAIN, item_name: 'same' })
  expect(again).toBe(before)
  expect(await observe(proof, { ...PLAIN, item_name: 'changed', ...change })).not.toBe(before)
}

describe('a change of', () => {
  const { settings, ...members } = TrackerDefinition.properties
  test.each(Object.keys(settings.properties))('the setting %s changes the behaviour of the tracker', (name) =>
    expectDifference(SETTINGS[name], name, { settings: { [name]: SETTINGS[name]?.to } }),
  )

  test.each(Object.keys(members).filter((name) => !NOT_A_SETTING.includes(name)))(
    'the member %s changes the tracker that clients see',
    (name) => expectDifference(MEMBERS[name], name, { [name]: MEMBERS[name]?.to }),
  )
})
