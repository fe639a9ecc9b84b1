import type { OracleAccess, FieldKind, OracleGroup } from './model.ts'

/** A planned field; the server assigns its ids. */
export interface PlannedField {
  readonly name: string
  readonly type: string
  readonly kind: FieldKind
  readonly readers: readonly OracleGroup[]
  readonly labels: readonly string[]
  readonly properties?: object
}

export interface PlannedTracker {
  readonly label: string
  readonly item_name: string
  readonly access: OracleAccess
  readonly fields: readonly PlannedField[]
  readonly title: string
  readonly description?: string
  readonly status?: { readonly field: string; readonly open: readonly string[] }
  readonly contributor: string
}

const EVERYBODY: readonly OracleGroup[] = ['@anonymous']

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  text: 'text',
  int: 'number',
  float: 'number',
  date: 'day',
  art_link: 'links',
  tbl: 'open',
  perm: 'perm',
  computed: 'computed',
  cross: 'cross',
  aid: 'aid',
  atid: 'atid',
  priority: 'priority',
  subby: 'subby',
  luby: 'luby',
  subon: 'subon',
  lud: 'lud',
}

function field(name: string, type: string, more: Partial<PlannedField> = {}): PlannedField {
  return { name, type, kind: KINDS[type] ?? 'static', readers: EVERYBODY, labels: [], ...more }
}

const list = (name: string, type: string, ...labels: string[]) => field(name, type, { labels })
const people = (name: string, type: string) =>
  field(name, type, { kind: 'users', labels: ['mara', 'tom', 'uma', 'gus'] })
const groups = (name: string, type: string) =>
  field(name, type, { kind: 'groups', labels: ['project_members', 'project_admins', 'leads'] })

/** Fields that are no longer used. */
export const UNUSED = ['forgotten']

/** A value that is hidden after artifacts use it. */
export const HIDDEN_LATER = { field: 'stage', label: 'Stuck' }

/**
 * Names of all forms that the grammar allows, including keywords. No other tracker has them, so their meaning in a
 * nested condition depends on these two trackers only.
 */
export const PARCELS: PlannedTracker = {
  label: 'Parcels',
  item_name: 'parcel',
  access: { full: EVERYBODY, submitted_by_user: [], submitted_by_group: [], assigned_to_group: [] },
  title: 'headline',
  description: 'prose',
  status: { field: 'stage', open: ['Open', 'Working'] },
  contributor: 'carriers',
  fields: [
    field('headline', 'string'),
    field('remark', 'string'),
    field('prose', 'text'),
    field('with', 'text'),
    field('weight', 'int'),
    field('order', 'int'),
    field('2nd', 'float'),
    field('due-day', 'date'),
    field('started_at', 'date', { kind: 'instant', properties: { display_time: true } }),
    list('stage', 'sb', 'Open', 'Working', 'Closed', 'Stuck'),
    list('in', 'rb', 'Élevé', '50%', 'a_b', 'Low', 'back\\slash'),
    list('places', 'cb', 'Barn', 'Yard', 'Dock', 'Straße'),
    list('fruits', 'msb', 'Apple', 'Pear', 'Plum', '"Quoted"', "It's"),
    people('carriers', 'msb'),
    people('keeper', 'sb'),
    groups('crew', 'sb'),
    groups('crews', 'cb'),
    list('tags', 'tbl', 'fragile', 'Cold'),
    field('joins', 'art_link'),
    field('seen_by', 'perm'),
    field('secret', 'string', { readers: ['leads'] }),
    field('inner', 'int', { readers: ['@members'] }),
    field('hush', 'sb', { readers: ['@admins'], labels: ['Yes', 'No'] }),
    field('total', 'computed', { properties: { target_field_name: 'weight' } }),
    field('mentions', 'cross'),
    field('parcel_id', 'aid'),
    field('parcel_number', 'atid'),
    field('place_in_line', 'priority'),
    field('sent_by', 'subby'),
    field('changed_by', 'luby'),
    field('sent_on', 'subon'),
    field('changed_on', 'lud'),
  ],
}

/** The children. Not visible to all; some viewers see only their own, or those of their group. */
export const STAMPS: PlannedTracker = {
  label: 'Stamps',
  item_name: 'stamp',
  access: {
    full: ['@members'],
    submitted_by_user: ['@registered'],
    submitted_by_group: ['leads'],
    assigned_to_group: ['leads'],
  },
  title: 'headline',
  status: { field: 'stage', open: ['Open'] },
  contributor: 'carriers',
  fields: [
    field('headline', 'string'),
    field('ink', 'string'),
    field('weight', 'float'),
    field('due-day', 'date'),
    list('stage', 'sb', 'Closed', 'Open', 'Working', 'Stuck'),
    people('carriers', 'msb'),
    field('secret', 'string', { readers: ['@members'] }),
    field('joins', 'art_link'),
    field('stamp_id', 'aid'),
    field('sent_by', 'subby'),
    field('changed_on', 'lud'),
  ],
}

/** The definition that creates the tracker. Every signed-in user may set any field. */
export function definitionDocument({
  fields,
  title,
  description,
  status,
  contributor,
  access,
  ...rest
}: PlannedTracker): object {
  return {
    format: 'waypost-tracker/1',
    ...rest,
    settings: { private_comments: true },
    permissions: access,
    elements: fields.map(({ name, type, kind, readers, labels, properties }) => ({
      name,
      type,
      label: name,
      ...(properties && { properties }),
      ...bindOf(kind, labels),
      permissions: rightsOf(kind, readers),
    })),
    unused_elements: UNUSED.map((name) => ({ name, type: 'string', label: name })),
    semantics: {
      title,
      ...(description !== undefined && { description }),
      ...(status && { status: { field: status.field, open: status.open.map((label) => label.toLowerCase()) } }),
      contributor,
    },
  }
}

function rightsOf(kind: FieldKind, readers: readonly OracleGroup[]): object {
  if (READ_ONLY.includes(kind)) return { read: readers }
  return { read: readers, submit: ['@registered'], update: readers === EVERYBODY ? ['@registered'] : readers }
}

const READ_ONLY: readonly FieldKind[] = ['cross', 'aid', 'atid', 'priority', 'subby', 'luby', 'subon', 'lud']

function bindOf(kind: FieldKind, labels: readonly string[]): object {
  if (kind === 'static' || kind === 'open')
    return {
      bind: { type: 'static', values: labels.map((label) => ({ label, ...(hasKey(label) && { key: keyOf(label) }) })) },
    }
  if (kind === 'users') return { bind: { type: 'users', sources: ['@members', 'leads'] } }
  if (kind === 'groups') return { bind: { type: 'ugroups', groups: ['@members', '@admins', 'leads'] } }
  return {}
}

/** A label without letters has no key of its own. */
const hasKey = (label: string) => !/^[a-z]+$/i.test(label)
const keyOf = (label: string) => `key_${Buffer.from(label).toString('hex').slice(0, 20)}`
