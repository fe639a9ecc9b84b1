import type { Db } from '../src/platform/database/db.ts'
import type { ProjectId } from '../src/projects/project.ts'
import { readDefinition } from '../src/trackers/definition/read-definition.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import { groupNames, type World } from '../src/trackers/definition/world.ts'
import { writeDefinition } from '../src/trackers/definition/write-definition.ts'
import type { PartKind } from '../src/trackers/tables.ts'
import { ACCESS_KINDS, type Tracker, type TrackerId } from '../src/trackers/tracker.ts'
import { BUDGET_CANARY, LEDGER_CANARY, PRIVATE_CANARY, VAULT_CANARY } from './canaries.ts'
import { MARA, TOM } from './people.ts'
import {
  BUGS,
  KEEPERS,
  LEADS,
  LEDGER,
  LOST_BUGS,
  MARSH,
  MARSH_BUGS,
  ORCHARD,
  SAFE,
  SHADOWS,
  TOMS_REPORT,
  VAULT,
} from './places.ts'

const HIDDEN = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const INSIDE = { read: ['@members'], submit: ['@members'], update: ['@members'] }

/** Fields of every right: public ones, some for members, and one for administrators of the project. */
export const BUGS_DEFINITION: TrackerDefinition = {
  label: 'Bugs',
  item_name: 'bug',
  description: 'What is broken',
  color_name: 'fiesta-red',
  permissions: { full: ['@anonymous'], admin: ['leads'] },
  elements: [
    {
      name: 'main',
      type: 'fieldset',
      label: 'Main',
      content: [
        { name: 'summary', type: 'string', label: 'Summary', required: true, properties: { maxchars: 255 } }, // 7102
        { name: 'details', type: 'text', label: 'Details' }, // 7103
        {
          name: 'status', // 7104
          type: 'sb',
          label: 'Status',
          bind: {
            type: 'static',
            values: [
              { key: 'open', label: 'Open', color: 'fiesta-red' }, // 7201
              { key: 'fixed', label: 'Fixed', color: 'neon-green' }, // 7202
              { key: 'rotten', label: 'Rotten', hidden: true }, // 7203
            ],
            default: ['open'],
          },
        },
        {
          name: 'assigned_to', // 7105
          type: 'msb',
          label: 'Assigned to',
          notifications: true,
          bind: { type: 'users', sources: ['@members', 'artifact_submitters'] },
        },
        {
          name: 'team', // 7106
          type: 'sb',
          label: 'Team',
          bind: { type: 'ugroups', groups: ['@members', 'leads'] }, // 7204, 7205
        },
        { name: 'points', type: 'int', label: 'Points' }, // 7107
        { name: 'due', type: 'date', label: 'Due' }, // 7108
        { name: 'notes', type: 'text', label: 'Notes', permissions: INSIDE }, // 7109
        { name: 'budget', type: 'float', label: `Budget ${BUDGET_CANARY}`, permissions: HIDDEN }, // 7110
      ],
    },
    { name: 'links', type: 'art_link', label: 'Links' }, // 7111
    { name: 'id', type: 'aid', label: 'Id' }, // 7112
    { name: 'submitted_by', type: 'subby', label: 'Submitted by' }, // 7113
    { name: 'submitted_on', type: 'subon', label: 'Submitted on' }, // 7114
  ],
  unused_elements: [{ name: 'old', type: 'string', label: 'Old' }], // 7115
  semantics: {
    title: 'summary',
    description: 'details',
    status: { field: 'status', open: ['open'] },
    contributor: 'assigned_to',
  },
  workflow: { field: 'status', used: false, mode: 'simple', states: [{ to: 'open', from: ['@new'] }] }, // 7301
  reports: [{ label: 'All bugs', default: true, renderers: [{ type: 'table', label: 'Table' }] }], // 7601, 7701
}

const SECRET = (label: string, permissions: TrackerDefinition['permissions'] = {}): TrackerDefinition => ({
  label,
  item_name: 'secret',
  description: label,
  permissions,
  elements: [
    { name: 'title', type: 'string', label: `Title ${label}` },
    {
      name: 'state',
      type: 'sb',
      label: `State ${label}`,
      bind: { type: 'static', values: [{ key: 'closed', label: `Closed ${label}` }] },
    },
  ],
  semantics: { title: 'title' },
  workflow: { field: 'state', used: false, mode: 'simple', states: [{ to: 'closed', from: ['@new'] }] },
  reports: [{ label: `All ${label}` }],
})

/** Where the ids of each tracker begin; its parts have those of its hundred. */
const FIRST: readonly (readonly [PartKind, number])[] = [
  ['element', 7101],
  ['value', 7201],
  ['transition', 7301],
  ['action', 7401],
  ['trigger', 7501],
  ['report', 7601],
  ['renderer', 7701],
]
const PARTS = 20

/** Trackers of the small world: open ones, one for few, one in the trash, and those of projects that are closed. */
export async function seedTrackers(db: Db, now: Date): Promise<void> {
  const closed = { full: ['leads'] }
  const trackers: [TrackerId, ProjectId, TrackerDefinition][] = [
    [BUGS, ORCHARD, BUGS_DEFINITION],
    [SAFE, VAULT, SECRET(VAULT_CANARY, { full: ['@members'] })],
    [LEDGER, ORCHARD, SECRET(LEDGER_CANARY, closed)],
    [LOST_BUGS, ORCHARD, { ...SECRET('Lost', { full: ['@anonymous'] }), item_name: 'lost' }],
    [MARSH_BUGS, MARSH, { ...SECRET('Mud', { full: ['@anonymous'] }), item_name: 'mud' }],
  ]
  for (const [at, [id, project_id, definition]] of trackers.entries())
    await insertTracker(db, { id, project_id, at, deleted_on: id === LOST_BUGS ? now : null }, definition, now)
  await insertPrivateReport(db)
}

async function insertPrivateReport(db: Db): Promise<void> {
  const place = { id: TOMS_REPORT, project_id: ORCHARD, tracker_id: BUGS }
  const report = {
    label: PRIVATE_CANARY,
    description: '',
    is_default: false,
    expert_query: `summary = "${PRIVATE_CANARY}"`,
    criteria: [],
    renderers: [],
  }
  await db
    .insertInto('tracker_part')
    .values({ ...place, kind: 'report' })
    .execute()
  await db
    .insertInto('tracker_report')
    .values({ ...place, owner_id: TOM.id, report: JSON.stringify(report) })
    .execute()
}

const GROUPS = new Map<ProjectId, readonly { id: number; short_name: string }[]>([
  [
    ORCHARD,
    [
      { id: LEADS, short_name: 'leads' },
      { id: SHADOWS, short_name: 'shadows' },
    ],
  ],
  [VAULT, [{ id: KEEPERS, short_name: 'keepers' }]],
])

function worldOf(project_id: ProjectId): World {
  return {
    ...groupNames(GROUPS.get(project_id) ?? []),
    project_id,
    trackers: [],
    trackerNamed: () => undefined,
    accountNamed: () => undefined,
    loginOf: () => '',
    linkTypes: new Set(['_is_child']),
    isTaken: () => false,
    parentOf: () => null,
  }
}

// No state of an earlier test is this one, whatever a server remembers.
let seedings = 0

/** A tracker of the small world; `at`: its place there, which its parts have their ids by. */
export async function insertTracker(
  db: Db,
  { id, project_id, at, deleted_on }: { id: TrackerId; project_id: ProjectId; at: number; deleted_on: Date | null },
  definition: TrackerDefinition,
  now: Date,
): Promise<void> {
  const kinds = FIRST.map(([kind, first]): [PartKind, number[]] => [
    kind,
    Array.from({ length: PARTS }, (_, index) => first + at * PARTS + index),
  ])
  const world = worldOf(project_id)
  const { structure, named, problems, needs } = readDefinition(definition, world, { ids: new Map(kinds) })
  if (problems.length > 0) throw new Error(`The tracker ${id} of the test data is wrong: ${JSON.stringify(problems)}`)
  const tracker: Tracker = { ...structure, ...named, id, project_id, version: 1, rights_epoch: 1 }
  await db
    .insertInto('tracker')
    .values({
      ...named,
      id,
      project_id,
      contributor_field_id: structure.semantics.contributor,
      restriction_field_id: structure.elements.find(({ type, is_used }) => type === 'perm' && is_used)?.id ?? null,
      structure: JSON.stringify(structure),
      rights_epoch: ++seedings,
      created_by: MARA.id,
      created_on: now,
      deleted_on,
      deleted_by: deleted_on && TOM.id,
    })
    .execute()
  await db.insertInto('tracker_counter').values({ project_id, tracker_id: id }).execute()
  const parts = kinds.flatMap(([kind, ids]) =>
    ids.slice(0, needs.get(kind) ?? 0).map((part) => ({ id: part, project_id, tracker_id: id, kind })),
  )
  await db.insertInto('tracker_part').values(parts).execute()
  const grants = ACCESS_KINDS.flatMap((kind) =>
    structure.grants[kind].map((group_id) => ({ project_id, tracker_id: id, kind, group_id })),
  )
  await db.insertInto('tracker_grant').values(grants).execute()
  const document = JSON.stringify(writeDefinition(tracker, world))
  await db
    .insertInto('tracker_version')
    .values({ project_id, tracker_id: id, version: 1, changed_by: MARA.id, changed_on: now, definition: document })
    .execute()
}
