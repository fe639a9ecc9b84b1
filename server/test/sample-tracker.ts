import { toId } from '../src/platform/database/ids.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { LoadedTracker } from '../src/trackers/load-tracker.ts'
import type { Bind, Element, FieldId, ListValueId, Structure, TrackerId, Transition } from '../src/trackers/tracker.ts'
import { ACCESS_KINDS } from '../src/trackers/tracker.ts'
import type { PartKind } from '../src/trackers/tables.ts'
import { LEADS, ORCHARD } from './places.ts'

/** A tracker of Orchard whose ids are known: those who lead administer it, registered people see it. */
export const CRATES = toId<TrackerId>(21_001)
/** Its parent, which only those who lead see. */
export const HARVESTS = toId<TrackerId>(21_002)

export const FIELDS = {
  main: toId<FieldId>(22_100),
  left: toId<FieldId>(22_101),
  summary: toId<FieldId>(22_102),
  status: toId<FieldId>(22_104),
  severity: toId<FieldId>(22_107),
  places: toId<FieldId>(22_108),
  points: toId<FieldId>(22_111),
  due: toId<FieldId>(22_113),
  started: toId<FieldId>(22_114),
  budget: toId<FieldId>(22_120), // Only administrators of the project read it.
  meta: toId<FieldId>(22_130),
  number: toId<FieldId>(22_131),
  submitted: toId<FieldId>(22_132),
  old: toId<FieldId>(22_190), // Not used.
  harvest: toId<FieldId>(22_201), // The status of the parent.
} as const

export const VALUES = {
  open: toId<ListValueId>(22_301),
  working: toId<ListValueId>(22_302),
  closed: toId<ListValueId>(22_303),
  duplicate: toId<ListValueId>(22_304), // Hidden.
  low: toId<ListValueId>(22_311),
  high: toId<ListValueId>(22_312),
  barn: toId<ListValueId>(22_321),
  yard: toId<ListValueId>(22_322),
  ripe: toId<ListValueId>(22_331),
} as const

export const STEPS = { begin: 22_401, work: 22_402, close: 22_403, reopen: 22_404 } as const
export const FREEZE = 22_501

const MEMBERS = 3
const EVERYBODY = { read: [1], submit: [2], update: [MEMBERS] }

function element(id: FieldId, name: string, type: string, more: Partial<Element> = {}): Element {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  return {
    id,
    parent_id: FIELDS.main,
    name,
    type,
    label,
    description: '',
    is_used: true,
    is_required: false,
    notifies: false,
    properties: {},
    default: null,
    bind: null,
    rights: EVERYBODY,
    shared_from: null,
    ...more,
  }
}

function values(...labels: [ListValueId, string, boolean?][]): Bind {
  return {
    type: 'static',
    alphabetical: false,
    values: labels.map(([id, label, is_hidden = false]) => ({
      id,
      key: label.toLowerCase(),
      label,
      description: '',
      color: null,
      is_hidden,
    })),
  }
}

function transition(id: number, from: ListValueId | null, to: ListValueId, more: Partial<Transition> = {}): Transition {
  return { id: toId(id), from, to, groups: [], not_empty: [], needs_comment: false, actions: [], ...more }
}

const SETTINGS: Structure['settings'] = {
  submit_instructions: '',
  browse_instructions: '',
  allow_copy: false,
  instantiate_for_new_projects: false,
  log_priority_changes: false,
  notifications_level: 'all',
  email_gateway: false,
  private_comments: false,
  in_new_dropdown: true,
  allow_move: true,
  allow_deletion: true,
  require_precondition: false,
}

const NO_SEMANTICS: Structure['semantics'] = {
  title: null,
  description: null,
  status: null,
  contributor: null,
  timeframe: null,
  progress: null,
  initial_effort: null,
  done: null,
  tooltip: [],
}

const CRATES_STRUCTURE: Structure = {
  settings: SETTINGS,
  grants: { full: [2], submitted_by_user: [], submitted_by_group: [], assigned_to_group: [], admin: [LEADS] },
  elements: [
    element(FIELDS.main, 'main', 'fieldset', { parent_id: null, rights: null }),
    element(FIELDS.left, 'left', 'column', { rights: null }),
    element(FIELDS.summary, 'summary', 'string', {
      is_required: true,
      parent_id: FIELDS.left,
      properties: { maxchars: 255, size: 60 },
    }),
    element(FIELDS.status, 'status', 'sb', {
      bind: values(
        [VALUES.open, 'Open'],
        [VALUES.working, 'Working'],
        [VALUES.closed, 'Closed'],
        [VALUES.duplicate, 'Duplicate', true],
      ),
      default: [VALUES.open],
    }),
    element(FIELDS.severity, 'severity', 'rb', { bind: values([VALUES.low, 'Low'], [VALUES.high, 'High']) }),
    element(FIELDS.places, 'places', 'cb', { bind: values([VALUES.barn, 'Barn'], [VALUES.yard, 'Yard']) }),
    element(FIELDS.points, 'points', 'int', { properties: { maxchars: 0, size: 5 } }),
    element(FIELDS.due, 'due', 'date', { properties: { display_time: 0 } }),
    element(FIELDS.started, 'started', 'date', { properties: { display_time: 1 } }),
    element(FIELDS.budget, 'budget', 'int', { rights: { read: [4], submit: [4], update: [4] } }),
    element(FIELDS.meta, 'meta', 'fieldset', { parent_id: null, rights: null }),
    element(FIELDS.number, 'number', 'aid', { parent_id: FIELDS.meta }),
    element(FIELDS.submitted, 'submitted', 'subon', { parent_id: FIELDS.meta }),
    element(FIELDS.old, 'old', 'string', { is_used: false }),
  ],
  semantics: {
    ...NO_SEMANTICS,
    title: FIELDS.summary,
    status: { field_id: FIELDS.status, open: [VALUES.open, VALUES.working] },
    timeframe: { start: FIELDS.started, end: FIELDS.due },
    initial_effort: FIELDS.budget,
    done: [VALUES.closed],
  },
  workflow: {
    field_id: FIELDS.status,
    is_used: true,
    is_advanced: false,
    transitions: [
      transition(STEPS.begin, null, VALUES.open),
      transition(STEPS.work, VALUES.open, VALUES.working, { groups: [MEMBERS] }),
      transition(STEPS.close, VALUES.working, VALUES.closed, {
        groups: [4],
        not_empty: [FIELDS.points, FIELDS.places],
        needs_comment: true,
        actions: [{ id: toId(FREEZE), type: 'frozen_fields', field_ids: [FIELDS.summary] }],
      }),
      transition(STEPS.reopen, VALUES.closed, VALUES.open),
    ],
  },
  rules: {
    dates: [
      { source: FIELDS.started, comparator: '≤', target: FIELDS.due },
      { source: FIELDS.due, comparator: '≥', target: FIELDS.submitted },
    ],
    lists: [
      { source: FIELDS.severity, source_value: VALUES.low, target: FIELDS.places, target_value: VALUES.barn },
      { source: FIELDS.severity, source_value: VALUES.high, target: FIELDS.places, target_value: VALUES.barn },
      { source: FIELDS.severity, source_value: VALUES.high, target: FIELDS.places, target_value: VALUES.yard },
    ],
  },
  triggers: [],
  reports: [
    {
      id: toId(22_701),
      label: 'By points',
      description: '',
      is_default: false,
      expert_query: null,
      criteria: [],
      renderers: [
        {
          id: toId(22_801),
          type: 'table',
          label: 'Table',
          columns: [FIELDS.points],
          page_size: 50,
          sort: [{ field_id: FIELDS.points, direction: 'asc' }],
          more: {},
        },
      ],
    },
  ],
  canned_responses: [],
  webhooks: [],
}

const HARVESTS_STRUCTURE: Structure = {
  ...CRATES_STRUCTURE,
  grants: { full: [LEADS], submitted_by_user: [], submitted_by_group: [], assigned_to_group: [], admin: [] },
  elements: [element(FIELDS.harvest, 'status', 'sb', { parent_id: null, bind: values([VALUES.ripe, 'Ripe']) })],
  semantics: NO_SEMANTICS,
  workflow: null,
  rules: { dates: [], lists: [] },
  triggers: [
    {
      id: toId(22_601),
      field_id: FIELDS.harvest,
      value: VALUES.ripe,
      condition: 'all_of',
      when: [{ tracker_id: CRATES, field_id: FIELDS.severity, value: VALUES.low }],
    },
  ],
  reports: [],
}

/** The tracker as it is loaded, without a database. */
export function sampleTracker(change: Partial<Structure> = {}): LoadedTracker {
  const structure = { ...CRATES_STRUCTURE, ...change }
  return {
    ...structure,
    ...named(CRATES, 'crate', 'Crates', HARVESTS),
    version: 1,
    rights_epoch: 1,
    project: {
      id: ORCHARD,
      shortname: 'orchard',
      label: 'Orchard',
      icon: '🌳',
      status: 'active',
      rights_epoch: 1,
      groups: new Map([[LEADS, { id: LEADS, short_name: 'leads' }]]),
      itemNames: new Map([
        ['crate', [2]],
        ['harvest', []],
      ]),
    },
    byId: new Map(structure.elements.map((each) => [each.id, each])),
    byName: new Map(structure.elements.filter(({ is_used }) => is_used).map((each) => [each.name, each])),
    stamp: '1.1.1.1',
  }
}

/** Both trackers, in a database that was just seeded. */
export async function insertSampleTrackers(db: Db): Promise<void> {
  await insert(db, named(HARVESTS, 'harvest', 'Harvests', null), HARVESTS_STRUCTURE)
  await insert(db, named(CRATES, 'crate', 'Crates', HARVESTS), CRATES_STRUCTURE)
}

function named(id: TrackerId, item_name: string, label: string, parent_id: TrackerId | null) {
  return { id, project_id: ORCHARD, item_name, label, description: '', color_name: 'fiesta-red', parent_id }
}

// No state of an earlier test is this one, whatever a server remembers.
let insertions = 0

async function insert(db: Db, tracker: ReturnType<typeof named>, structure: Structure): Promise<void> {
  const { id: tracker_id, project_id } = tracker
  const created_on = new Date('2026-01-01T00:00:00Z')
  await db
    .insertInto('tracker')
    .values({ ...tracker, structure: JSON.stringify(structure), rights_epoch: ++insertions, created_on })
    .execute()
  await db.insertInto('tracker_counter').values({ project_id, tracker_id }).execute()
  const grants = ACCESS_KINDS.flatMap((kind) =>
    structure.grants[kind].map((group_id) => ({ project_id, tracker_id, kind, group_id })),
  )
  await db.insertInto('tracker_grant').values(grants).execute()
  await db
    .insertInto('tracker_part')
    .values(partsOf(structure).map(([id, kind]) => ({ id, project_id, tracker_id, kind })))
    .execute()
}

function partsOf({ elements, workflow, triggers }: Structure): [number, PartKind][] {
  const transitions = workflow?.transitions ?? []
  return [
    ...elements.map(({ id }): [number, PartKind] => [id, 'element']),
    ...elements.flatMap(({ bind }) =>
      bind?.type === 'static' ? bind.values.map(({ id }): [number, PartKind] => [id, 'value']) : [],
    ),
    ...transitions.map(({ id }): [number, PartKind] => [id, 'transition']),
    ...transitions.flatMap(({ actions }) => actions.map(({ id }): [number, PartKind] => [id, 'action'])),
    ...triggers.map(({ id }): [number, PartKind] => [id, 'trigger']),
  ]
}
