import type { Client } from './client.ts'
import { MARA } from './people.ts'
import { ORCHARD } from './places.ts'

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const groups = (...names: string[]) => ({ type: 'ugroups', groups: names })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })

/** A tracker with a field of every type. `budget` is read by administrators only. */
export const EVERY_FIELD = {
  format: 'waypost-tracker/1',
  label: 'Deliveries',
  item_name: 'delivery',
  settings: { private_comments: true },
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('points', 'int'),
    field('effort', 'float'),
    field('due', 'date'),
    field('started', 'date', { properties: { display_time: true } }),
    field('status', 'sb', { bind: list('Open', 'Working', 'Closed') }),
    field('severity', 'rb', { bind: list('Low', 'High') }),
    field('places', 'cb', { bind: list('Barn', 'Yard', 'Dock') }),
    field('fruits', 'msb', { bind: list('Apple', 'Pear', 'Plum') }),
    field('assigned_to', 'msb', { bind: { type: 'users', sources: ['@members'] } }),
    field('team', 'sb', { bind: groups('@members', '@admins', 'leads') }),
    field('tags', 'tbl', { bind: list('fragile', 'cold') }),
    field('files', 'file'),
    field('links', 'art_link'),
    field('seen_by', 'perm'),
    field('remaining', 'computed', { properties: { target_field_name: 'points' } }),
    field('budget', 'string', { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }),
    field('id', 'aid'),
    field('number', 'atid'),
    field('submitted_by', 'subby'),
    field('last_update_by', 'luby'),
    field('submitted_on', 'subon'),
    field('last_update', 'lud'),
    field('rank', 'priority'),
    field('references', 'cross'),
    field('burndown', 'burndown'),
    field('burnup', 'burnup'),
  ],
  semantics: { title: 'summary', contributor: 'assigned_to', status: { field: 'status', open: ['open', 'working'] } },
}

/** A tracker of Orchard that only its administrators see. */
export const HIDDEN = {
  format: 'waypost-tracker/1',
  label: 'Whispers',
  item_name: 'whisper',
  permissions: { full: ['@admins'] },
  elements: [field('summary', 'string')],
}

export interface MadeTracker {
  readonly id: number
  /** The id of a field, by its name. */
  field(name: string): number
  /** The id of a list value, by its label. */
  value(name: string, label: string): number
}

interface FieldJson {
  readonly field_id: number
  readonly name: string
  readonly values: readonly { readonly id: number; readonly label: string }[]
}

/** Mara makes a tracker in Orchard. */
export async function makeTracker(api: Client, definition: object): Promise<MadeTracker> {
  const { status, text, json } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: definition })
  if (status !== 201) throw new Error(`The tracker was not made: ${text}`)
  const fields: readonly FieldJson[] = json.fields
  const named = (name: string) => {
    const found = fields.find((each) => each.name === name)
    if (!found) throw new Error(`There is no field ${name}.`)
    return found
  }
  return {
    id: json.id,
    field: (name) => named(name).field_id,
    value(name, label) {
      const found = named(name).values.find((each) => each.label === label)
      if (!found) throw new Error(`${name} has no value ${label}.`)
      return found.id
    },
  }
}

/** Mara makes an artifact; resolves with its id. */
export async function makeArtifact(api: Client, tracker: MadeTracker, values_by_field: object): Promise<number> {
  const body = { tracker: { id: tracker.id }, values_by_field }
  const { status, text, json } = await api.post('/artifacts', { as: MARA, body })
  if (status !== 201) throw new Error(`The artifact was not made: ${text}`)
  return json.id
}
