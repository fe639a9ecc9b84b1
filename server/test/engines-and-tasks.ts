import type { Client } from './client.ts'
import { makeArtifact, type MadeTracker, makeTracker } from './every-field.ts'
import { VICTOR } from './people.ts'
import { VAULT } from './places.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }

/** For everybody; `cost` is for administrators of the project. */
const ENGINES = {
  label: 'Engines',
  item_name: 'engine',
  color_name: 'fiesta-red',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('status', 'sb', { bind: list('Open', 'Closed') }),
    field('severity', 'rb', {
      bind: { type: 'static', values: [{ label: 'Low' }, { label: 'High', color: 'red-wine' }] },
    }),
    field('points', 'int'),
    field('due', 'date'),
    field('owner', 'sb', { bind: { type: 'users', sources: ['@members'] } }),
    field('team', 'sb', { bind: { type: 'ugroups', groups: ['@members', 'leads'] } }),
    field('tags', 'tbl', { bind: list('loud') }),
    field('cost', 'int', FOR_ADMINS),
    field('links', 'art_link'),
    field('seen_by', 'perm'),
    field('made', 'subon'),
    field('number', 'atid'),
    field('remaining', 'computed', { properties: { target_field_name: 'points' } }),
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open'] },
    contributor: 'owner',
  },
}

/** For members. Its fields have the names of those of engines, but not all of their types; there is no status. */
const TASKS = {
  label: 'Tasks',
  item_name: 'task',
  color_name: 'inca-silver',
  permissions: { full: ['@members'] },
  elements: [
    field('name', 'text'),
    field('severity', 'sb', { bind: list('Severe', 'High', 'Low') }),
    field('points', 'float'),
    field('due', 'date', { properties: { display_time: true } }),
    field('owner', 'sb', { bind: { type: 'users', sources: ['@members'] } }),
    field('team', 'string'),
    field('cost', 'float'),
    field('links', 'art_link'),
  ],
  semantics: { title: 'name', contributor: 'owner' },
}

/** For administrators of the project. Its severity is none of a list, and it alone has a motto. */
const WHISPERS = {
  label: 'Whispers',
  item_name: 'whisper',
  permissions: { full: ['@admins'] },
  elements: [field('summary', 'string'), field('severity', 'string'), field('motto', 'string')],
  semantics: { title: 'summary' },
}

const COFFERS = {
  label: 'Coffers',
  item_name: 'engine',
  permissions: { full: ['@members'] },
  elements: [field('summary', 'string'), field('gold', 'int')],
  semantics: { title: 'summary' },
}

export interface EnginesAndTasks {
  readonly engines: MadeTracker
  readonly tasks: MadeTracker
  readonly whispers: MadeTracker
  readonly ids: Readonly<Record<'pump' | 'valve' | 'hidden' | 'paint' | 'weed' | 'whisper' | 'coffer', number>>
}

/** Trackers whose fields are partly called the same: two of Orchard, one of it that is hidden, one of Vault. */
export async function makeEnginesAndTasks(api: Client): Promise<EnginesAndTasks> {
  const engines = await makeTracker(api, ENGINES)
  const tasks = await makeTracker(api, TASKS)
  const whispers = await makeTracker(api, WHISPERS)
  const weed = await makeArtifact(api, tasks, {
    name: { value: 'Weed **all** beds', format: 'commonmark' },
    severity: 'Severe',
    points: 2.5,
    due: '2026-03-04T10:30:00+00:00',
    team: 'the gardeners',
    cost: 700,
  })
  const hidden = await makeArtifact(api, engines, {
    summary: 'Hidden pump',
    status: 'Open',
    severity: 'High',
    points: 1,
    seen_by: { value: { granted_groups: ['project_admins'] } },
  })
  const pump = await makeArtifact(api, engines, {
    summary: 'Pump leaks',
    details: { value: 'at <b>4 bar</b>', format: 'html' },
    status: 'Open',
    severity: 'High',
    points: 5,
    due: '2026-03-05',
    owner: { value: 'tom' },
    team: { value: 'leads' },
    tags: { value: ['loud', 'wet'] },
    cost: 900,
    links: { links: [weed, hidden].map((id) => ({ id, type: '' })) },
  })
  const valve = await makeArtifact(api, engines, {
    summary: 'Valve rattles',
    status: 'Closed',
    severity: 'Low',
    cost: 100,
  })
  const paint = await makeArtifact(api, tasks, {
    name: { value: 'Paint the pump', format: 'text' },
    severity: 'High',
    points: 3,
    owner: { value: 'uma' },
    cost: 20,
  })
  const whisper = await makeArtifact(api, whispers, { summary: 'Psst', severity: 'High', motto: 'Hush' })
  const { json: safe } = await api.post(`/projects/${VAULT}/trackers`, { as: VICTOR, body: COFFERS })
  const body = { tracker: { id: safe.id }, values_by_field: { summary: 'Gold', gold: 1 } }
  const { json: coffer } = await api.post('/artifacts', { as: VICTOR, body })
  return { engines, tasks, whispers, ids: { pump, valve, hidden, paint, weed, whisper, coffer: coffer.id } }
}
